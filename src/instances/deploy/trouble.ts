// What can go wrong on the way, and what of it may go right a moment later.
import { setTimeout as sleep } from 'node:timers/promises'
import { AiGatewayError, type AiGatewayFault } from '../../ai-gateway/keys.ts'
import { ServiceError } from '../../errors.ts'
import { backoffMs } from '../../net/backoff.ts'
import { SshError, type SshFault } from '../ssh/errors.ts'
import type { DeployContext, DeployLease } from './context.ts'

/** The deploy can't get through; the message is for the partner: what happened and what to do. */
export class DeployFailure extends Error {}

const PASSING: readonly SshFault[] = [
  ...(['unresolvable', 'refused', 'unreachable', 'connect_timeout'] as const),
  ...(['no_session', 'connection_lost', 'command_timeout'] as const)
]

/** A server that is being worked on may show another key, or none of ours, for a while: its deploy goes on meanwhile. */
const PASSING_LATER: readonly SshFault[] = [...PASSING, 'host_key_mismatch', 'authentication_failed']

const PASSING_AT_GATEWAY: readonly AiGatewayFault[] = ['unreachable', 'failed']

/** What the trouble is, in words, if it may pass by itself. */
function passing(error: unknown, hasBegun: boolean): string | undefined {
  if (error instanceof SshError) {
    return (hasBegun ? PASSING_LATER : PASSING).includes(error.fault) ? error.text : undefined
  }
  if (error instanceof AiGatewayError)
    return PASSING_AT_GATEWAY.includes(error.fault) ? error.message : undefined
  return error instanceof ServiceError && error.code === 'database_busy' ? error.message : undefined
}

/** Why a deploy ended, as its partner reads it. `undefined` for what is our own fault. */
export function failureText(error: unknown): string | undefined {
  if (error instanceof DeployFailure || error instanceof AiGatewayError) return error.message
  return error instanceof SshError ? error.text : undefined
}

/**
 * Does the work, again and again while what goes wrong may pass. Says in the row what it waits for.
 * @throws DeployFailure when that took too long, and what won't pass
 */
export async function persistently<T>(
  { config: { deployTimes: times } }: DeployContext,
  lease: DeployLease,
  work: () => Promise<T>
): Promise<T> {
  // Whether a script was started whose start wasn't noted can't be told: the same patience as for one that was.
  const hasBegun = lease.row.phase !== 'preparing'
  const withinMs = hasBegun ? times.silenceMs : times.connectMs
  const startedAt = performance.now()
  for (let failures = 0; ; failures += 1) {
    lease.signal.throwIfAborted()
    try {
      const result = await work()
      if (lease.row.message !== '' && lease.row.finishedAt === null) await lease.change({ message: '' })
      return result
    } catch (error) {
      if (lease.signal.aborted) throw error
      const trouble = passing(error, hasBegun)
      if (trouble === undefined) throw error
      if (performance.now() - startedAt > withinMs) {
        throw new DeployFailure(`${trouble} It was tried for ${inWords(withinMs)}.`, { cause: error })
      }
      if (lease.row.message !== trouble) await lease.change({ message: trouble })
    }
    const waitMs = backoffMs({ firstMs: times.firstRetryMs, longestMs: times.longestRetryMs }, failures)
    await sleep(waitMs, undefined, { signal: lease.signal })
  }
}

const inWords = (ms: number): string => {
  const minutes = Math.round(ms / 60_000)
  return minutes > 1 ? `${minutes} minutes` : 'a minute'
}
