// Erasing a customer: what its agents are let in with elsewhere ends first, then the record goes, in one short transaction.
// What takes longer is deleted after that, see erasing.ts.
import { sql } from 'kysely'
import type { z } from 'zod'
import type { EraseCustomer } from '../../schemas/customer.ts'
import { refundHeldOf } from '../credits/reservations.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { liveKeyAliases } from '../instances/deploy/keys.ts'
import { revokeKeys } from '../instances/removal.ts'
import { listCustomerInstances } from '../instances/store.ts'
import { invalidField } from '../invalid-input.ts'
import { forgetNetworks } from '../limits/sign-in-limits.ts'
import { forgetMind } from '../memory/forget.ts'
import { listMinds } from '../memory/minds.ts'
import type { OperationContext } from '../operation.ts'
import { accountOf, portalTenant } from '../portal-access/sign-in.ts'
import { agentsMappedTo, unmapAllOf } from '../voice-agents/store.ts'
import { emailKey } from './email.ts'
import { keepTraces } from './erasing.ts'
import { getCustomer, lockCustomer } from './store.ts'
import type { CustomerTable } from './table.ts'

type EraseContext<Answer> = Pick<
  OperationContext<Answer>,
  'config' | 'db' | 'aiKeys' | 'memoryEngine' | 'transaction'
>

/** A deploy that is under way had another key made, or an agent was mapped until the customer was locked. */
class Grown extends Error {}

/**
 * Erases the customer: from the commit on nobody reaches anything of it, and all of it is deleted soon after. A deploy
 * that is under way ends with it. `note` writes what is to be known of it, and answers.
 *
 * @throws ServiceError `customer_not_found`, `invalid_input` for another code than the customer's, and
 *   `provider_unavailable` when the AI gateway can't be asked: then nothing was erased
 */
export async function eraseCustomer<Answer>(
  ctx: EraseContext<Answer>,
  partnerId: string,
  { customerId, confirm }: z.output<typeof EraseCustomer>,
  note: (tx: WriteHandle) => Promise<Answer>
): Promise<Answer> {
  const { id, code } = await getCustomer(ctx.db, partnerId, customerId)
  if (confirm.trim().toUpperCase() !== code)
    throw invalidField('confirm', 'must be the short code of the customer to erase')
  const revoked = new Set<string>()
  const liveKeys = async (db: ReadHandle): Promise<string[]> => {
    const aliases = []
    for (const instance of await listCustomerInstances(db, partnerId, id))
      aliases.push(...(await liveKeyAliases(db, partnerId, instance.id)))
    return aliases.filter((alias) => !revoked.has(alias))
  }
  for (;;) {
    const aliases = await liveKeys(ctx.db)
    await revokeKeys(ctx.aiKeys, aliases)
    for (const alias of aliases) revoked.add(alias)
    try {
      return await ctx.transaction(async (tx) => {
        await unmapAllOf(tx, partnerId, id)
        const customer = await lockCustomer(tx, partnerId, id)
        // With the records the names of the keys are lost, and from whom an agent is to be taken.
        if ((await liveKeys(tx)).length > 0) throw new Grown()
        if ((await agentsMappedTo(tx, partnerId, id)).length > 0) throw new Grown()
        await eraseRecord(ctx, tx, customer)
        return note(tx)
      })
    } catch (error) {
      if (!(error instanceof Grown)) throw error
    }
  }
}

async function eraseRecord<Answer>(ctx: EraseContext<Answer>, tx: WriteHandle, customer: CustomerTable) {
  const { id, partnerId } = customer
  const owner = { partnerId, customerId: id }
  await keepTraces(tx, customer)
  for (const mind of await listMinds(tx, owner)) await forgetMind(tx, ctx.memoryEngine, owner, mind.id)
  await refundHeldOf(tx, id)
  const emails = await deleteOwnIdentities(tx, customer)
  const accounts = emails.map((email) => accountOf(portalTenant(partnerId), email))
  await forgetNetworks(tx, ctx.config, accounts)
  // Tokens, sessions, links, team and servers go with it.
  await tx.deleteFrom('customer').where('partnerId', '=', partnerId).where('id', '=', id).execute()
}

/** Deletes whoever signs in to this customer's portal, or once was invited, and to no other; their addresses. */
async function deleteOwnIdentities(tx: WriteHandle, customer: CustomerTable) {
  const { id, partnerId, ownerIdentityId } = customer
  const mails = tx.selectFrom('mail').where('customerId', '=', id)
  const mailed = await mails.select('recipient').distinct().execute()
  const keys = [customer.emailKey, ...mailed.map(({ recipient }) => emailKey(recipient))]
  const { rows } = await sql<{ email: string }>`
    delete from "identity" where "partnerId" = ${partnerId}
    and ("id" = ${ownerIdentityId} or "emailKey" in (${sql.join(keys)})
      or "id" in (select "identityId" from "teamMember" where "customerId" = ${id})
      or "emailKey" in (select "emailKey" from "teamMember" where "customerId" = ${id}))
    and not exists (select 1 from "customer" as "other" where "other"."partnerId" = ${partnerId}
      and "other"."id" <> ${id}
      and ("other"."ownerIdentityId" = "identity"."id" or "other"."emailKey" = "identity"."emailKey"))
    and not exists (select 1 from "teamMember" as "other" where "other"."partnerId" = ${partnerId}
      and "other"."customerId" <> ${id}
      and ("other"."identityId" = "identity"."id" or "other"."emailKey" = "identity"."emailKey"))
    returning "email"`.execute(tx)
  return rows.map(({ email }) => email)
}
