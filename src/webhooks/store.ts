import { type Generated, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { DeliveryStatus, ListDeliveries, Webhook } from '../../schemas/webhook.ts'
import { now } from '../clock.ts'
import type { Database, ReadHandle, WriteHandle } from '../database/database.ts'
import { changeWhere, deleteWhere, rowsWhere } from '../database/known.ts'
import { pageOfRows } from '../database/page.ts'
import { isWithin } from '../database/row-count.ts'
import type { Flag, Owned, Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { changeInBatches } from '../jobs/deleter.ts'

export type WebhookRow = Selectable<Tables['webhook']>
export type DeliveryRow = Selectable<Tables['webhookDelivery']>

export const webhookContext = (id = ''): string => `webhook ${id}`

/** @throws ServiceError `webhook_not_found` */
export async function findWebhook(db: ReadHandle, partnerId: string, id: string): Promise<WebhookRow> {
  const found = await rowsWhere(db, 'webhook', { partnerId, id, isRemoved: 0 }).selectAll().executeTakeFirst()
  if (!found) throw new ServiceError('webhook_not_found', undefined, { field: 'webhookId' })
  return found
}

export const shownWebhook = ({
  id,
  url,
  name,
  trouble,
  failingSince,
  fullSince,
  ...row
}: WebhookRow): Webhook => ({
  ...{ webhookId: id, url, name, trouble, failingSince, fullSince },
  types: JSON.parse(row.types),
  inOrder: row.inOrder === 1,
  isActive: row.isActive === 1,
  formerSecretUntil:
    row.formerSecretUntil !== null && row.formerSecretUntil > now() ? row.formerSecretUntil : null,
  createdAt: row.createdAt
})

export const listWebhooks = (db: ReadHandle, partnerId: string): Promise<WebhookRow[]> =>
  rowsWhere(db, 'webhook', { partnerId, isRemoved: 0 })
    .selectAll()
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** One page of what there was to deliver to a place, newest first. */
export function listDeliveries(
  db: ReadHandle,
  { webhookId, status, type, page, limit, ...days }: z.output<typeof ListDeliveries>
) {
  let all = rowsWhere(db, 'webhookDelivery', { webhookId })
  if (status) all = all.where('status', '=', status)
  if (type) all = all.where('type', '=', type)
  if (days.createdFrom ?? days.createdTo) all = all.where(isWithin(days))
  return pageOfRows({ page, limit }, all.selectAll().orderBy('seq', 'desc'), all)
}

/** What waits for its turn now, in the order in which it happened; in order, the first of each customer that does. */
export function dueDeliveries(
  db: ReadHandle,
  { id: webhookId, inOrder }: Pick<WebhookRow, 'id' | 'inOrder'>,
  { limit, isNewest = false }: { limit: number; isNewest?: boolean }
): Promise<DeliveryRow[]> {
  const all = rowsWhere(db, 'webhookDelivery', { webhookId })
    // Written out: SQLite takes the partial index only where it reads the same condition.
    .where('status', '=', sql.lit<DeliveryStatus>('queued'))
    .where('nextAttemptAt', '<=', now())
  const firsts = all.groupBy('customerId').select(({ fn }) => fn.min('seq').as('seq'))
  const due = (inOrder === 1 ? all.where('seq', 'in', firsts) : all).selectAll().limit(limit)
  return (isNewest ? due.orderBy('seq', 'desc') : due.orderBy('nextAttemptAt').orderBy('seq')).execute()
}

const waitingOf = (webhookId: string, customerId: string) =>
  sql<boolean>`"webhookId" = ${webhookId} and "customerId" = ${customerId} and "status" = 'queued'`

/** The first that waits of a customer's, due or not. */
export const firstWaiting = (
  db: ReadHandle,
  webhookId: string,
  customerId: string
): Promise<DeliveryRow | undefined> =>
  db
    .selectFrom('webhookDelivery')
    .where(waitingOf(webhookId, customerId))
    .selectAll()
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()

/** Some 10 ms on SQLite, where all others wait meanwhile. */
const HELD_AT_ONCE = 2_000

/** Of a customer's that wait none comes before that time; of many, some: what is due still is held by the next look. */
export async function holdBack(
  tx: WriteHandle,
  webhookId: string,
  customerId: string,
  nextAttemptAt: string
): Promise<void> {
  const sooner = tx.selectFrom('webhookDelivery').where('nextAttemptAt', '<', nextAttemptAt)
  const some = sooner.where(waitingOf(webhookId, customerId)).select('seq').limit(HELD_AT_ONCE)
  await tx.updateTable('webhookDelivery').set({ nextAttemptAt }).where('seq', 'in', some).execute()
}

/** Notes how an attempt went. What was delivered meanwhile stays so. */
export async function noteAttempt(
  tx: WriteHandle,
  { seq }: DeliveryRow,
  columns: Partial<DeliveryRow>
): Promise<void> {
  await changeWhere(tx, 'webhookDelivery', { seq, status: 'queued' }).set(columns).execute()
}

/** Whether that many wait for a place, or more. */
export async function isAnyBehind(db: ReadHandle, webhookId: string, count: number): Promise<boolean> {
  const waiting = db.selectFrom('webhookDelivery').where('webhookId', '=', webhookId)
  const found = await waiting
    .where('status', '=', sql.lit<DeliveryStatus>('queued'))
    .select('seq')
    .limit(1)
    .offset(count)
    .executeTakeFirst()
  return found !== undefined
}

/** Puts what was delivered or given up back into the queue; how many there were. */
export async function queueAgain(
  tx: WriteHandle,
  webhookId: string,
  which: { eventId: string } | { limit: number }
): Promise<number> {
  const ofPlace = rowsWhere(tx, 'webhookDelivery', { webhookId }).select('seq')
  const chosen =
    'eventId' in which
      ? ofPlace.where('eventId', '=', which.eventId).where('status', '<>', 'queued')
      : ofPlace.where('status', '=', 'failed').orderBy('seq').limit(which.limit)
  const at = now()
  const { numUpdatedRows } = await tx
    .updateTable('webhookDelivery')
    .set({
      status: 'queued',
      attempts: 0,
      nextAttemptAt: at,
      queuedAt: at,
      finishedAt: null,
      lastError: null
    })
    .where('seq', 'in', chosen)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Takes it, or all of a partner's, out of everybody's sight; what it leaves goes in the background. */
export async function markRemoved(tx: WriteHandle, which: { partnerId: string; id?: string }): Promise<void> {
  await changeWhere(tx, 'webhook', which).set({ isRemoved: 1, isActive: 0 }).execute()
}

/** Deletes what removed webhooks have left, in small batches; interrupted, it goes on the next time. */
export async function deleteRemoved(database: Database, stopping?: AbortSignal): Promise<void> {
  const removed = await rowsWhere(database.read, 'webhook', { isRemoved: 1 }).select('id').execute()
  for (const { id } of removed) {
    const log = { table: 'webhookDelivery', key: ['seq'], where: sql`"webhookId" = ${id}` } as const
    await changeInBatches(database, log, stopping)
    if (stopping?.aborted) return
    await database.transaction((tx) => deleteWhere(tx, 'webhook', { id, isRemoved: 1 }).execute())
  }
}

declare module '../database/tables.ts' {
  interface Tables {
    webhook: Owned & {
      url: string
      name: string
      /** JSON array: which events; an empty one is all. */
      types: string
      inOrder: Flag
      /** Off, nothing is told and nothing delivered. */
      isActive: Flag
      /** It is nobody's any more, and goes once its log has. */
      isRemoved: Flag
      sealedSecret: string
      /** The secret before, and until when it signs, too. */
      formerSealed: string | null
      formerSecretUntil: string | null
      /** Attempts that failed in a row, and when it is tried next. */
      failures: number
      lookAt: string
      trouble: string | null
      failingSince: string | null
      fullSince: string | null
      leaseOwner: string | null
      leaseExpiresAt: string | null
      createdAt: string
    }
    webhookDelivery: {
      /** In the order in which what happened was written down. */
      seq: Generated<number>
      /** As the receiver knows it: the same at every place and attempt. */
      eventId: string
      webhookId: string
      /** Whom it is about, if anybody, also once that customer was erased. */
      customerId: string | null
      type: string
      /** JSON, as it is sent: ids, no content. */
      body: string
      status: DeliveryStatus
      attempts: number
      nextAttemptAt: string
      /** From when on it is tried, for three days. */
      queuedAt: string
      lastError: string | null
      createdAt: string
      finishedAt: string | null
    }
  }
}
