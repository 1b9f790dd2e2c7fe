// The part of the environment that says which engine answers from memories, and where Honcho is.
import { z } from 'zod'
import { bearerKey, httpUrl, optional, wholeNumber, withDefault } from '../../config-values.ts'

export const honchoVariables = {
  MEMORY_ENGINE: withDefault('embedded', z.enum(['embedded', 'honcho'])).describe(
    'embedded or honcho: who makes profiles of memories and answers from them.'
  ),
  HONCHO_URL: optional(httpUrl).describe(
    'Base URL of Honcho, for MEMORY_ENGINE=honcho; https://api.honcho.dev is its hosted service.'
  ),
  HONCHO_KEY: optional(bearerKey).describe(
    'Key for HONCHO_URL that may make workspaces; a Honcho of one’s own may need none.'
  ),
  HONCHO_TIMEOUT_MS: wholeNumber(30_000, 600_000).describe(
    'Longest wait for one answer of Honcho, in milliseconds; MEMORY_DEADLINE_MS ends an Ask earlier, and 3 seconds a Recall.'
  )
}

export interface HonchoServer {
  /** Without `/v3`. */
  url: string
  key: string | undefined
  timeoutMs: number
}

export interface HonchoSettings {
  /** Whether it is the engine. */
  isEngine: boolean
  /** It may be set without being the engine: what was forwarded once can be taken away there. */
  server: HonchoServer | undefined
}

type Variables = z.output<z.ZodObject<typeof honchoVariables>>

/** @param complain throws for a variable that is missing */
export function honchoSettingsOf(variables: Variables, complain: (problem: string) => never): HonchoSettings {
  const { MEMORY_ENGINE, HONCHO_URL, HONCHO_KEY, HONCHO_TIMEOUT_MS } = variables
  const isEngine = MEMORY_ENGINE === 'honcho'
  if (!HONCHO_URL && isEngine) complain('HONCHO_URL: is needed with MEMORY_ENGINE=honcho')
  const server = HONCHO_URL && {
    url: HONCHO_URL.replace(/\/v3$/, ''),
    key: HONCHO_KEY,
    timeoutMs: Math.max(1, HONCHO_TIMEOUT_MS)
  }
  return { isEngine, server: server || undefined }
}
