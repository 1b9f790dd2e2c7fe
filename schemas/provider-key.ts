// A partner's keys at its voice-agent providers: set, tried and removed, and never answered.
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
  updatedAt: StoredTimestamp.nullable()
})

export const ProviderKeyList = z.object({ data: z.array(ProviderKey) })

export const ProviderKeyTest = z.object({
  message: z.string(),
  /** At most as many as one question brings. */
  agentCount: z.int()
})
