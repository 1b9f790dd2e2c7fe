// A customer's chat with the agent on its server: the row first, then the run, then what became of it. A client that
// goes away ends nothing: the answer is in the history.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { ServiceError } from '../../errors.ts'
import { createLanes } from '../../fair-queue.ts'
import { withDeadline } from '../../net/deadline.ts'
import type { InstanceRow } from '../store.ts'
import { BROKEN, type ChatResult, codeOf, failed, resultOf } from './result.ts'
import { type RunContext, runAgent, whereDeployed } from './run.ts'
import {
  claimExchange,
  type ExchangeRow,
  findExchange,
  finishExchange,
  isCancelRequested,
  requestCancel
} from './store.ts'

interface ChatContext extends RunContext {
  config: Pick<Config, 'chatTimeoutMs'>
  database: Database
  inBackground(work: Promise<unknown>): void
}

interface SentMessage {
  instance: InstanceRow
  exchange: ExchangeRow
  /** What the agent called the thread when the message came. */
  sessionId: string | null
  /** By `performance.now()`. */
  deadline: number
}

/** Messages of one instance in one process; more than an agent answers within the last one's time. */
const MAX_WAITING = 20
/** Another process may work on a message, or be asked to stop ours: the row tells. */
const LOOK_EVERY_MS = 1_000
const CANCELLED_WITHIN_MS = 10_000
/** Where there was no model to configure, the gateway chooses. */
const MODEL_OF_THE_GATEWAY = 'auto'

export function createAgentChat(ctx: ChatContext) {
  const { database, config, log } = ctx
  // The agent resumes one thread: two runs at once would both go on from the same place.
  const claims = createLanes()
  const runs = createLanes()
  const underWay = new Map<string, { controller: AbortController; done: Promise<ChatResult> }>()

  return {
    /**
     * Sends a message and waits for what becomes of it. With the key of an earlier message it joins that one, or answers
     * as it did; one that surely never began is begun again.
     * @throws ServiceError `idempotency_conflict`, `rate_limited` when too many messages wait already
     */
    async send(instance: InstanceRow, { message, key }: { message: string; key: string | undefined }) {
      const deadline = performance.now() + config.chatTimeoutMs
      // One after the other into the thread and into the queue, so that both have the same order.
      const { result } = await claims.run(instance.id, async () => {
        if (runs.count(instance.id) >= MAX_WAITING) throw tooManyWaiting()
        const model = instance.model ?? MODEL_OF_THE_GATEWAY
        const sent = { key, message, model, timeoutMs: config.chatTimeoutMs }
        const { exchange, sessionId, isMine } = await database.transaction(
          (tx) => claimExchange(tx, instance, sent),
          instance.partnerId
        )
        return { result: isMine ? begin({ instance, exchange, sessionId, deadline }) : follow(exchange) }
      })
      return result
    },
    /** Ends the message of that key, on the server too; whether it is cancelled now. */
    async cancel(instance: InstanceRow, key: string) {
      // Behind the claims that came before it: a message that was just sent is known by then.
      const exchange = await claims.run(instance.id, () =>
        database.transaction((tx) => requestCancel(tx, instance, key), instance.partnerId)
      )
      if (!exchange) return false
      underWay.get(exchange.id)?.controller.abort()
      const result = await Promise.race([
        follow(exchange),
        sleep(CANCELLED_WITHIN_MS, undefined, { ref: false })
      ])
      return result?.state === 'cancelled'
    }
  }

  function begin(sent: SentMessage): Promise<ChatResult> {
    const { exchange } = sent
    const controller = new AbortController()
    const look = async () => {
      if (await isCancelRequested(database.read, exchange)) controller.abort()
    }
    const looking = setInterval(() => ctx.inBackground(look()), LOOK_EVERY_MS)
    const done = finish(sent, controller.signal).finally(() => {
      clearInterval(looking)
      underWay.delete(exchange.id)
    })
    underWay.set(exchange.id, { controller, done })
    // Whoever sent it may be gone by then; the service's end waits for it all the same.
    ctx.inBackground(done)
    return done
  }

  /** Writes down what becomes of the message, a fault of our own as well, which is then thrown. */
  async function finish(sent: SentMessage, signal: AbortSignal) {
    const { exchange } = sent
    const startedAt = performance.now()
    try {
      const result = await answer(sent, signal)
      const durationMs = Math.round(performance.now() - startedAt)
      log.info('chat', { ...idsOf(exchange), durationMs, code: codeOf(result) ?? undefined })
      return await keep(exchange, result)
    } catch (error) {
      await keep(exchange, BROKEN)
      throw error
    }
  }

  function answer({ instance, exchange, sessionId: session, deadline }: SentMessage, signal: AbortSignal) {
    const { message, model } = exchange
    const asked = { message, session, model, deadline, wholeMs: config.chatTimeoutMs, signal }
    const run = () => whereDeployed(instance, () => runAgent(ctx, instance, asked))
    const limits = { timeoutMs: Math.max(0, Math.ceil(deadline - performance.now())), signals: [signal] }
    return withDeadline(limits, async (waiting): Promise<ChatResult> => {
      try {
        return await runs.run(instance.id, run, waiting)
      } catch (error) {
        if (error !== waiting.reason) throw error
        return failed(signal.aborted ? 'cancelled' : 'agent_timeout')
      }
    })
  }

  async function keep(exchange: ExchangeRow, result: ChatResult): Promise<ChatResult> {
    try {
      return await database.transaction((tx) => finishExchange(tx, exchange, result), exchange.partnerId)
    } catch (error) {
      // Who waits for the answer gets it, whether or not it could be written down.
      log.error('what became of a chat message could not be kept', { ...idsOf(exchange), error })
      return result.state === 'answered' ? { ...result, sessionId: result.sessionId || exchange.id } : result
    }
  }

  /** What becomes of a message that was known already, whichever process works on it. */
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

const idsOf = ({ partnerId, instanceId }: ExchangeRow) => ({ partnerId, instanceId })

const tooManyWaiting = (): ServiceError =>
  new ServiceError('rate_limited', 'Too many messages wait for this agent. Try again in a moment.', {
    retryAfterSeconds: 5
  })
