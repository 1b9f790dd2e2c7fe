// Calls one by one: the newest a page at a time, and all of them in pages that go on where the one before ended.
import { type ExpressionBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { paginate } from '../../schemas/envelope.ts'
import type { ExportCalls, ListCalls } from '../../schemas/usage.ts'
import { getCustomer } from '../customers/store.ts'
import type { ReadHandle } from '../database/database.ts'
import { countOf } from '../database/page.ts'
import type { Flag, Tables } from '../database/tables.ts'
import { fromMicros } from '../money.ts'
import { isAgentOf } from '../voice-agents/store.ts'
import { boundsOf, type Sight } from './span.ts'

/** Lists reach so far back from their end: nobody turns more pages, and a million calls are not counted for each. */
export const REACH = 10_000

/** @throws ServiceError `customer_not_found` */
export async function pageOfCalls(
  db: ReadHandle,
  sight: Sight,
  { page, limit, ...asked }: z.output<typeof ListCalls>
) {
  const newest = (await callsOf(db, sight, asked))
    .select(['call.id', 'call.endedAt'])
    .orderBy('call.endedAt', 'desc')
    .orderBy('call.id', 'desc')
    .limit(REACH)
  const pagination = paginate(page, limit, await countOf(db.selectFrom(newest.as('call'))))
  const [start, end] = [(page - 1) * limit, Math.min(page * limit, REACH)]
  const ids =
    start < end
      ? await newest
          .offset(start)
          .limit(end - start)
          .execute()
      : []
  return { data: await callsAt(db, sight, ids), pagination }
}

const PAGE = 500

/** @throws ServiceError `customer_not_found` */
export async function exportPage(
  db: ReadHandle,
  sight: Sight,
  { cursor = '', ...asked }: z.output<typeof ExportCalls>
) {
  const [endedAt = '', id = ''] = cursor.split(' ')
  const rows = await (await callsOf(db, sight, asked))
    .where('call.endedAt', '>=', endedAt)
    .where((eb) => eb.or([eb('call.endedAt', '>', endedAt), eb('call.id', '>', id)]))
    .select(['call.id', 'call.endedAt'])
    .orderBy('call.endedAt')
    .orderBy('call.id')
    .limit(PAGE)
    .execute()
  const last = rows.length === PAGE ? rows.at(-1) : undefined
  return { calls: await callsAt(db, sight, rows), nextCursor: last ? `${last.endedAt} ${last.id}` : null }
}

/** How many an export will have. */
export const countCalls = async (db: ReadHandle, sight: Sight, asked: Asked): Promise<number> =>
  countOf(await callsOf(db, sight, asked))

type Asked = Pick<z.output<typeof ListCalls>, 'customerId' | 'isUnattributed' | 'from' | 'to'>

async function callsOf(
  db: ReadHandle,
  { partnerId, timeZone }: Sight,
  { customerId: reference, isUnattributed, ...span }: Asked
) {
  const { since, until } = boundsOf(span, timeZone)
  let calls = db.selectFrom('call')
  if (reference === undefined) {
    calls = calls.where('call.partnerId', '=', partnerId)
    // A customer that was erased is gone, also while a worker still deletes its calls.
    if (!isUnattributed && (await isErasing(db, partnerId)))
      calls = calls.where((eb) => eb.or([eb('call.customerId', 'is', null), isThere(eb)]))
  } else {
    // By the customer alone, which is the partner's: of two indexes SQLite could take the longer way.
    calls = calls.where('call.customerId', '=', (await getCustomer(db, partnerId, reference)).id)
  }
  if (isUnattributed !== undefined)
    calls = calls.where('call.customerId', isUnattributed ? 'is' : 'is not', null)
  if (since) calls = calls.where('call.endedAt', '>=', since)
  return until ? calls.where('call.endedAt', '<', until) : calls
}

const isErasing = (db: ReadHandle, partnerId: string) =>
  db
    .selectFrom('customerContent')
    // Written out: SQLite takes the partial index only where it reads the same condition.
    .where('isErased', '=', sql.lit<Flag>(1))
    .where('partnerId', '=', partnerId)
    .select('id')
    .executeTakeFirst()

const isThere = (eb: ExpressionBuilder<Tables, 'call'>) =>
  eb.exists(eb.selectFrom('customer').whereRef('customer.id', '=', 'call.customerId').select('customer.id'))

const OUTCOME_LENGTH = 200

/** Those calls of the partner's as they are shown, in that order. */
async function callsAt(db: ReadHandle, sight: Sight, found: readonly { id: string }[]) {
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('call')
    .leftJoin('voiceAgent', (join) => join.on(isAgentOf('call')))
    // By nothing else: for an order or their partner SQLite would go through all of the partner's.
    .where('call.id', 'in', ids)
    .select(['call.id', 'call.provider', 'call.customerId', 'startedAt', 'endedAt', 'durationMs', 'outcome'])
    .select(['call.agentId', 'voiceAgent.name', 'costMicros', 'chargeMicros', 'call.multiplierMicros'])
    .select('recordingUrl')
    .execute()
  const shown = new Map(
    rows.map(({ agentId, name, durationMs, costMicros, chargeMicros, multiplierMicros, ...row }) => [
      row.id,
      {
        ...row,
        agent: agentOf(agentId, name),
        durationSeconds: durationMs / 1_000,
        outcome: row.outcome.slice(0, OUTCOME_LENGTH).toWellFormed(),
        charge: amountOf(chargeMicros) ?? null,
        currency: sight.currency,
        isPending: costMicros === null,
        cost: sight.showsCosts ? amountOf(costMicros) : undefined,
        multiplier: sight.isPartner ? amountOf(multiplierMicros) : undefined,
        recordingUrl: sight.showsRecordings ? webAddress(row.recordingUrl) : undefined
      }
    ])
  )
  return ids.flatMap((id) => shown.get(id) ?? [])
}

export const amountOf = (micros: number | null) => (micros === null ? undefined : fromMicros(micros))

/** What a provider tells is somebody's text: no link of ours leads to a script. */
const webAddress = (url: string | null) => (url && /^https?:\/\//i.test(url) ? url : undefined)

/** By its id where it was never listed. */
export const agentOf = (id: string | null, name: string | null) =>
  id === null ? null : { id, name: name ?? id }
