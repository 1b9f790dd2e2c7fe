// A customer's chat with the agent on its server: the row first, then the run, then what became of it. A client that goes
// away ends nothing, nor does a connection or a process that does: the run goes on, whoever is there follows it, and its
// answer is in the history.
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { isAway, isBusy } from '../../database/faults.ts'
import { ServiceError } from '../../errors.ts'
import { createLanes } from '../../fair-queue.ts'
import { holdLease, type Lease } from '../../jobs/leases.ts'
import { createQueue } from '../../jobs/queue.ts'
import { withDeadline } from '../../net/deadline.ts'
import { tally } from '../../tally.ts'
import { findInstance, type InstanceRow } from '../store.ts'
import { beginConversation, type InstanceName } from './conversations.ts'
import { LOOK_EVERY_MS, noteUntil } from './notes.ts'
import { BROKEN, type ChatResult, codeOf, failed, goesOn, resultOf } from './result.ts'
import { agentRun, type RunContext, whereDeployed } from './run.ts'
import {
  claimExchange,
  type ExchangeRow,
  findExchange,
  finishExchange,
  LEASE_MS,
  MOST_AT_WORK_OF_PARTNER,
  requestCancel,
  type Sent as SentMessage
} from './store.ts'

interface ChatContext extends RunContext {
  config: Pick<Config, 'chatTimeoutMs' | 'chatRunMs'>
  database: Database
}

type ChatLease = Lease<'chatExchange'>
type AgentRun = ReturnType<typeof agentRun>

interface Sent {
  instance: InstanceRow
  /** What the agent called the conversation when the message came. */
  session: string | null
  /** Until when its sender waits, by `performance.now()`. */
  deadline: number
  /** Tells the sender that it waits no longer. */
  tell(result: ChatResult): void
}

interface UnderWay {
  instanceId: string
  cancel: AbortController
  done: Promise<ChatResult>
  hasBegun: boolean
  /** Its server can't be asked right now. */
  isAway: boolean
}

/** Messages of one instance in one process; more than an agent answers within the last one's time. */
const MAX_WAITING = 20
const CANCELLED_WITHIN_MS = 10_000
const LAST_LOOK_MS = 15_000
/** Where there was no model to configure, the gateway chooses. */
const MODEL_OF_THE_GATEWAY = 'auto'

const LEASE = { table: 'chatExchange', leaseMs: LEASE_MS, isRenewed: true } as const

export type AgentChat = ReturnType<typeof createAgentChat>

export function createAgentChat(ctx: ChatContext) {
  const { database, config, log } = ctx
  // The agent resumes one thread: two runs at once would both go on from the same place.
  const claims = createLanes()
  const runs = createLanes()
  const underWay = new Map<string, UnderWay>()
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)
  // What a process that ended has left: its run goes on, or has ended meanwhile.
  const left = createQueue(ctx, {
    ...LEASE,
    // As many as there can be at work: each holds its place for as long as its agent takes.
    concurrency: 1_000,
    ofPartner: MOST_AT_WORK_OF_PARTNER,
    lookMs: 2_000,
    messages: { take: 'chats could not be looked for', perform: 'a chat could not be followed' }
  })

  return {
    /** Takes up what other processes have left behind, from now on. */
    start: () => left.start((lease) => begin(lease).done.then(() => {})),
    /** Leaves the runs under way to the next process. */
    async stop() {
      stopping.abort()
      await left.stop()
      await Promise.allSettled([...underWay.values()].map(({ done }) => done))
    },
    /**
     * Sends a message and waits for what becomes of it, for as long as a reply may take (§8). With the key of an earlier
     * message it joins that one, or answers as it did; one that surely never began is begun again.
     * @throws ServiceError `idempotency_conflict`, `invalid_input`, `rate_limited` when too many messages wait already
     */
    async send(instance: InstanceRow & InstanceName, asked: SentMessage) {
      const deadline = performance.now() + config.chatTimeoutMs
      // One after the other into the thread and into the queue, so that both have the same order.
      const { result } = await claims.run(instance.id, async () => {
        if (runs.count(instance.id) >= MAX_WAITING) throw tooManyWaiting()
        const model = instance.model ?? MODEL_OF_THE_GATEWAY
        const sent = { ...asked, model, timeoutMs: config.chatTimeoutMs + config.chatRunMs }
        const { exchange, sessionId, isMine } = await database.transaction(
          (tx) => claimExchange(tx, instance, sent),
          instance.partnerId
        )
        return {
          result: isMine ? beginFor(instance, exchange, sessionId, deadline) : join(exchange, deadline)
        }
      })
      return result
    },
    /** Begins a new conversation, behind the messages that came before. */
    beginConversation: (instance: InstanceRow) =>
      claims.run(instance.id, () =>
        database.transaction((tx) => beginConversation(tx, instance), instance.partnerId)
      ),
    /** Ends the message of that key, on the server too; whether it is cancelled now. */
    async cancel(instance: InstanceRow, key: string) {
      // Behind the claims that came before it: a message that was just sent is known by then.
      const exchange = await claims.run(instance.id, () =>
        database.transaction((tx) => requestCancel(tx, instance, key), instance.partnerId)
      )
      if (!exchange) return false
      underWay.get(exchange.id)?.cancel.abort()
      const result = await Promise.race([
        follow(exchange),
        sleep(CANCELLED_WITHIN_MS, undefined, { ref: false })
      ])
      return result?.state === 'cancelled'
    }
  }

  function beginFor(instance: InstanceRow, exchange: ExchangeRow, session: string | null, deadline: number) {
    return new Promise<ChatResult>((tell, refuse) => {
      const lease = holdLease(database, LEASE, exchange, stopping.signal)
      const { done } = begin(lease, { instance, session, deadline, tell })
      done.then(tell, refuse).finally(() => lease.close())
      const late = () => underWay.get(exchange.id)?.hasBegun && tell(goesOn('agent_timeout'))
      const timer = setTimeout(late, deadline - performance.now())
      void done.finally(() => clearTimeout(timer)).catch(() => {})
    })
  }

  function begin(lease: ChatLease, sent?: Sent): UnderWay {
    const { id, instanceId } = lease.row
    const cancel = new AbortController()
    const one: UnderWay = {
      instanceId,
      cancel,
      done: Promise.resolve(BROKEN),
      hasBegun: !sent,
      isAway: false
    }
    one.done = finish(lease, one, sent).finally(() => {
      if (underWay.get(id) === one) underWay.delete(id)
    })
    underWay.set(id, one)
    return one
  }

  /** Writes down what becomes of the message, a fault of our own as well, which is then thrown. */
  async function finish(lease: ChatLease, one: UnderWay, sent: Sent | undefined): Promise<ChatResult> {
    const { partnerId, instanceId } = lease.row
    const startedAt = performance.now()
    try {
      const result = await bringThrough(lease, one, sent)
      const durationMs = Math.round(performance.now() - startedAt)
      const { reason, words } = { reason: undefined, words: undefined, ...result }
      tally('mindgate_work_ended_total', ['chat', codeOf(result) ?? 'answered'])
      log.info('chat', {
        partnerId,
        instanceId,
        durationMs,
        code: codeOf(result) ?? undefined,
        reason,
        words
      })
      return await keep(lease, result)
    } catch (error) {
      // That the database can't be asked is no end of a run: whoever takes the row next asks the server.
      if (!(one.hasBegun && (isAway(error) || isBusy(error)))) await keep(lease, BROKEN)
      throw error
    }
  }

  /** The whole of it, within the time that a run may take at most. */
  async function bringThrough(lease: ChatLease, one: UnderWay, sent: Sent | undefined): Promise<ChatResult> {
    const { partnerId, instanceId, deadlineAt } = lease.row
    const instance = sent?.instance ?? (await findInstance(database.read, partnerId, instanceId))
    if (!instance) return failed('cancelled', true)
    const run = agentRun(ctx, instance, lease.row)
    const ends = [one.cancel.signal, lease.signal]
    // What was left beyond its limit may have ended well, and is asked for once.
    const leastMs = sent ? 0 : LAST_LOOK_MS
    const limits = { timeoutMs: Math.max(leastMs, Date.parse(deadlineAt) - Date.now()), signals: ends }
    return withDeadline(limits, async (signal) => {
      const over = new AbortController()
      void noteUntil(over.signal, database.read, { lease, run, cancel: one.cancel })
      try {
        return await work(instance, run, one, sent, signal)
      } catch (error) {
        if (!signal.aborted || error !== signal.reason) throw error
        if (lease.signal.aborted) return goesOn('agent_timeout')
        const code = one.cancel.signal.aborted ? 'cancelled' : 'agent_timeout'
        return one.hasBegun ? { ...failed(code), ...(await run.stop()) } : failed(code)
      } finally {
        over.abort()
      }
    })
  }

  /** One after the other on each instance. Who sent it waits for its turn only as long as for the reply. */
  function work(
    instance: InstanceRow,
    run: AgentRun,
    one: UnderWay,
    sent: Sent | undefined,
    signal: AbortSignal
  ) {
    const onAway = (isAway: boolean) => {
      one.isAway = isAway
      if (isAway) sent?.tell(goesOn('ssh_unavailable'))
    }
    if (!sent) return runs.run(instance.id, () => run.toItsEnd('at-work', { signal, onAway }), signal)
    const { session, deadline } = sent
    const start = { session, deadline, wholeMs: config.chatTimeoutMs, limitMs: config.chatRunMs }
    const turn = { timeoutMs: Math.max(0, Math.ceil(deadline - performance.now())), signals: [signal] }
    // Behind a run whose server is away there is no end to wait for.
    if ([...underWay.values()].some(({ instanceId, isAway }) => isAway && instanceId === instance.id))
      return Promise.resolve(failed('ssh_unavailable'))
    return withDeadline(turn, async (waiting): Promise<ChatResult> => {
      const begun = async () => {
        one.hasBegun = true
        const standing = await whereDeployed(instance, () => run.begin(start, signal))
        if (standing === 'at-work') sent.tell(goesOn('agent_timeout'))
        return run.toItsEnd(standing, { signal, onAway, neverBegun: 'ssh_unavailable' })
      }
      try {
        return await runs.run(instance.id, begun, waiting)
      } catch (error) {
        if (signal.aborted || one.hasBegun || error !== waiting.reason) throw error
        return failed('agent_timeout')
      }
    })
  }

  async function keep(lease: ChatLease, result: ChatResult): Promise<ChatResult> {
    const { row: exchange } = lease
    try {
      return await database.transaction(async (tx) => {
        if (result.state === 'answered' || !result.isRunning) return finishExchange(tx, exchange, result)
        await lease.letGo(tx)
        return result
      }, exchange.partnerId)
    } catch (error) {
      // Who waits for the answer gets it, whether or not it could be written down.
      const { partnerId, instanceId } = exchange
      log.error('what became of a chat message could not be kept', { partnerId, instanceId, error })
      return result.state === 'answered' ? { ...result, sessionId: result.sessionId || exchange.id } : result
    }
  }

  /** Waits, as long as for a reply of one's own, for what becomes of a message that was known already. */
  async function join(exchange: ExchangeRow, deadline: number): Promise<ChatResult> {
    const late = new AbortController()
    const timeIsOver = sleep(Math.max(0, deadline - performance.now()), undefined, { signal: late.signal })
    const result = await Promise.race([follow(exchange), timeIsOver.catch(() => undefined)])
    late.abort()
    return result ?? goesOn('agent_timeout')
  }

  /** What becomes of a message, whichever process works on it. */
  async function follow(exchange: ExchangeRow): Promise<ChatResult> {
    const mine = underWay.get(exchange.id)
    if (mine) return mine.done
    let row: ExchangeRow | undefined = exchange
    while (row) {
      const result = resultOf(row)
      if (result) return result
      await sleep(LOOK_EVERY_MS, undefined, { ref: false })
      row = await findExchange(database.read, row.partnerId, row.instanceId, row.key)
    }
    // The instance was removed, and its messages with it.
    return failed('cancelled', true)
  }
}

const tooManyWaiting = (): ServiceError =>
  new ServiceError('rate_limited', 'Too many messages wait for this agent. Try again in a moment.', {
    retryAfterSeconds: 5
  })
