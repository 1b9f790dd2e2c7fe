// A partner's keys at its voice-agent providers, which are never answered; how far calls are read with each, and where
// providers tell of calls.
import { z } from 'zod'
import { requiredLine, StoredTimestamp } from './primitives.ts'
import { PROVIDERS } from './voice-agent.ts'

const Provider = z.enum(PROVIDERS)
const MAX_KEY_CHARS = 500

/** One line of printable characters: it travels in a header. */
export const ProviderSecret = requiredLine(MAX_KEY_CHARS).regex(
  /^[\x21-\x7e]+$/,
  'must be one line of letters, digits and signs without spaces'
)

export const ProviderKeyPath = z.strictObject({ provider: Provider })
export const SetProviderKey = z.strictObject({ provider: Provider, key: ProviderSecret })

export const ProviderKey = z.object({
  provider: Provider,
  isSet: z.boolean(),
  updatedAt: StoredTimestamp.nullable(),
  testedAt: StoredTimestamp.nullable(),
  /** What kept the key from working then, in words. */
  testError: z.string().nullable()
})

export const ProviderKeyList = z.object({ data: z.array(ProviderKey) })

export const ProviderKeyTest = z.object({
  message: z.string(),
  /** At most as many as one question brings. */
  agentCount: z.int()
})

export const UsageSyncState = z.object({
  provider: Provider,
  /** Everything that changed before is read; `null` until the first reading has come to its end. */
  readUntil: StoredTimestamp.nullable(),
  lastReadAt: StoredTimestamp.nullable(),
  /** `null` where reading has stopped. */
  nextReadAt: StoredTimestamp.nullable(),
  /** Nothing was read for a day. */
  isBehind: z.boolean(),
  /** Why it failed the last time, in words. */
  error: z.string().nullable()
})

/** Of each provider that a key is set for. */
export const UsageSyncStates = z.object({ data: z.array(UsageSyncState) })

export const UsageSyncResult = z.object({ calls: z.int() })

/** What a provider is to be given so that it tells of calls. */
export const CallHook = z.object({
  /** Below the service's address. */
  path: z.string(),
  /** Of provider A; B signs with the API key. */
  secret: z.string().nullable()
})
