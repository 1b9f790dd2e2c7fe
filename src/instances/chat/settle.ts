// A message from its place in the queue to its end, and what is kept of it.
import type { Config } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import type { InstanceRow } from '../store.ts'
import { whereDeployed } from './readiness.ts'
import { BROKEN, type ChatResult, codeOf } from './result.ts'
import { type RunContext, runAgent } from './run.ts'
import { type ExchangeRow, finishExchange } from './store.ts'
import type { Turns } from './turns.ts'

export interface SettleContext extends RunContext {
  config: Pick<Config, 'chatTimeoutMs'>
  database: Database
}

export interface Settling {
  instance: InstanceRow
  /** When the answer must be there, by `performance.now()`. */
  deadline: number
  /** Ends it, wherever it is. */
  signal: AbortSignal
}

/**
 * Waits for the instance's turn, runs the agent, and writes down what became of it.
 *
 * @throws Error for a fault of our own, which is written down as well
 */
export async function settleExchange(
  ctx: SettleContext,
  runs: Turns,
  exchange: ExchangeRow,
  settling: Settling
): Promise<ChatResult> {
  const startedAt = performance.now()
  try {
    const result = await inTurn(ctx, runs, exchange, settling)
    const durationMs = Math.round(performance.now() - startedAt)
    ctx.log.info('chat', { ...idsOf(exchange), durationMs, code: codeOf(result) ?? undefined })
    return await keep(ctx, exchange, result)
  } catch (error) {
    await keep(ctx, exchange, BROKEN)
    throw error
  }
}

async function inTurn(
  ctx: SettleContext,
  runs: Turns,
  { message, model }: ExchangeRow,
  { instance, deadline, signal }: Settling
): Promise<ChatResult> {
  const wholeMs = ctx.config.chatTimeoutMs
  const late = AbortSignal.timeout(Math.max(0, Math.ceil(deadline - performance.now())))
  const run = () => runAgent(ctx, instance, { message, model, deadline, wholeMs, signal })
  const work = () => whereDeployed(instance, run)
  try {
    return await runs.take(instance.id, work, AbortSignal.any([signal, late]))
  } catch (error) {
    if (error === signal.reason) return { state: 'cancelled', hasStarted: false }
    if (error === late.reason) return { state: 'failed', code: 'agent_timeout', hasStarted: false }
    throw error
  }
}

async function keep(
  { database, log }: SettleContext,
  exchange: ExchangeRow,
  result: ChatResult
): Promise<ChatResult> {
  try {
    return await database.transaction((tx) => finishExchange(tx, exchange, result), exchange.partnerId)
  } catch (error) {
    // Who waits for the answer gets it, whether or not it could be written down.
    log.error('what became of a chat message could not be kept', { ...idsOf(exchange), error })
    return result.state === 'answered' ? { ...result, sessionId: result.sessionId || exchange.id } : result
  }
}

const idsOf = ({ partnerId, instanceId }: ExchangeRow) => ({ partnerId, instanceId })
