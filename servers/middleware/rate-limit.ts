// Rate limits: who calls is asked within a limit of failures, and every call spends of its key's budget.
import type { Context } from 'hono'
import type { Caller } from '../../src/caller.ts'
import { isAway, isBusy } from '../../src/database/faults.ts'
import { ServiceError } from '../../src/errors.ts'
import { overdrawn } from '../../src/limits/budget.ts'
import type { Service } from '../../src/service.ts'
import { clientAddress } from './client-address.ts'
import { presetHeader } from './preset-header.ts'
import type { RequestEnv } from './request-env.ts'

/**
 * The caller, noted on the request. An address that failed too often is told to wait, but a valid credential always
 * passes: many clients may share one address, and one of them must not lock the others out.
 * @throws ServiceError what `authenticate` throws, or `rate_limited` in place of a refusal
 */
export async function authenticateLimited<C extends Caller>(
  { rateLimits, config }: Service,
  c: Context<RequestEnv>,
  authenticate: (headers: Headers) => Promise<C>
): Promise<C> {
  try {
    const caller = await authenticate(c.req.raw.headers)
    c.set('caller', caller)
    return caller
  } catch (error) {
    const address = rateLimits && clientAddress(c, config.trustedProxies)
    if (!rateLimits || address === undefined || !(error instanceof ServiceError)) throw error
    // That nobody could look the credential up says nothing about it.
    if (isAway(error) || isBusy(error)) throw error
    const budget = await rateLimits.spendFailure(address)
    throw budget.isOverdrawn ? overdrawn(budget, 'Too many requests without a valid key') : error
  }
}

/** Spends one request of the caller's budget and says on the answer what is left. The refusal, if it was one too many. */
export async function spendRequest({ rateLimits }: Service, c: Context<RequestEnv>, caller: Caller) {
  if (!rateLimits) return undefined
  const budget = await rateLimits.spend(caller.actor)
  const { quota, windowSeconds, remaining, secondsLeft } = budget
  // draft-ietf-httpapi-ratelimit-headers-11: the policy, and what is left of it (`r`) for how many seconds (`t`).
  presetHeader(c, 'RateLimit-Policy', `"default";q=${quota};w=${windowSeconds}`)
  presetHeader(c, 'RateLimit', `"default";r=${remaining};t=${secondsLeft}`)
  if (!budget.isOverdrawn) return undefined
  c.set('code', 'rate_limited')
  c.header('Retry-After', String(secondsLeft))
  return overdrawn(budget)
}
