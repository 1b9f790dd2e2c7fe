// How often signing in may fail. Counted are an account from one network, the account from everywhere, and an address
// whatever the account: one network alone can't lock an account's owner out, many together can't try for ever.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { fromNow, now } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database, WriteHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { networkOf } from './failure-counter.ts'

/** What somebody tries to get into, and from where. */
export interface SignInTarget {
  /** Names the account whether or not it exists. */
  account: string
  /** `undefined` where a request came through no socket. */
  address: string | undefined
}

export interface SignInLimits {
  /**
   * Counts an attempt as failed before it is made: however many come at once, no more than the limit are tried.
   * Call what it returns when the attempt succeeded.
   *
   * @throws ServiceError `rate_limited` when it is one too many, whatever the password
   */
  attempt(target: SignInTarget): Promise<() => Promise<void>>
  /**
   * Counts a mail that a stranger asks for; whether the account may still be sent one.
   *
   * @throws ServiceError `rate_limited` when the address asked too often
   */
  mayMail(target: SignInTarget): Promise<boolean>
}

/** From everywhere together an account may fail this many times as often as from one network. */
const NETWORKS = 10
/** Mails that a stranger can make us send to one account in a window. */
const MAX_MAILS = 3

/** The limits of this configuration. Accounts are counted in the database, for all processes; addresses in this one. */
export function createSignInLimits(
  {
    signInLimit,
    signInAddressLimit,
    signInWindowSeconds: windowSeconds
  }: Pick<Config, 'signInLimit' | 'signInAddressLimit' | 'signInWindowSeconds'>,
  database: Database
): SignInLimits {
  const addresses = createAddressCounter(signInAddressLimit, windowSeconds)
  const windowMs = windowSeconds * 1000
  return {
    async attempt({ account, address }) {
      const forgiveAddress = await addresses.count(address)
      if (signInLimit === 0) return forgiveAddress
      const pair = keyOf('pair', account, address === undefined ? '' : networkOf(address))
      const everywhere = keyOf('account', account)
      await database
        .transaction(async (tx) => {
          // The account as a whole isn't charged for what its pair refuses: else one network could lock it for all.
          const pairWindow = await countFailure(tx, pair, windowMs)
          if (pairWindow.count > signInLimit) return pairWindow
          const window = await countFailure(tx, everywhere, windowMs)
          return window.count > signInLimit * NETWORKS ? window : undefined
        })
        .then(refuseIfSpent)
      return async () => {
        await forgiveAddress()
        await database.transaction((tx) => forgive(tx, [pair, everywhere]))
      }
    },
    async mayMail({ account, address }) {
      await addresses.count(address)
      if (signInLimit === 0) return true
      const { count } = await database.transaction((tx) => countFailure(tx, keyOf('mail', account), windowMs))
      return count <= MAX_MAILS
    }
  }
}

/** What names a window in the database: a digest, because whose it is is nobody's to read. */
export const keyOf = (...parts: string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('base64url')

interface Window {
  count: number
  endsAt: string
}

/** Counts one more in the window of that key; the first one begins it. */
export async function countFailure(tx: WriteHandle, key: string, windowMs: number): Promise<Window> {
  const endsAt = fromNow(windowMs)
  const moment = now()
  return tx
    .insertInto('signInFailure')
    .values({ key, count: 1, endsAt })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({
        count: eb
          .case()
          .when('signInFailure.endsAt', '<=', moment)
          .then(1)
          .else(eb('signInFailure.count', '+', 1))
          .end(),
        endsAt: eb
          .case()
          .when('signInFailure.endsAt', '<=', moment)
          .then(endsAt)
          .else(eb.ref('signInFailure.endsAt'))
          .end()
      }))
    )
    .returning(['count', 'endsAt'])
    .executeTakeFirstOrThrow()
}

async function forgive(tx: WriteHandle, keys: readonly string[]): Promise<void> {
  await tx
    .updateTable('signInFailure')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('key', 'in', keys)
    .where('count', '>', 0)
    .execute()
}

function refuseIfSpent(window: Window | undefined): void {
  if (window) throw tooManyFailures(Date.parse(window.endsAt) - Date.now())
}

function tooManyFailures(msLeft: number): ServiceError {
  const seconds = Math.max(1, Math.ceil(msLeft / 1000))
  const minutes = Math.ceil(seconds / 60)
  const wait = seconds < 60 ? `${seconds} seconds` : minutes === 1 ? 'a minute' : `${minutes} minutes`
  return new ServiceError('rate_limited', `Signing in failed too often. Try again in ${wait}.`, {
    retryAfterSeconds: seconds
  })
}

/** Addresses share 65,536 counters, so that no number of them fills the memory. */
function createAddressCounter(quota: number, windowSeconds: number) {
  const forgiven = async () => undefined
  if (quota === 0) return { count: async () => forgiven }
  const limiter = new RateLimiterMemory({ points: 0, duration: windowSeconds, keyPrefix: '' })
  // Of this process alone: nobody can choose an address that shares another one's counter.
  const salt = randomBytes(16)
  return {
    async count(address: string | undefined): Promise<() => Promise<void>> {
      if (address === undefined) return forgiven
      const digest = createHmac('sha256', salt).update(networkOf(address)).digest()
      const bucket = String(digest.readUInt16BE())
      const { consumedPoints, msBeforeNext } = await limiter.penalty(bucket)
      if (consumedPoints > quota) throw tooManyFailures(msBeforeNext)
      return async () => {
        await limiter.reward(bucket)
      }
    }
  }
}
