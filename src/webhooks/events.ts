// What is told of is written down in the transaction that does it, once for each place that wants it; one statement, which
// writes nothing for a partner without one.
import { sql } from 'kysely'
import type { z } from 'zod'
import type { EVENTS, EventType } from '../../schemas/webhook.ts'
import { now } from '../clock.ts'
import type { WriteHandle } from '../database/database.ts'
import { newId } from '../ids.ts'

/** What is told where these operations did something; other events are told where they happen. */
const TOLD_OF: Readonly<Record<string, EventType>> = {
  customer_onboard: 'customer.created',
  customer_create: 'customer.created',
  customer_update: 'customer.updated',
  customer_erase: 'customer.erased',
  customer_toggle_portal_block: 'portal_access.changed',
  team_member_add: 'team_member.invited',
  team_member_accept: 'team_member.accepted',
  team_member_remove: 'team_member.removed',
  voice_agent_map: 'voice_agent.mapped',
  voice_a_agent_map_customer: 'voice_agent.mapped',
  voice_b_agent_map_customer: 'voice_agent.mapped',
  voice_agent_unmap: 'voice_agent.unmapped',
  voice_a_agent_unmap_customer: 'voice_agent.unmapped',
  voice_b_agent_unmap_customer: 'voice_agent.unmapped',
  memory_forget: 'memory.forgotten',
  memory_forget_with_undo: 'memory.forgotten',
  memory_forget_undo: 'memory.written',
  memory_forget_mind: 'mind.forgotten'
}

const ID_OF = {
  team_member: 'teamMemberId',
  voice_agent: 'agentId',
  memory: 'memoryId',
  mind: 'mindId'
} as const

interface Act {
  partnerId: string | null
  action: string
  targetType: string
  targetId: string
  fields: readonly string[]
}

/** Tells of an act that was recorded, if it is one to tell of; `told` is what an event says beside ids. */
export async function tellOfAct(
  tx: WriteHandle,
  { partnerId, action, targetType, targetId, fields }: Act,
  customerId: string | null,
  told: object = {}
): Promise<void> {
  const type = TOLD_OF[action]
  if (!type || partnerId === null || customerId === null) return
  const id = targetType in ID_OF ? { [ID_OF[targetType as keyof typeof ID_OF]]: targetId } : {}
  const changed = type === 'customer.updated' ? { fields } : {}
  await writeEvent(tx, partnerId, type, { customerId, ...id, ...changed, ...told })
}

type DataOf<Type extends EventType> = z.input<(typeof EVENTS)[Type]['data']>

/** Tells of something that happened to a customer, after the commit, at least once. */
export const tell = <Type extends EventType>(
  tx: WriteHandle,
  partnerId: string,
  type: Type,
  data: DataOf<Type> & { customerId: string }
): Promise<void> => writeEvent(tx, partnerId, type, data)

/** Also where all that waited went with an erased customer: then nothing is delivered, after which one would see. */
const HAS_ROOM = sql`("fullSince" is null or not exists (select 1 from "webhookDelivery"
  where "webhookId" = "webhook"."id" and "status" = 'queued'))`

/** @param webhookId the only place that is told, whatever it wants */
export async function writeEvent(
  tx: WriteHandle,
  partnerId: string,
  type: EventType,
  data: { customerId?: string },
  webhookId?: string
): Promise<void> {
  const timestamp = now()
  const body = JSON.stringify({ type, timestamp, data })
  const wants =
    webhookId === undefined
      ? sql`"isActive" = 1 and ${HAS_ROOM} and ("types" = '[]' or "types" like ${`%"${type}"%`})`
      : sql`"id" = ${webhookId}`
  await sql`insert into "webhookDelivery" ("eventId", "webhookId", "customerId", "type", "body", "status", "attempts",
      "nextAttemptAt", "queuedAt", "createdAt")
    select ${newId('evt')}, "id", ${data.customerId ?? null}, ${type}, ${body}, 'queued', 0, ${timestamp}, ${timestamp}, ${timestamp}
    from "webhook" where "partnerId" = ${partnerId} and ${wants}`.execute(tx)
}
