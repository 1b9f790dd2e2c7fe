// What an upstream says when it refuses, in words that an agent's owner may read.
import { z } from 'zod'
import { readCapped, secondsOf, UpstreamError } from '../../http/fetch-json.ts'
import type { EmbeddedSettings } from '../variables.ts'
import { AiFault, unusable } from './fault.ts'
import { withoutSecrets } from './redact.ts'

const MAX_ERROR_BYTES = 65_536
const LONGEST_TEXT = 2_000

const ErrorObject = z.object({
  message: z.string(),
  code: z.union([z.string(), z.number()]).nullish(),
  param: z.string().nullish()
})
const ErrorBody = z.object({
  error: z.union([ErrorObject, z.string().transform((message) => ({ message }))])
})

/** What the upstream said of its refusal, in its own words but where those would mislead. */
export async function refusalOf(response: Response, settings: EmbeddedSettings): Promise<AiFault> {
  const { status } = response
  const said = await errorIn(response)
  // As they are, they would tell the agent that its own key is wrong.
  if (status === 401 || status === 403 || status === 407)
    return new AiFault(502, 'upstream_refused', 'The AI provider refused the operator’s key or access.')
  if (status < 400) return unusable()
  const retryAfterSeconds = secondsOf(response.headers.get('retry-after'))
  const text = withoutSecrets(said?.message ?? `The AI provider answered with status ${status}.`, settings)
  const { code, param } = said ?? {}
  return new AiFault(
    status,
    withoutSecrets(String(code ?? 'upstream_error'), settings),
    text.slice(0, LONGEST_TEXT),
    {
      param: param ?? null,
      retryAfterSeconds
    }
  )
}

async function errorIn(response: Response): Promise<z.output<typeof ErrorObject> | undefined> {
  try {
    const bytes = await readCapped(response, MAX_ERROR_BYTES)
    return ErrorBody.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data?.error
  } catch (error) {
    // No JSON, or a flood: the status has to do. A broken connection is told as what it is.
    if (error instanceof SyntaxError || error instanceof UpstreamError) return undefined
    throw error
  }
}
