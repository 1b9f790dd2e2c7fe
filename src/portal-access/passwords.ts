// Passwords: argon2id with OWASP's parameters, and temporary ones that can be typed from a mail.
import { hash, verify } from '@node-rs/argon2'
import { customAlphabet } from 'nanoid'
import { emailKey } from '../customers/email.ts'
import { ServiceError } from '../errors.ts'

/** argon2id is the library's default; 19 MiB and two passes. */
const ARGON2 = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const

/** Four groups of four from 31 unmistakable characters: 79 random bits. */
const group = customAlphabet('23456789abcdefghjkmnpqrstuvwxyz', 4)

export const newTemporaryPassword = (): string => [group(), group(), group(), group()].join('-')

/** About 20 ms in a worker thread; never call it inside a transaction. */
export const hashPassword = (password: string): Promise<string> => hash(normalised(password), ARGON2)

/** What is verified where there is no hash, so that this takes as long; no password has it. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5J3MgcGFzc3dvcg$Pq0gW1Xv7u5m9eL3k2TtYy8aC4hR6dJzN0bVfSxQwEo'

/** So many are verified at once, and so many may wait: strangers must not take every thread and all memory. */
const MAX_AT_ONCE = 2
const MAX_WAITING = 100

let running = 0
const waiting: (() => void)[] = []

/**
 * Whether it is the password of that hash; without a hash it never is, and that takes as long to say.
 *
 * @throws ServiceError `rate_limited` when too many passwords wait already
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  if (waiting.length >= MAX_WAITING) {
    throw new ServiceError('rate_limited', 'Too many people sign in right now. Try again in 2 seconds.', {
      retryAfterSeconds: 2
    })
  }
  // Who waited takes over the place of who woke it.
  if (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    const isRight = await verify(passwordHash ?? NOBODYS_HASH, normalised(password))
    return isRight && passwordHash !== null
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** The same letters, however a keyboard composed them (NIST SP 800-63B). */
const normalised = (password: string): string => password.normalize('NFKC')

export const MIN_PASSWORD_LENGTH = 10
export const MAX_PASSWORD_LENGTH = 200

/**
 * Refuses what is guessed first: too short, the e-mail address, one of the most common, or one character over and over.
 *
 * @throws ServiceError `invalid_input` with the field `password`
 */
export function checkNewPassword(password: string, email: string): void {
  const problem = problemOf(password, email)
  if (problem) throw new ServiceError('invalid_input', problem, { field: 'password' })
}

function problemOf(password: string, email: string): string | undefined {
  const length = [...normalised(password)].length
  if (length < MIN_PASSWORD_LENGTH)
    return `The password needs at least ${MIN_PASSWORD_LENGTH} characters. A few words in a row do well.`
  if (length > MAX_PASSWORD_LENGTH) return `The password can have at most ${MAX_PASSWORD_LENGTH} characters.`
  const key = emailKey(normalised(password))
  if (key === emailKey(email)) return 'The password can’t be your e-mail address. Choose another one.'
  if (isCommon(key)) return 'This password is among the first that anybody would guess. Choose another one.'
  return undefined
}

/** What stands in front of every list of stolen passwords, spelled as short as it comes; longer ones are made of it. */
const COMMON_WORDS = [
  'password',
  'passwort',
  'qwertyuiop',
  'qwerty',
  'qwertz',
  'azerty',
  'asdfghjkl',
  'letmein',
  'welcome',
  'changeme',
  'iloveyou',
  'administrator',
  'admin',
  'secret',
  'dragon',
  'monkey',
  'football',
  'baseball',
  'sunshine',
  'princess',
  'superman',
  'trustno',
  'whatever',
  'mindgate',
  'abcdefghij'
]

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
