// Passwords: argon2id with OWASP's parameters, and temporary ones that can be typed from a mail.
import { hash } from '@node-rs/argon2'
import { customAlphabet } from 'nanoid'

/** argon2id is the library's default; 19 MiB and two passes. */
const ARGON2 = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const

/** Four groups of four from 31 unmistakable characters: 79 random bits. */
const group = customAlphabet('23456789abcdefghjkmnpqrstuvwxyz', 4)

export const newTemporaryPassword = (): string => [group(), group(), group(), group()].join('-')

/** About 20 ms in a worker thread; never call it inside a transaction. */
export const hashPassword = (password: string): Promise<string> => hash(password, ARGON2)
