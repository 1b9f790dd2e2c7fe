// Passwords: argon2id with OWASP's parameters, and temporary ones that can be typed from a mail.
import { customAlphabet } from 'nanoid'
import { emailKey } from '../customers/email.ts'
import { ServiceError } from '../errors.ts'
import { createFairQueue, type FairQueue } from '../fair-queue.ts'
import { say } from '../language/say.ts'
import { widestNetworkOf } from '../limits/networks.ts'

/** argon2id is the library's default; 19 MiB and two passes. */
const ARGON2 = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const

/** Four of them, from 31 unmistakable characters, are 79 random bits. */
const group = customAlphabet('23456789abcdefghjkmnpqrstuvwxyz', 4)

const MAX_WAITING = 100

const tooMany = (): ServiceError =>
  new ServiceError('rate_limited', 'Too many passwords are looked at right now. Try again in 2 seconds.', {
    retryAfterSeconds: 2
  })

export const newTemporaryPassword = (): string => [group(), group(), group(), group()].join('-')

/** Each place takes a processor and 19 MiB. */
const places = createFairQueue({
  atOnce: 2,
  atOncePerTenant: 1,
  waitingPerTenant: MAX_WAITING,
  refusal: tooMany
})

/**
 * About 20 ms in a worker thread; never call it inside a transaction.
 *
 * @param tenant whose share of the places it takes: a partner's for its own calls, else a portal's or the console's
 * @throws ServiceError `rate_limited` when too much of that tenant waits already
 */
export const hashPassword = (password: string, tenant: string): Promise<string> =>
  places.run(tenant, async () => (await import('@node-rs/argon2')).hash(normalised(password), ARGON2))

/** What is verified where there is no hash, so that this takes as long; no password has it. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5J3MgcGFzc3dvcg$Pq0gW1Xv7u5m9eL3k2TtYy8aC4hR6dJzN0bVfSxQwEo'

/** Whether it is the password of that hash; without a hash it never is, and that takes as long. @throws `rate_limited` */
export const verifyPassword = (passwordHash: string | null, password: string, tenant: string) =>
  places.run(tenant, async () => {
    const { verify } = await import('@node-rs/argon2')
    const isRight = await verify(passwordHash ?? NOBODYS_HASH, normalised(password))
    return isRight && passwordHash !== null
  })

/** Somebody at a portal or the console, known or not. */
export interface Visitor {
  address: string | undefined
  /** Fires when they have gone. */
  signal?: AbortSignal | undefined
}

/** What one of them asks for by a request. */
export interface Visit extends Visitor {
  userAgent: string | undefined
  requestId: string
}

/** One for each tenant whose visitors ever came; there are no more than a few for each partner. */
const visitors = new Map<string, FairQueue>()

/**
 * Does what a visitor asks for when it is their turn: a tenant's visitors come one after the other, by their widest
 * networks in rotation, so that a flood costs nothing before and keeps nobody else waiting. Not to be nested.
 *
 * @throws ServiceError `rate_limited` when too many wait already, most of them in the same network
 */
export function inTurn<T>(tenant: string, { address, signal }: Visitor, work: () => Promise<T>): Promise<T> {
  const queue =
    visitors.get(tenant) ??
    createFairQueue({
      atOnce: 1,
      atOncePerTenant: 1,
      waitingPerTenant: MAX_WAITING,
      waiting: MAX_WAITING,
      refusal: tooMany
    })
  visitors.set(tenant, queue)
  return queue.run(widestNetworkOf(address), work, signal)
}

/** The same letters, however a keyboard composed them (NIST SP 800-63B). */
const normalised = (password: string): string => password.normalize('NFKC')

export const MIN_PASSWORD_LENGTH = 10
export const MAX_PASSWORD_LENGTH = 200

/** @throws ServiceError `invalid_input` with the field `password` for what is guessed first */
export function checkNewPassword(password: string, email: string): void {
  const problem = problemOf(password, email)
  if (problem) throw new ServiceError('invalid_input', problem, { field: 'password', isSaid: true })
}

function problemOf(password: string, email: string): string | undefined {
  const length = [...normalised(password)].length
  if (length < MIN_PASSWORD_LENGTH)
    return say('The password needs at least {count} characters. A few words in a row do well.', {
      count: MIN_PASSWORD_LENGTH
    })
  if (length > MAX_PASSWORD_LENGTH)
    return say('The password can have at most {count} characters.', { count: MAX_PASSWORD_LENGTH })
  const key = emailKey(normalised(password))
  if (key === emailKey(email)) return say('The password can’t be your e-mail address. Choose another one.')
  if (isCommon(key))
    return say('This password is among the first that anybody would guess. Choose another one.')
  return undefined
}

/** What stands in front of every list of stolen passwords, spelled as short as it comes; longer ones are made of it. */
const COMMON_WORDS = `
  password passwort qwertyuiop qwerty qwertz azerty asdfghjkl abcdefghij letmein welcome changeme iloveyou
  administrator admin secret dragon monkey football baseball sunshine princess superman trustno whatever mindgate
`
  .trim()
  .split(/\s+/)

/** A common word with digits and signs around it, once or repeated; or a run or repetition of one or two characters. */
function isCommon(key: string): boolean {
  if (new Set(key).size <= 2) return true
  if (RUNS.some((run) => run.includes(key))) return true
  const letters = key
    .replaceAll(/^[^a-z]+|[^a-z]+$/g, '')
    .replaceAll('@', 'a')
    .replaceAll('0', 'o')
    .replaceAll(/[^a-z]/g, '')
  return COMMON_WORDS.some((word) => letters !== '' && letters.replaceAll(word, '') === '')
}

const RUNS = ['01234567890123456789', '98765432109876543210', 'abcdefghijklmnopqrstuvwxyz']
