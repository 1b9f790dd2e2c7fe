import { z } from 'zod'
import {
  bearerKey,
  env,
  httpUrl,
  optional,
  type Settled,
  wholeNumber,
  withDefault
} from '../../config-values.ts'

export const honchoVariables = {
  engine: env('MEMORY_ENGINE', withDefault('embedded', z.enum(['embedded', 'honcho']))).describe(
    'embedded or honcho: who makes profiles of memories and answers from them.'
  ),
  url: env('HONCHO_URL', optional(httpUrl)).describe(
    'Base URL of Honcho, for MEMORY_ENGINE=honcho; https://api.honcho.dev is its hosted service.'
  ),
  key: env('HONCHO_KEY', optional(bearerKey)).describe(
    'Key for HONCHO_URL that may make workspaces; a Honcho of one’s own may need none.'
  ),
  timeoutMs: env('HONCHO_TIMEOUT_MS', wholeNumber(30_000, 600_000, 1)).describe(
    'Longest wait for one answer of Honcho, in milliseconds; MEMORY_DEADLINE_MS ends an Ask earlier, and 3 seconds a Recall.'
  )
}

export type HonchoSettings = ReturnType<typeof honchoSettingsOf>
export type HonchoServer = NonNullable<HonchoSettings['server']>

/**
 * A server may be set without being the engine: what was forwarded once can be taken away there.
 * @param complain throws for a variable that is missing
 */
export function honchoSettingsOf(
  { engine, url, ...server }: Settled<typeof honchoVariables>,
  complain: (problem: string) => never
) {
  const isEngine = engine === 'honcho'
  if (!url && isEngine) complain('HONCHO_URL: is needed with MEMORY_ENGINE=honcho')
  return { isEngine, server: url ? { url: url.replace(/\/v3$/, ''), ...server } : undefined }
}
