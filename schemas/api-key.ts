// Partner API keys (§5) and their scopes.
import { z } from 'zod'
import { createdAt, RecordId, requiredLine, StoredTimestamp, Timestamp } from './primitives.ts'

export const SCOPES = [
  'customers:read',
  'customers:write',
  'memory:read',
  'memory:write',
  'instances:read',
  'instances:write',
  'credits:read',
  'credits:write',
  'billing:read',
  'billing:write',
  'plans:read',
  'audit:read'
] as const
export const Scope = z.enum(SCOPES)
export type Scope = z.infer<typeof Scope>

export const DEFAULT_SCOPES: readonly Scope[] = ['customers:read', 'customers:write']

/** What a key or token is made with, of the scopes that there are for it. */
export const mintingOf = <Names extends readonly [Scope, ...Scope[]]>(
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
