// Partner API keys (§5) and their scopes.
import { z } from 'zod'
import { createdAt, RecordId, requiredLine, StoredTimestamp, Timestamp } from './primitives.ts'

/** Every scope with what it lets a key do, as who gives it reads it. */
export const SCOPE_TEXTS = {
  'customers:read': {
    label: 'Read customers',
    help: 'See customers with their team, voice agents and portal access.'
  },
  'customers:write': {
    label: 'Change customers',
    help: 'Onboard, change, invite and block customers and map voice agents. Some of it sends mails.'
  },
  'memory:read': {
    label: 'Read memories',
    help: 'Recall, ask and export what customers’ agents remember. Questions cost credits.'
  },
  'memory:write': { label: 'Change memories', help: 'Remember, forget, and add parts to the memory.' },
  'instances:read': { label: 'Read servers', help: 'See customers’ virtual servers and how they are.' },
  'instances:write': {
    label: 'Change servers',
    help: 'Register servers, deploy agents on them and chat with those.'
  },
  'credits:read': { label: 'Read credits', help: 'See your balance, your customers’ and every entry.' },
  'credits:write': { label: 'Grant credits', help: 'Grant AI credits to customers.' },
  'billing:read': {
    label: 'Read usage and statements',
    help: 'See calls, what they are charged at, and statements.'
  },
  'billing:write': {
    label: 'Bill statements',
    help: 'Mark statements billed or void.'
  },
  'plans:read': { label: 'Read plans', help: 'See your plans and what they include.' },
  'audit:read': { label: 'Read the audit log', help: 'See who did what.' }
}

export type Scope = keyof typeof SCOPE_TEXTS
export const SCOPES = Object.keys(SCOPE_TEXTS) as Scope[]
export const Scope = z.enum(SCOPES)

/** What the console alone offers: no key, token or app has these. */
export const CONSOLE_SCOPES = ['settings:read', 'settings:write'] as const

/** What an operation asks of its caller. */
export type AnyScope = Scope | (typeof CONSOLE_SCOPES)[number]
export const ALL_SCOPES: readonly AnyScope[] = [...SCOPES, ...CONSOLE_SCOPES]

export const DEFAULT_SCOPES: readonly Scope[] = ['customers:read', 'customers:write']

/** What a key or token is made with, of the scopes that there are for it. */
export const mintingOf = <Names extends readonly Scope[]>(
  scopes: Names,
  byDefault: readonly Names[number][] = scopes
) =>
  z.strictObject({
    name: requiredLine(100),
    scopes: z
      .array(z.enum(scopes))
      .min(1)
      .max(scopes.length)
      .default([...byDefault]),
    expiresAt: Timestamp.optional()
  })

export const MintApiKey = mintingOf(SCOPES, DEFAULT_SCOPES)

export const ApiKeyPath = z.strictObject({ keyId: RecordId })

/** A key or token as its owner sees it, without anything that opens a channel. */
export const Credential = z.object({
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(Scope),
  expiresAt: StoredTimestamp.nullable(),
  lastUsedAt: StoredTimestamp.nullable(),
  revokedAt: StoredTimestamp.nullable(),
  createdAt
})
export type Credential = z.output<typeof Credential>

export const ApiKey = z.object({ keyId: z.string(), ...Credential.shape })
export type ApiKey = z.output<typeof ApiKey>

export const ApiKeyList = z.object({ data: z.array(ApiKey) })

/** `key` is there once: null where the same request is answered again. */
export const MintedApiKey = z.object({
  message: z.string(),
  keyId: z.string(),
  key: z.string().nullable(),
  ...Credential.pick({ scopes: true, expiresAt: true }).shape
})
