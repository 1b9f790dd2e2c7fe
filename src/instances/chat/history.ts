// The thread as its customer reads it.
import { type ChatAtWork, type ChatExchange, type ChatHistory, ChatProgress } from '../../../schemas/chat.ts'
import type { ReadHandle } from '../../database/database.ts'
import { known } from '../../database/known.ts'
import { codeOf, resultOf } from './result.ts'
import type { ExchangeRow } from './store.ts'

/** Characters of one page: a page of the longest replies would be 100 MB. One exchange fits whatever its length. */
const MAX_PAGE_LENGTH = 2_000_000

/** The newest exchanges of the thread, or those before a place in it; the oldest one first. */
export async function readHistory(
  db: ReadHandle,
  { partnerId, id: instanceId }: { partnerId: string; id: string },
  { limit, before }: { limit: number; before?: number | undefined }
): Promise<ChatHistory> {
  const thread = db
    .selectFrom('chatExchange')
    .where((eb) => eb.and(known({ partnerId, instanceId })))
    .$if(before !== undefined, (query) => query.where('seq', '<', before ?? 0))
    .orderBy('seq', 'desc')
  const lengths = await thread
    .select((eb) => [
      'seq',
      eb(
        eb.fn<number>('length', ['message']),
        '+',
        eb.fn.coalesce(eb.fn<number>('length', ['reply']), eb.lit(0))
      ).as('length')
    ])
    .limit(limit + 1)
    .execute()
  const first = firstOfPage(lengths, limit)
  if (first === undefined) return { exchanges: [], next: null }
  const rows = await thread.where('seq', '>=', first).selectAll().execute()
  const hasMore = lengths.some(({ seq }) => seq < first)
  return { exchanges: rows.toReversed().map(toExchange), next: hasMore ? String(first) : null }
}

function firstOfPage(newestFirst: readonly { seq: number; length: number }[], limit: number) {
  let first: number | undefined
  let total = 0
  for (const { seq, length } of newestFirst.slice(0, limit)) {
    total += length
    if (first !== undefined && total > MAX_PAGE_LENGTH) break
    first = seq
  }
  return first
}

function toExchange(row: ExchangeRow): ChatExchange {
  const { id, key, message, reply, reason, sessionId, model, createdAt, answeredAt } = row
  const result = resultOf(row)
  return {
    id,
    key,
    message,
    reply,
    reason,
    progress: progressOf(row.progress),
    sessionId,
    model,
    createdAt,
    answeredAt,
    state: result?.state ?? 'waiting',
    code: result ? codeOf(result) : null,
    hasStarted: result?.hasStarted ?? null
  }
}

/** What of the thread waits or is worked on, oldest first, and what is known of each. */
export async function messagesAtWork(
  db: ReadHandle,
  { partnerId, id: instanceId }: { partnerId: string; id: string }
): Promise<ChatAtWork> {
  const rows = await db
    .selectFrom('chatExchange')
    .where((eb) => eb.and(known({ partnerId, instanceId })))
    .where('state', '=', 'waiting')
    .select(['key', 'progress'])
    .orderBy('seq')
    .execute()
  return { exchanges: rows.map(({ key, progress }) => ({ key, progress: progressOf(progress) })) }
}

const progressOf = (json: string | null) => (json === null ? null : ChatProgress.parse(JSON.parse(json)))
