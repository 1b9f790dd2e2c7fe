// Deletes what erased customers have left, in small batches: nobody reaches it any more.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import { now } from '../clock.ts'
import type { Database, WriteHandle } from '../database/database.ts'
import { changeWhere, deleteWhere, rowsWhere } from '../database/known.ts'
import type { Flag, Tables } from '../database/tables.ts'
import { changeInBatches } from '../jobs/deleter.ts'
import { mailFolder, removeMailFiles } from '../mail/file-transport.ts'
import { deleteForgotten } from '../memory/forgotten-minds.ts'
import { nextTurn } from '../slices.ts'
import type { CustomerTable } from './table.ts'

interface Leftovers {
  database: Database
  config: Parameters<typeof mailFolder>[0]
}

/** What stands in the audit log for the id of a customer that was erased. */
export const ERASED = 'erased'

/** What is no number, or a short one such as an extension, stands in what isn't the customer's. */
const PHONE = /^(?:[ +()./-]*\d){7}[\d +()./-]*$/

/** Notes what an erased customer and its things are called where no reference leads. */
export async function keepTraces(tx: WriteHandle, { id, code, email, businessPhone }: CustomerTable) {
  const instances = rowsWhere(tx, 'instance', { customerId: id }).select('id')
  const things = await instances
    .unionAll(rowsWhere(tx, 'customerToken', { customerId: id }).select('id'))
    .unionAll(rowsWhere(tx, 'connectedApp', { customerId: id }).select('id'))
    .unionAll(rowsWhere(tx, 'mind', { customerId: id }).select('id'))
    .unionAll(tx.selectFrom('deploy').where('instanceId', 'in', instances).select('id'))
    .unionAll(tx.selectFrom('aiKey').where('instanceId', 'in', instances).select('id'))
    .execute()
  const phone = businessPhone && PHONE.test(businessPhone) ? [businessPhone] : []
  const traces = JSON.stringify([id, code, email, ...phone, ...things.map((thing) => thing.id)])
  await changeWhere(tx, 'customerContent', { id }).set({ traces }).execute()
}

/**
 * Deletes all that erased customers have left; interrupted, it goes on the next time. Whether nothing is left: a mail that
 * is being sent waits for its end.
 *
 * @throws the first fault, once every customer was tried
 */
export async function finishErasures(leftovers: Leftovers, stopping?: AbortSignal): Promise<boolean> {
  const erased = await leftovers.database.read
    .selectFrom('customerContent')
    .where('isErased', '=', sql.lit<Flag>(1))
    .selectAll()
    .execute()
  const finished = []
  // What stops one keeps no other one from its end.
  for (const customer of erased)
    finished.push(...(await Promise.allSettled([finishErasure(leftovers, customer, stopping)])))
  const failed = finished.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
  return finished.every((outcome) => outcome.status === 'fulfilled' && outcome.value)
}

async function finishErasure(
  { database, config }: Leftovers,
  { id, partnerId, traces }: Selectable<Tables['customerContent']>,
  stopping: AbortSignal | undefined
): Promise<boolean> {
  // While one is being sent it is looked for often: the rest comes behind it.
  if (!(await deleteMails({ database, config }, 'customerId', id))) return false
  await deleteKeptAnswers(database, partnerId, JSON.parse(traces ?? '[]'), stopping)
  for (const rows of [
    { table: 'call', where: sql`"customerId" = ${id}` },
    { table: 'billingEntry', key: ['customerId', 'seq'], where: sql`"customerId" = ${id}` },
    { table: 'creditReservation', where: sql`"customerId" = ${id}` },
    { table: 'creditEntry', key: ['accountId', 'seq'], where: sql`"accountId" = ${id}` },
    { table: 'aiUsage', where: sql`"customerId" = ${id}` },
    {
      table: 'webhookDelivery',
      key: ['seq'],
      where: sql`"customerId" = ${id} and "type" <> 'customer.erased'`
    },
    {
      table: 'audit',
      where: sql`"targetId" = ${id} and "action" <> 'customer_erase'`,
      change: sql`update "audit" set "targetId" = ${ERASED}, "requestId" = ''`
    },
    {
      table: 'audit',
      where: sql`"customerId" = ${id}`,
      change: sql`update "audit" set "customerId" = null`
    }
  ] as const)
    await changeInBatches(database, rows, stopping)
  if (stopping?.aborted) return false
  // The few other rows go with it.
  await database.transaction((tx) => deleteWhere(tx, 'customerContent', { id }).execute())
  return true
}

export const MAIL_LOOK_MS = 500

export async function untilErased(leftovers: Leftovers): Promise<void> {
  await deleteForgotten(leftovers.database)
  while (!(await finishErasures(leftovers))) await sleep(MAIL_LOOK_MS)
}

const MAILS = 100

/** Deletes mails with their files, but for those that are being sent; whether there are none of them. */
export async function deleteMails(
  { database: { read, transaction }, config }: Leftovers,
  column: 'customerId' | 'partnerId',
  value: string
): Promise<boolean> {
  const isIdle = sql<boolean>`("leaseExpiresAt" is null or "leaseExpiresAt" <= ${now()})`
  const mails = read.selectFrom('mail').where(column, '=', value)
  for (;;) {
    const idle = await mails.where(isIdle).select(['id', 'messageId']).limit(MAILS).execute()
    if (idle.length === 0) return (await mails.select('id').limit(1).execute()).length === 0
    const files = idle.map(({ messageId }) => messageId)
    await removeMailFiles(mailFolder(config), files)
    const ids = idle.map(({ id }) => id)
    await transaction((tx) => tx.deleteFrom('mail').where('id', 'in', ids).where(isIdle).execute())
  }
}

const ANSWERS = 200

/** Deletes the answers that the partner's repeated requests would get, where they or their keys name one of these. */
async function deleteKeptAnswers(
  { read, transaction }: Database,
  partnerId: string,
  traces: readonly string[],
  stopping: AbortSignal | undefined
): Promise<void> {
  if (traces.length === 0) return
  const names = traces.map((trace) => trace.replaceAll(/[^a-z0-9]/gi, '\\$&')).join('|')
  // As a word of its own: ada@example.com is not a@example.com.
  const known = new RegExp(`(?<![a-z0-9])(?:${names})(?![a-z0-9])`, 'i')
  for (let after = sql`('', '')`; !stopping?.aborted; await nextTurn()) {
    const page = await rowsWhere(read, 'idempotency', { partnerId })
      .where(sql<boolean>`("operation", "key") > ${after}`)
      .select(['operation', 'key', 'answer'])
      .orderBy('operation')
      .orderBy('key')
      .limit(ANSWERS)
      .execute()
    const theirs = page
      .filter(({ key, answer }) => known.test(key) || known.test(answer))
      .map(({ operation, key }) => sql`(${operation}, ${key})`)
    const named = sql<boolean>`"partnerId" = ${partnerId} and ("operation", "key") in (${sql.join(theirs)})`
    if (theirs.length > 0) await transaction((tx) => tx.deleteFrom('idempotency').where(named).execute())
    const last = page.at(-1)
    if (!last || page.length < ANSWERS) return
    after = sql`(${last.operation}, ${last.key})`
  }
}
