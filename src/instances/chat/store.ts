// An instance has one customer, so what is said to its agent is that customer's.
import { sql } from 'kysely'
import { z } from 'zod'
import { type ChatFailure, ChatFile, type ChatReason, type ChatState } from '../../../schemas/chat.ts'
import { fromNow, now } from '../../clock.ts'
import type { ReadHandle, WriteHandle } from '../../database/database.ts'
import { changeWhere, deleteWhere, rowsWhere } from '../../database/known.ts'
import { countOf } from '../../database/page.ts'
import type { Flag, Tables } from '../../database/tables.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { THIS_PROCESS } from '../../jobs/owner.ts'
import { conversationsOf, currentOf, type InstanceName, keepSession, nextSeq } from './conversations.ts'
import { type ChatResult, codeOf } from './result.ts'
import { takeUploads } from './uploads.ts'

export type ExchangeRow = Tables['chatExchange']

export interface Sent {
  key: string | undefined
  message: string
  /** Ids of what came for it before. */
  files?: string[]
  /** Whether it begins a new conversation. */
  isNew?: boolean
  audit?(tx: WriteHandle): Promise<void>
}

/**
 * Adds the message at the end of the current conversation, or finds it where its key is known already. One that surely never began
 * takes its new place and waits again.
 * @throws ServiceError `idempotency_conflict` when the key came with another message or other files, `invalid_input`
 */
export async function claimExchange(
  tx: WriteHandle,
  instance: InstanceName,
  sent: Sent & { model: string; timeoutMs: number }
) {
  const { partnerId, id: instanceId } = instance
  const { key, message, files: ids = [], model, timeoutMs } = sent
  // First of all, for its lock: on PostgreSQL a second process waits here, and then sees what the first one wrote.
  const seq = await nextSeq(tx, partnerId, instanceId)
  const known = key === undefined ? undefined : await findExchange(tx, partnerId, instanceId, key)
  if (known && (known.message !== message || cameWith(known) !== ids.join())) {
    const text =
      'This Idempotency-Key was already used with another message. Send a new key for a new message.'
    throw new ServiceError('idempotency_conflict', text, { field: 'Idempotency-Key' })
  }
  if (known && !(known.state === 'failed' && known.hasStarted === 0))
    return { exchange: known, sessionId: null, isMine: false }
  // One that is sent again has its new conversation already.
  const { id: conversationId, sessionId } = await currentOf(tx, instance, !known && sent.isNew)
  await sent.audit?.(tx)
  const files = known ? filesOf(known) : await takeUploads(tx, instance, ids)
  await refuseTooMany(tx, partnerId)
  const waiting = {
    conversationId,
    seq,
    model,
    state: 'waiting',
    code: null,
    hasStarted: null,
    createdAt: now(),
    deadlineAt: fromNow(timeoutMs),
    leaseOwner: THIS_PROCESS,
    leaseExpiresAt: fromNow(LEASE_MS),
    progress: null,
    reason: null,
    words: null,
    cancelRequestedAt: null,
    answeredAt: null
  } as const
  if (!known) await makeRoom(tx, instanceId)
  const id = newId('chx')
  const added = {
    ...waiting,
    id,
    partnerId,
    instanceId,
    key: key ?? id,
    message,
    files: JSON.stringify(files)
  }
  const claiming = known
    ? changeWhere(tx, 'chatExchange', { id: known.id }).set(waiting).returningAll()
    : tx.insertInto('chatExchange').values(added).returningAll()
  return { exchange: await claiming.executeTakeFirstOrThrow(), sessionId, isMine: true }
}

export const filesOf = ({ files }: ExchangeRow): ChatFile[] => z.array(ChatFile).parse(JSON.parse(files))

const cameWith = (exchange: ExchangeRow): string =>
  filesOf(exchange)
    .map(({ id }) => id)
    .join()

/** How long a process that says nothing is believed to be at work on its messages. */
export const LEASE_MS = 12_000

/** Messages of one partner's customers that wait or are worked on: each may hold a session of SSH for as long as it takes. */
export const MOST_AT_WORK_OF_PARTNER = 200

async function refuseTooMany(tx: WriteHandle, partnerId: string): Promise<void> {
  const atWork = await countOf(rowsWhere(tx, 'chatExchange', { partnerId, state: 'waiting' }))
  if (atWork < MOST_AT_WORK_OF_PARTNER) return
  const text = 'Too many agents are at work for this portal. Try again in a moment.'
  throw new ServiceError('rate_limited', text, { retryAfterSeconds: 30 })
}

/** What an instance holds over all conversations, in messages with their replies and in bytes of UTF-8. */
const MAX_EXCHANGES = 2_000
const MAX_BYTES = 20_000_000
/** What goes for one message, so that the lock isn't held for long: more than a message and its reply bring. */
const DROPPED_EXCHANGES = 100
const DROPPED_BYTES = 2_000_000

/** As the index chatExchangeSize has it, from which SQLite sums 2,000 of them in 0.3 ms. */
const BYTES = sql<number>`octet_length("message") + coalesce(octet_length("reply"), 0)`

async function makeRoom(tx: WriteHandle, instanceId: string): Promise<void> {
  const thread = rowsWhere(tx, 'chatExchange', { instanceId })
  const held = await thread
    .select((eb) => [eb.fn.countAll<number>().as('exchanges'), eb.fn.sum<number | null>(BYTES).as('bytes')])
    .executeTakeFirstOrThrow()
  let tooMany = held.exchanges - MAX_EXCHANGES + 1
  let tooLarge = Math.min((held.bytes ?? 0) - MAX_BYTES, DROPPED_BYTES)
  if (tooMany <= 0 && tooLarge <= 0) return
  const oldest = await thread
    .where('state', '<>', 'waiting')
    .select(['id', BYTES.as('bytes')])
    .orderBy('seq')
    .limit(DROPPED_EXCHANGES)
    .execute()
  for (const { id, bytes } of oldest) {
    if (tooMany <= 0 && tooLarge <= 0) return
    await deleteWhere(tx, 'chatExchange', { id }).execute()
    tooMany -= 1
    tooLarge -= bytes
  }
}

export const findExchange = (db: ReadHandle, partnerId: string, instanceId: string, key: string) =>
  rowsWhere(db, 'chatExchange', { partnerId, instanceId, key }).selectAll().executeTakeFirst()

/**
 * Writes down what became of it, unless another process has. An agent that doesn't say what its thread is called is still
 * on the same one.
 */
export async function finishExchange(
  tx: WriteHandle,
  exchange: ExchangeRow,
  result: ChatResult
): Promise<ChatResult> {
  const { id, partnerId, conversationId } = exchange
  const finished =
    result.state === 'answered'
      ? { ...result, sessionId: (await keepSession(tx, partnerId, conversationId, result.sessionId)) ?? id }
      : result
  await changeWhere(tx, 'chatExchange', { partnerId, id, state: 'waiting' })
    .set({ ...columnsOf(finished), ...withFiles(exchange, finished), answeredAt: now() })
    .execute()
  return finished
}

const withFiles = (exchange: ExchangeRow, result: ChatResult) =>
  result.state === 'answered' && result.files
    ? { files: JSON.stringify([...filesOf(exchange), ...result.files]) }
    : {}

const columnsOf = (result: ChatResult) => ({
  state: result.state,
  leaseOwner: null,
  leaseExpiresAt: null,
  progress: null,
  reason: (result.state !== 'answered' && result.reason) || null,
  words: (result.state !== 'answered' && result.words) || null,
  reply: result.state === 'answered' ? result.reply : null,
  sessionId: result.state === 'answered' ? result.sessionId : null,
  code: codeOf(result),
  hasStarted: result.hasStarted ? (1 as const) : (0 as const)
})

/** Asks whoever works on the customer's exchange to stop; that, if it still waits or was stopped before. */
export const requestCancel = (tx: WriteHandle, instance: InstanceName, key: string) =>
  changeWhere(tx, 'chatExchange', { partnerId: instance.partnerId, instanceId: instance.id, key })
    .set((eb) => ({ cancelRequestedAt: eb.fn.coalesce('cancelRequestedAt', eb.val(now())) }))
    .where('conversationId', 'in', conversationsOf(tx, instance).select('id'))
    .where('state', 'in', ['waiting', 'cancelled'])
    .returningAll()
    .executeTakeFirst()

export async function isCancelRequested(db: ReadHandle, { partnerId, id }: ExchangeRow): Promise<boolean> {
  const row = await rowsWhere(db, 'chatExchange', { partnerId, id })
    .where('cancelRequestedAt', 'is not', null)
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}

declare module '../../database/tables.ts' {
  interface Tables {
    /** A message, and what became of it. */
    chatExchange: {
      id: string
      partnerId: string
      instanceId: string
      /** The one that was current when it came, or came again. */
      conversationId: string
      /** Its place in the thread: messages of one millisecond keep their order. */
      seq: number
      /** The client's Idempotency-Key, or the exchange's own id. */
      key: string
      message: string
      /** JSON of ChatFile[]: what came with it, and with the reply. */
      files: string
      state: ChatState
      reply: string | null
      code: ChatFailure | 'cancelled' | null
      /** Whether the agent may have begun to work on it; null while it waits. */
      hasStarted: Flag | null
      sessionId: string | null
      model: string
      createdAt: string
      /** When it has ended, whoever works on it. */
      deadlineAt: string
      leaseOwner: string | null
      leaseExpiresAt: string | null
      /** JSON of ChatProgress while it waits. */
      progress: string | null
      reason: ChatReason | null
      /** The agent's own last words of a run that failed, without secrets; the partner's to read. */
      words: string | null
      cancelRequestedAt: string | null
      answeredAt: string | null
    }
  }
}
