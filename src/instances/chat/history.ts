// The conversations as their customer reads them.
import {
  type ChatAtWork,
  type ChatConversation,
  type ChatExchange,
  type ChatHistory,
  type ChatHistoryQuery,
  ChatProgress
} from '../../../schemas/chat.ts'
import type { Instance } from '../../../schemas/instance.ts'
import type { ReadHandle } from '../../database/database.ts'
import { rowsWhere } from '../../database/known.ts'
import { conversationsOf, getConversation, type InstanceName } from './conversations.ts'
import { codeOf, failed, failureText, REASONS, resultOf } from './result.ts'
import { type ExchangeRow, filesOf } from './store.ts'

/** Characters of one page: a page of the longest replies would be 100 MB. One exchange fits whatever its length. */
const MAX_PAGE_LENGTH = 2_000_000

/**
 * The newest exchanges of a conversation, or those before a place in it; the oldest one first.
 * @throws ServiceError `conversation_not_found`
 */
export async function readHistory(
  db: ReadHandle,
  instance: InstanceName,
  { limit, before, conversation: asked }: ChatHistoryQuery
): Promise<ChatHistory> {
  const { id: conversationId, partnerId } = await getConversation(db, instance, asked)
  const thread = rowsWhere(db, 'chatExchange', { partnerId, conversationId })
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
  if (first === undefined) return { conversation: conversationId, exchanges: [], next: null }
  const rows = await thread.where('seq', '>=', first).selectAll().execute()
  const hasMore = lengths.some(({ seq }) => seq < first)
  return {
    conversation: conversationId,
    exchanges: rows.toReversed().map(toExchange),
    next: hasMore ? String(first) : null
  }
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
    files: filesOf(row),
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

/** The conversations in which anything was said that is still there, and the current one; the newest first. */
export async function listConversations(db: ReadHandle, instance: InstanceName): Promise<ChatConversation[]> {
  const rows = await conversationsOf(db, instance)
    .select(['id', 'createdAt'])
    .select(({ selectFrom }) => {
      const said = (from: 'asc' | 'desc') =>
        selectFrom('chatExchange')
          .whereRef('conversationId', '=', 'chatConversation.id')
          .orderBy('chatExchange.seq', from)
          .limit(1)
      return [
        said('asc')
          .select((eb) => eb.fn<string>('substr', ['message', eb.lit(1), eb.lit(READ_FOR_TITLE)]).as('start'))
          .as('start'),
        said('desc').select('chatExchange.createdAt').as('lastAt')
      ]
    })
    .execute()
  return rows
    .filter(({ lastAt }, place) => place === 0 || lastAt !== null)
    .map(({ id, createdAt, start, lastAt }, place) => ({
      id,
      title: titleOf(start ?? ''),
      createdAt,
      lastAt: lastAt ?? createdAt,
      isCurrent: place === 0
    }))
}

const MAX_TITLE_LENGTH = 80
/** A message may begin with much white space. */
const READ_FOR_TITLE = 1_000

/** Whole characters as readers see them. */
function titleOf(message: string): string {
  let title = ''
  for (const { segment } of new Intl.Segmenter().segment(message.trim().replaceAll(/\s+/g, ' '))) {
    if (title.length + segment.length > MAX_TITLE_LENGTH) break
    title += segment
  }
  return title.trimEnd()
}

/** Why the newest message that came to an end wasn't answered, for the partner; null where it was, or was the customer's own end. */
export async function lastTrouble(
  db: ReadHandle,
  { partnerId, id: instanceId }: { partnerId: string; id: string }
): Promise<Instance['lastTrouble']> {
  const row = await rowsWhere(db, 'chatExchange', { partnerId, instanceId })
    .where('state', 'in', ['answered', 'failed'])
    .select(['code', 'reason', 'words', 'answeredAt'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row?.code) return null
  const meaning = row.reason ? REASONS[row.reason].partner : failureText({ ...failed(row.code, true) })
  return { reason: row.reason, meaning, words: row.words ?? '', at: row.answeredAt ?? '' }
}

/** What of the customer's waits or is worked on, oldest first, and what is known of each. */
export async function messagesAtWork(db: ReadHandle, instance: InstanceName): Promise<ChatAtWork> {
  const { partnerId, id: instanceId } = instance
  const rows = await rowsWhere(db, 'chatExchange', { partnerId, instanceId, state: 'waiting' })
    .where('conversationId', 'in', conversationsOf(db, instance).select('id'))
    .select(['key', 'progress'])
    .orderBy('seq')
    .execute()
  return { exchanges: rows.map(({ key, progress }) => ({ key, progress: progressOf(progress) })) }
}

const progressOf = (json: string | null) => (json === null ? null : ChatProgress.parse(JSON.parse(json)))
