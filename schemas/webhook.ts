// Events that a partner's own software is told of, by the Standard Webhooks specification, and where they go.
import { z } from 'zod'
import { DAYS, PageQuery, pageOf } from './envelope.ts'
import { createdAt, optionalName, RecordId, StoredTimestamp, said, setOf, told } from './primitives.ts'

const customerId = told.text('The customer’s id.', 'cus_4k9v2m7x1q8t3w6z0b5n')
const fields = said(z.array(z.string()), 'Names of the fields that changed.', ['companyName'])
const teamMemberId = told.text('The team member’s id.')
const instanceId = told.text('The server’s id.')
const statementId = told.text('The statement’s id.')
const memoryId = told.text('The memory’s id.')
const agent = { agentId: told.text('The agent’s id at its provider.'), provider: told.text('`a` or `b`.') }
const deploy = { instanceId, deployId: told.text('The deploy’s id.') }

const event = <Shape extends z.ZodRawShape>(meaning: string, shape: Shape) => ({
  meaning,
  data: z.object({ customerId, ...shape })
})

/** What is told, with ids and no more: who wants the rest asks for it as it is by then. */
export const EVENTS = {
  'customer.created': event('A customer was onboarded or created.', {}),
  'customer.updated': event('A customer’s record was changed.', { fields }),
  'customer.erased': event('A customer was erased. Nothing else is told of it from then on.', {}),
  'portal_access.changed': event('Portal access was opened, blocked or granted again.', {
    status: told.text('`active` or `suspended`.')
  }),
  'team_member.invited': event('Somebody was invited to a customer’s team.', { teamMemberId }),
  'team_member.accepted': event('Somebody accepted the invite to a customer’s team.', { teamMemberId }),
  'team_member.removed': event('Somebody was removed from a customer’s team.', { teamMemberId }),
  'voice_agent.mapped': event('A voice agent was mapped to a customer, or its terms changed.', agent),
  'voice_agent.unmapped': event('A voice agent was taken from a customer.', agent),
  'credits.low': event('A customer’s credits fell below its threshold, where notices of that are on.', {
    balance: told.text('Credits that are left.', '9.5')
  }),
  'memory.written': event('A memory was stored; imports of the operator’s are not told.', {
    mindId: told.text('The Mind’s id.'),
    memoryId
  }),
  'memory.forgotten': event('A memory was deleted.', { memoryId }),
  'mind.forgotten': event('A Mind was deleted with all memories in it.', {
    mindId: told.text('The Mind’s id.')
  }),
  'deploy.succeeded': event('An agent was deployed on a server, or changed there.', deploy),
  'deploy.failed': event('A deploy didn’t get through.', deploy),
  'statement.closed': event('A month’s usage was closed: its statement has a number and takes no lines.', {
    statementId
  }),
  'statement.billed': event('A statement was marked as billed.', { statementId }),
  'statement.voided': event('A statement was taken back.', { statementId }),
  'webhook.test': { meaning: 'You asked for a test.', data: z.object({}) }
}

export type EventType = keyof typeof EVENTS
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[]

/** The body of a delivery. */
export const eventOf = (type: EventType) =>
  z.object({
    type: said(z.literal(type), 'What happened.'),
    timestamp: told.time('When it happened.', '2026-01-15T10:00:00.000Z'),
    data: EVENTS[type].data
  })

const ENDPOINT = {
  url: said(z.url({ protocol: /^https?$/, hostname: /./ }).max(500), 'Where events are sent to.', undefined, {
    label: 'Address',
    help: 'Your own program’s, over HTTPS: events are sent to it by POST.'
  }),
  name: said(optionalName(100), 'What you call it.', undefined, { label: 'Name' }),
  types: said(
    setOf(z.enum(EVENT_TYPES), EVENT_TYPES.length),
    'Which events; none is all of them.',
    undefined,
    {
      label: 'Events',
      help: 'Tick none to be told of all, later kinds too.'
    }
  ),
  inOrder: said(z.boolean(), 'Whether each customer’s events come in order.', undefined, {
    label: 'Each customer’s events in order',
    help: 'One that your program doesn’t take holds up that customer’s others, for three days at most.'
  })
}

export const AddWebhook = z.strictObject({
  ...ENDPOINT,
  name: ENDPOINT.name.default(''),
  types: ENDPOINT.types.default([]),
  inOrder: ENDPOINT.inOrder.default(false)
})

export const WebhookPath = z.strictObject({ webhookId: RecordId })

export const UpdateWebhook = WebhookPath.extend({
  ...z.object(ENDPOINT).partial().shape,
  isActive: z.boolean().optional()
})

export const Webhook = z.object({
  webhookId: z.string(),
  url: z.string(),
  name: z.string(),
  types: z.array(z.string()),
  inOrder: z.boolean(),
  isActive: z.boolean(),
  /** Why the last attempt failed; null after one that didn't. */
  trouble: z.string().nullable(),
  failingSince: StoredTimestamp.nullable(),
  /** Since when too much waits: events after that are lost to it. */
  fullSince: StoredTimestamp.nullable(),
  /** Until when deliveries are signed with the secret before, too. */
  formerSecretUntil: StoredTimestamp.nullable(),
  createdAt
})
export type Webhook = z.output<typeof Webhook>
export const WebhookList = z.object({ data: z.array(Webhook) })

/** `secret` is there once: null where the same request is answered again. */
export const WebhookSecret = z.object({
  message: z.string(),
  webhookId: z.string(),
  secret: z.string().nullable()
})

export const DeliveryStatus = z.enum(['queued', 'sent', 'failed'])
export type DeliveryStatus = z.output<typeof DeliveryStatus>

export const ListDeliveries = PageQuery.extend({
  webhookId: RecordId,
  status: DeliveryStatus.optional(),
  type: z.enum(EVENT_TYPES).optional(),
  ...DAYS
})

export const Delivery = z.object({
  eventId: z.string(),
  type: z.string(),
  customerId: z.string().nullable(),
  status: DeliveryStatus,
  attempts: z.int(),
  lastError: z.string().nullable(),
  body: z.string(),
  nextAttemptAt: StoredTimestamp,
  createdAt,
  finishedAt: StoredTimestamp.nullable()
})
export type Delivery = z.output<typeof Delivery>
export const DeliveryPage = pageOf(Delivery)

/** Without an event all that was given up. */
export const DeliveryPath = WebhookPath.extend({ eventId: RecordId.optional() })
