// How far a partner's calls are read from its voice-agent providers, and where those tell of calls.
import { z } from 'zod'
import { StoredTimestamp } from './primitives.ts'
import { PROVIDERS } from './voice-agent.ts'

export const UsageSyncState = z.object({
  provider: z.enum(PROVIDERS),
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
