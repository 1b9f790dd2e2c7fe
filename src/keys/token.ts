// The shape of our bearer tokens: a prefix that tells the kind, 43 random letters and digits, and a checksum that lets a
// mistyped token be refused (and a leaked one be found) without a look into the database.
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { customAlphabet } from 'nanoid'
import { Scope } from '../../schemas/api-key.ts'
import type { Flag } from '../database/tables.ts'

export type TokenKind = 'pkt' | 'mct'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62^43 > 2^256 */
const RANDOM_CHARS = 43
/** 62^6 > 2^32 */
const CHECKSUM_CHARS = 6
/** `pkt_` and eight characters: 47 bits, so a prefix names one token in practice. */
const LOOKUP_CHARS = 12

/** A new token of the kind, such as `pkt_…`; shown once and never stored. */
export function mintToken(kind: TokenKind): string {
  const body = `${kind}_${randomToken()}`
  return body + checksum(body)
}

/** Whether a text has the form of a token of that kind, checksum included. */
export function isToken(kind: TokenKind, text: string): boolean {
  if (text.length !== kind.length + 1 + RANDOM_CHARS + CHECKSUM_CHARS || !text.startsWith(`${kind}_`))
    return false
  const body = text.slice(0, -CHECKSUM_CHARS)
  return /^[0-9A-Za-z]+$/.test(text.slice(kind.length + 1)) && text.endsWith(checksum(body))
}

/** The part by which a token is found; it tells nothing of the rest. */
export const tokenPrefix = (token: string): string => token.slice(0, LOOKUP_CHARS)

/** What is stored of a token or link: its SHA-256. */
export const tokenHash = (token: string): string => hash('sha256', token)

/** For a link in a mail, or a session: nobody guesses it. */
export const randomToken = customAlphabet(ALPHABET, RANDOM_CHARS)

const Scopes = Scope.array()
/** Partners give most of their keys the same few combinations. */
const MAX_KNOWN_SETS = 1_000
const knownSets = new Map<string, ReadonlySet<Scope>>()

/** The scopes that a row's JSON lists; read once for each text. */
export function scopeSet(json: string): ReadonlySet<Scope> {
  const known = knownSets.get(json)
  if (known) return known
  const scopes = new Set(scopeList(json))
  if (knownSets.size < MAX_KNOWN_SETS) knownSets.set(json, scopes)
  return scopes
}

/** The same as a list, in the row's order. */
export const scopeList = (json: string): Scope[] => Scopes.parse(JSON.parse(json))

function checksum(body: string): string {
  let digits = ''
  for (let rest = crc32(body); rest > 0; rest = Math.floor(rest / 62)) {
    digits = ALPHABET.charAt(rest % 62) + digits
  }
  return digits.padStart(CHECKSUM_CHARS, '0')
}

declare module '../database/tables.ts' {
  interface Tables {
    apiKey: Owned & {
      name: string
      /** The token's first characters, by which it is looked up. */
      prefix: string
      /** SHA-256 of the token, hex. */
      hash: string
      /** JSON array of scopes. */
      scopes: string
      expiresAt: string | null
      lastUsedAt: string | null
      revokedAt: string | null
      createdAt: string
    }
    /** A token that opens one customer's gateway. */
    customerToken: Tables['apiKey'] & {
      customerId: string
      /** Made by the customer in its portal: it works while `enableApiAccess` is on. */
      isSelfMinted: Flag
    }
  }
}
