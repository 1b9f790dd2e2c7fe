// What is asked of a model: within its deadline, through the breaker, in the gateway's dialect, and counted.
import type OpenAI from 'openai'
import type { Breaker } from '../net/breaker.ts'
import { withDeadline } from '../net/deadline.ts'
import type { Tokens } from './completion.ts'
import { createDialect, type Parameters } from './dialect.ts'
import { CallFault, faultOf, outage } from './fault.ts'
import { ModelError, type ModelUsage } from './model.ts'
import { addUsage, noUsage } from './usage.ts'

export interface ModelAccess {
  /** Loads it with the first request: many a process makes none. */
  openClient(): Promise<OpenAI>
  breaker: Breaker
  name: string
  timeoutMs: number
}

/** Of a million tokens. */
export type Prices = Record<'input' | 'output', number>

type Bounds = Pick<ModelUsage, 'purpose'> & { timeoutMs: number; signal?: AbortSignal | undefined }

/**
 * One call of a request. Throws CallFault.
 * @param tokens what the call took: of none, where what came of it is lost
 */
export type Call = <Result>(
  parameters: Parameters,
  send: (client: OpenAI, spoken: Parameters, signal: AbortSignal) => Promise<Result>,
  tokens: (result: Result | undefined) => Tokens
) => Promise<Result>

/** Makes requests of as many calls as `work` takes. They throw ModelError, or what their signal aborted with. */
export function openRequests({ openClient, breaker, timeoutMs }: ModelAccess, prices: Prices) {
  const speak = createDialect()
  return async <T>(bounds: Bounds, work: (call: Call) => Promise<T>) => {
    const { purpose, signal: outer } = bounds
    let usage = noUsage(purpose)
    const count = ({ inputTokens, outputTokens }: Tokens) => {
      usage = addUsage(usage, {
        purpose,
        calls: 1,
        inputTokens: Math.ceil(inputTokens),
        outputTokens: Math.ceil(outputTokens),
        costMicros: Math.ceil(inputTokens * prices.input + outputTokens * prices.output)
      })
    }
    const callWithin =
      (signal: AbortSignal): Call =>
      async (parameters, send, tokens) => {
        const client = await openClient()
        const result = await speak(parameters, (spoken) =>
          breaker.run(() => unlessLate(signal, outer, () => send(client, spoken, signal)))
        ).catch((error: unknown) => {
          if (error instanceof CallFault && mayCost(error)) count(tokens(undefined))
          throw error
        })
        count(tokens(result))
        return result
      }
    try {
      const limits = { timeoutMs: Math.min(timeoutMs, bounds.timeoutMs), signals: [outer] }
      const value = await withDeadline(limits, (signal) => work(callWithin(signal)))
      return { value, usage }
    } catch (error) {
      if (!(error instanceof CallFault)) throw error
      throw new ModelError(error.fault, usage, error.retryAfterSeconds)
    }
  }
}

async function unlessLate<T>(signal: AbortSignal, outer: AbortSignal | undefined, call: () => Promise<T>) {
  const refuseLate = (error?: unknown) => {
    // Who leaves tells nothing about the gateway.
    outer?.throwIfAborted()
    if (signal.aborted) throw error instanceof CallFault && !error.isOutage ? error : outage('timeout')
  }
  refuseLate()
  try {
    return await call()
  } catch (error) {
    // Whatever it looks like: the client takes a stream that was given up for one that has ended.
    refuseLate(error)
    throw await faultOf(error)
  }
}

/** Whether the gateway may have worked, and charges for it. */
const mayCost = ({ fault }: CallFault): boolean =>
  fault === 'timeout' || fault === 'incomplete' || fault === 'too_large' || fault === 'malformed'
