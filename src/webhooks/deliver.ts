// Delivers what waits: one process at a time for each place, some requests at once, and each customer's in order where that
// is promised. At least once: twice where a process ended, or lost the database, between the receiver's yes and our mark.
import pLimit from 'p-limit'
import { Webhook as Signer } from 'standardwebhooks'
import { DAY_MS, fromNow, HOUR_MS, MINUTE_MS, now } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { changeWhere } from '../database/known.ts'
import { insist } from '../jobs/insist.ts'
import type { Lease } from '../jobs/leases.ts'
import { createQueue } from '../jobs/queue.ts'
import type { Log } from '../log.ts'
import { AddressError } from '../net/addresses.ts'
import { type Backoff, backoffMs } from '../net/backoff.ts'
import { secondsOf, UpstreamError } from '../net/fetch-json.ts'
import { fetchForeign } from '../net/foreign-document.ts'
import type { Secrets } from '../secrets.ts'
import { tally } from '../tally.ts'
import {
  type DeliveryRow,
  dueDeliveries,
  firstWaiting,
  holdBack,
  isAnyBehind,
  noteAttempt,
  type WebhookRow,
  webhookContext
} from './store.ts'

interface Context {
  config: Config
  database: Database
  secrets: Secrets
  log: Log
}

const LOOK_MS = 1_000
/** Requests under way to one place. */
const AT_ONCE = 8
const BATCH = 200
/** Then the next place has its turn. */
const TURN_MS = 5_000
const TIMEOUT_MS = 15_000
/** So many failures in a row are a place that is away: it rests as a whole, and nothing that waits loses an attempt. */
const AWAY_AFTER = 10
/** The first time a fifth of what a delivery waits. */
const restOf = ({ webhookRetryMs }: Config): Backoff => ({
  firstMs: webhookRetryMs / 5,
  longestMs: 5 * MINUTE_MS
})
const TRIED_FOR_MS = 3 * DAY_MS
export const LONGEST_WAIT_MS = 6 * HOUR_MS
/** More doesn't wait for one place: what happens meanwhile isn't told to it. */
const MOST_WAITING = 50_000

export function createWebhooks(ctx: Context) {
  const queue = createQueue(ctx, {
    ...{ table: 'webhook', concurrency: 16, ofPartner: 2, leaseMs: MINUTE_MS, isRenewed: true },
    ...{ lookMs: Math.min(LOOK_MS, ctx.config.webhookRetryMs), stopGraceMs: TIMEOUT_MS },
    messages: { take: 'webhooks could not be looked for', perform: 'webhooks could not be delivered' }
  })
  return { ...queue, start: () => queue.start((lease) => takeTurn(ctx, lease)) }
}

interface Turn extends Context {
  row: WebhookRow
  lease: Lease<'webhook'>
  end: number
  /** Attempts that failed in a row, before this turn, too. */
  failures: number
  trouble: string | null
  /** Its owner has taken it away. */
  isGone: boolean
}

async function takeTurn(ctx: Context, lease: Lease<'webhook'>): Promise<void> {
  const { database } = ctx
  const { row } = lease
  const { failures, trouble } = row
  const turn: Turn = { ...ctx, row, lease, end: Date.now() + TURN_MS, failures, trouble, isGone: false }
  // One that is away is asked once, with the newest: what is never taken would come up again each time, and hold up the rest.
  const isAway = () => turn.failures >= AWAY_AFTER
  const atOnce = pLimit(isAway() ? 1 : AT_ONCE)
  while (goesOn(turn)) {
    const some = isAway() ? { limit: 1, isNewest: true } : { limit: BATCH }
    const due = await dueDeliveries(database.read, row, some)
    if (due.length === 0) break
    await Promise.all(
      due.map(async (delivery) => {
        const { customerId } = delivery
        if (row.inOrder === 0 || customerId === null)
          await atOnce(() => (goesOn(turn) ? deliver(turn, delivery) : undefined))
        // Each of a customer's takes its place anew, behind those of others that wait for one.
        else while (await atOnce(() => deliverFirst(turn, customerId)));
      })
    )
  }
  await insist(() => endTurn(turn), insisting(turn))
}

const goesOn = ({ lease, end, failures, row, isGone }: Turn): boolean =>
  !(lease.signal.aborted || isGone || Date.now() >= end) &&
  (failures < AWAY_AFTER || failures === row.failures)

const insisting = ({ lease, log, row }: Turn) => ({
  signal: lease.signal,
  onError: (error: unknown) => log.warn('a webhook’s state could not be kept', { webhookId: row.id, error })
})

async function endTurn({ config, database, row, failures, trouble, isGone }: Turn): Promise<void> {
  // Half of it has gone before more is taken.
  const most = row.fullSince === null ? MOST_WAITING : MOST_WAITING / 2
  const isFull = await isAnyBehind(database.read, row.id, most)
  const restMs = failures < AWAY_AFTER ? 0 : backoffMs(restOf(config), failures - AWAY_AFTER)
  const state = {
    ...{ failures, trouble, lookAt: fromNow(restMs) },
    failingSince: failures === 0 ? null : (row.failingSince ?? now()),
    fullSince: isFull ? (row.fullSince ?? now()) : null,
    ...(isGone ? { isActive: 0 as const } : {})
  }
  const held = { id: row.id, leaseOwner: row.leaseOwner }
  const free = { leaseOwner: null, leaseExpiresAt: null }
  await database.transaction(async (tx) => {
    const asTaken = changeWhere(tx, 'webhook', { ...held, lookAt: row.lookAt }).set({ ...state, ...free })
    const { numUpdatedRows } = await asTaken.executeTakeFirst()
    // Its owner has changed it meanwhile: what came of it as it was says nothing of it, and it is tried at once.
    if (numUpdatedRows === 0n) await changeWhere(tx, 'webhook', held).set(free).execute()
  }, row.partnerId)
}

/** The first that waits of a customer's, and whether the next may follow: one that fails holds up the others. */
async function deliverFirst(turn: Turn, customerId: string): Promise<boolean> {
  const { database, row } = turn
  const first = goesOn(turn) ? await firstWaiting(database.read, row.id, customerId) : undefined
  if (!first) return false
  const isDue = first.nextAttemptAt <= now()
  const nextAttemptAt = isDue ? await deliver(turn, first) : first.nextAttemptAt
  if (nextAttemptAt === undefined) return true
  const hold = () =>
    database.transaction((tx) => holdBack(tx, row.id, customerId, nextAttemptAt), row.partnerId)
  await insist(hold, insisting(turn))
  return false
}

/** Tries once and notes how it went; when it is tried again, if it is. */
async function deliver(turn: Turn, delivery: DeliveryRow): Promise<string | undefined> {
  const { config, database, row } = turn
  const fault = await attempt(turn, delivery)
  if (fault === 'interrupted') return undefined
  const attempts = delivery.attempts + 1
  turn.failures = fault ? turn.failures + 1 : 0
  turn.trouble = fault?.words ?? null
  if (fault?.isGone) turn.isGone = true
  const retry = { firstMs: config.webhookRetryMs, longestMs: LONGEST_WAIT_MS }
  const waitMs = backoffMs(retry, attempts - 1, fault?.retryAfterSeconds)
  const isOver = Date.now() + waitMs > Date.parse(delivery.queuedAt) + TRIED_FOR_MS
  const nextAttemptAt = fault && !isOver ? fromNow(waitMs) : undefined
  const outcome = nextAttemptAt
    ? { nextAttemptAt }
    : { status: fault ? ('failed' as const) : ('sent' as const), finishedAt: now() }
  tally('mindgate_work_ended_total', ['webhook', nextAttemptAt ? 'put_off' : fault ? 'given_up' : 'sent'])
  const note = { ...outcome, attempts, lastError: turn.trouble }
  const write = () => database.transaction((tx) => noteAttempt(tx, delivery, note), row.partnerId)
  await insist(write, insisting(turn))
  return nextAttemptAt
}

interface Fault {
  words: string
  retryAfterSeconds?: number | undefined
  isGone?: boolean
}

async function attempt(
  { config, secrets, row, lease }: Turn,
  delivery: DeliveryRow
): Promise<Fault | 'interrupted' | undefined> {
  const { signal } = lease
  try {
    const { status, headers } = await fetchForeign(row.url, {
      // As for its servers: strangers, who have one place together, keep no partner's events.
      kind: 'partner',
      tenant: row.partnerId,
      allowPrivate: config.webhookAllowPrivate,
      timeoutMs: TIMEOUT_MS,
      signal,
      maxBytes: 0,
      post: { headers: headersOf(secrets, row, delivery), body: delivery.body }
    })
    if (status >= 200 && status < 300) return undefined
    const retryAfterSeconds = secondsOf(headers['retry-after'] ?? null)
    return { words: `It answered ${status}.`, retryAfterSeconds, isGone: status === 410 }
  } catch (error) {
    if (signal.aborted) return 'interrupted'
    return { words: WORDS[faultOf(error)] }
  }
}

function headersOf(secrets: Secrets, row: WebhookRow, { eventId, body }: DeliveryRow) {
  const at = new Date()
  const sealed = [row.sealedSecret]
  if (row.formerSealed !== null && (row.formerSecretUntil ?? '') > now()) sealed.push(row.formerSealed)
  const signatures = sealed.map((one) =>
    new Signer(secrets.unseal(one, webhookContext(row.id))).sign(eventId, at, body)
  )
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'Mindgate',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' ')
  }
}

const WORDS = {
  unresolvable: 'Its host’s name isn’t known.',
  forbidden_address: 'Its address is a private one.',
  busy: 'Too many look-ups of names waited.',
  timeout: `It didn’t answer within ${TIMEOUT_MS / 1_000} seconds.`,
  unreachable: 'It could not be reached.',
  unreadable: 'Its secret can’t be read: it was sealed under another key.'
}

function faultOf(error: unknown): keyof typeof WORDS {
  if (error instanceof AddressError) return error.fault
  if (!(error instanceof UpstreamError)) return 'unreadable'
  return error.fault === 'timeout' ? 'timeout' : 'unreachable'
}
