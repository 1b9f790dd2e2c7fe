// Partner API keys (§5) and their scopes.
import { z } from 'zod'
import { requiredLine, Timestamp } from './primitives.ts'

export const SCOPES = [
  'customers:read',
  'customers:write',
  'memory:read',
  'memory:write',
  'instances:read',
  'instances:write',
  'credits:read',
  'credits:write',
  'plans:read',
  'audit:read'
] as const
export const Scope = z.enum(SCOPES)
export type Scope = z.infer<typeof Scope>

/** What a new key may do unless told otherwise. */
export const DEFAULT_SCOPES: readonly Scope[] = ['customers:read', 'customers:write']

export const MintApiKey = z.strictObject({
  name: requiredLine(100),
  scopes: z
    .array(Scope)
    .min(1)
    .max(SCOPES.length)
    .default([...DEFAULT_SCOPES]),
  expiresAt: Timestamp.optional()
})
