// Erasing a partner: it is closed, its customers are erased one by one, and then all that is its own goes.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { eraseCustomer } from '../customers/erase.ts'
import { deleteMails, ERASED, MAIL_LOOK_MS, untilErased } from '../customers/erasing.ts'
import { changeInBatches } from '../jobs/deleter.ts'
import { forgetNetworks } from '../limits/sign-in-limits.ts'
import type { ExternalContext } from '../operation.ts'
import { accountOf, CONSOLE_TENANT } from '../portal-access/sign-in.ts'
import { deleteRemoved, markRemoved } from '../webhooks/store.ts'
import { updatePartner } from './store.ts'

/** Where a partner itself has many rows, and its keys, which don't go with its record. */
const TABLES = [
  { table: 'apiKey' },
  { table: 'audit' },
  { table: 'aiUsage' },
  { table: 'call' },
  { table: 'idempotency', key: ['partnerId', 'operation', 'key'] },
  { table: 'creditEntry', key: ['accountId', 'seq'] }
] as const

/**
 * Erases the partner with its customers; at the end nothing of it is left, but that one was erased. Interrupted, it is
 * closed already, and the next call goes on.
 *
 * @throws ServiceError `partner_not_found`, and `provider_unavailable` when the AI gateway can't be asked
 */
export async function erasePartner(ctx: ExternalContext<{ customers: number }>, partnerId: string) {
  const { database, config } = ctx
  await ctx.step((tx) => updatePartner(tx, partnerId, { isActive: false }))
  const left = database.read.selectFrom('customer').where('partnerId', '=', partnerId)
  let customers = 0
  for (;;) {
    const next = await left.select(['id as customerId', 'code as confirm']).limit(1).executeTakeFirst()
    if (!next) break
    await eraseCustomer({ ...ctx, transaction: ctx.step }, partnerId, next, async () => undefined)
    customers += 1
  }
  await untilErased(ctx)
  while (!(await deleteMails(ctx, 'partnerId', partnerId))) await sleep(MAIL_LOOK_MS)
  for (const rows of TABLES)
    await changeInBatches(database, { ...rows, where: sql`"partnerId" = ${partnerId}` })
  await database.transaction((tx) => markRemoved(tx, { partnerId }))
  await deleteRemoved(database)
  return ctx.transaction(async (tx) => {
    const users = tx.selectFrom('partnerUser').where('partnerId', '=', partnerId).select('email')
    const accounts = (await users.execute()).map(({ email }) => accountOf(CONSOLE_TENANT, email))
    await forgetNetworks(tx, config, accounts)
    await tx.deleteFrom('partner').where('id', '=', partnerId).execute()
    await ctx.audit(tx, { partnerId: null, targetType: 'partner', targetId: ERASED })
    return { customers }
  })
}
