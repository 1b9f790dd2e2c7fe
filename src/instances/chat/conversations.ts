// An instance's conversations; the newest one is its customer's current one. To the agent each is a thread of its own,
// by its id on the server; the first is named as the instance and comes with it. The partner has its own.

import { now } from '../../clock.ts'
import type { ReadHandle, WriteHandle } from '../../database/database.ts'
import { changeWhere, deleteWhere, rowsWhere } from '../../database/known.ts'
import type { Flag, Tables } from '../../database/tables.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../ids.ts'

/** Conversations are meant of its customer, unless told that those of its partner are, which no customer sees. */
export type InstanceName = Pick<Tables['instance'], 'partnerId' | 'id'> & { isPartners?: Flag }

/** The newest first. */
export const conversationsOf = (db: ReadHandle, { partnerId, id, isPartners = 0 }: InstanceName) =>
  rowsWhere(db, 'chatConversation', { partnerId, instanceId: id, isPartners }).orderBy('seq', 'desc')

/**
 * The conversation of that id, else the current one.
 * @throws ServiceError `conversation_not_found`, for another instance's as for none
 */
export async function getConversation(db: ReadHandle, instance: InstanceName, id?: string) {
  const found = await findConversation(db, instance, id)
  if (found) return found
  throw new ServiceError('conversation_not_found')
}

const findConversation = (db: ReadHandle, instance: InstanceName, id?: string) =>
  conversationsOf(db, instance)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .selectAll()
    .limit(1)
    .executeTakeFirst()

/** The current one; another where there is none yet, or a new one is wanted. */
export const currentOf = async (tx: WriteHandle, instance: InstanceName, isNew?: boolean) =>
  (isNew ? undefined : await findConversation(tx, instance)) ?? beginConversation(tx, instance)

/** What an instance keeps: the oldest go, and what was said in them. */
const MAX_CONVERSATIONS = 100

/** Begins a conversation, from then on the current one; or answers that, where nothing was said in it yet. */
export async function beginConversation(tx: WriteHandle, instance: InstanceName) {
  const { partnerId, id: instanceId, isPartners = 0 } = instance
  const seq = await nextSeq(tx, partnerId, instanceId)
  const current = await findConversation(tx, instance)
  const said = rowsWhere(tx, 'chatExchange', { conversationId: current?.id ?? '' })
  // With a session and no message its messages grew too old, and the agent knows them still.
  if (current?.sessionId === null && !(await said.select('id').limit(1).executeTakeFirst())) return current
  const kept = conversationsOf(tx, instance)
    .select('id')
    .limit(MAX_CONVERSATIONS - 1)
  const waiting = rowsWhere(tx, 'chatExchange', { instanceId, state: 'waiting' })
  await deleteWhere(tx, 'chatConversation', { partnerId, instanceId, isPartners })
    .where('id', 'not in', kept)
    .where('id', 'not in', waiting.select('conversationId'))
    .execute()
  return tx
    .insertInto('chatConversation')
    .values({ id: newId('cnv'), partnerId, instanceId, createdAt: now(), seq, sessionId: null, isPartners })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The next place; on PostgreSQL whoever takes one for the same instance waits until this transaction ends. */
export async function nextSeq(tx: WriteHandle, partnerId: string, instanceId: string): Promise<number> {
  const { lastSeq } = await tx
    .insertInto('chatThread')
    .values({ instanceId, partnerId, lastSeq: 1, uploads: '[]' })
    .onConflict((conflict) =>
      conflict.column('instanceId').doUpdateSet((eb) => ({ lastSeq: eb('chatThread.lastSeq', '+', 1) }))
    )
    .returning('lastSeq')
    .executeTakeFirstOrThrow()
  return lastSeq
}

/** What the agent calls the conversation, now that it has said so, if it has. */
export async function keepSession(tx: WriteHandle, partnerId: string, id: string, told: string) {
  const kept = await changeWhere(tx, 'chatConversation', { partnerId, id })
    .set((eb) => ({ sessionId: told || eb.ref('sessionId') }))
    .returning('sessionId')
    .executeTakeFirst()
  return kept?.sessionId ?? (told || null)
}

declare module '../../database/tables.ts' {
  interface Tables {
    /** One for each instance that was ever written to. */
    chatThread: {
      instanceId: string
      partnerId: string
      lastSeq: number
      /** JSON: the newest files that came for the agent. */
      uploads: string
    }
    chatConversation: {
      id: string
      partnerId: string
      instanceId: string
      createdAt: string
      /** Its place among the instance's messages, before its own ones. */
      seq: number
      /** What the agent last called its session. */
      sessionId: string | null
      isPartners: Flag
    }
  }
}
