import { z } from 'zod'
import { readCapped, UpstreamError } from '../../http/fetch-json.ts'
import { AiGatewayError } from '../keys.ts'
import type { LiteLlmSettings } from '../variables.ts'

/** The proxy asks its database; what takes longer is broken. */
const ANSWER_WITHIN_MS = 15_000
const MAX_ANSWER_BYTES = 1_048_576

export interface LiteLlmAnswer {
  isOk: boolean
  status: number
  body: unknown
  /** `error.type` and `error.param` of a refusal; empty where it has none. */
  type: string
  param: string
}

const ErrorBody = z.object({
  error: z.object({ type: z.string().nullish(), param: z.string().nullish() })
})

/**
 * Asks the proxy's management API with the master key.
 *
 * @throws AiGatewayError `unreachable`, `failed`
 */
export async function askLiteLlm(
  { url, masterKey }: LiteLlmSettings,
  path: string,
  body: unknown
): Promise<LiteLlmAnswer> {
  try {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${masterKey}`,
        'content-type': 'application/json'
      },
      body: JSON.stringify(body),
      // Following one would send the master key wherever the answer says.
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS)
    })
    return await read(response)
  } catch (error) {
    if (error instanceof UpstreamError) throw new AiGatewayError('failed', UNUSABLE, { cause: error })
    throw new AiGatewayError('unreachable', 'The LiteLLM proxy can’t be reached. Try again later.', {
      cause: error
    })
  }
}

const UNUSABLE = 'The LiteLLM proxy gave an answer that can’t be used.'

async function read(response: Response): Promise<LiteLlmAnswer> {
  const body = jsonOf(await readCapped(response, MAX_ANSWER_BYTES))
  const parsed = ErrorBody.safeParse(body)
  const { type, param } = parsed.success ? parsed.data.error : {}
  return { isOk: response.ok, status: response.status, body, type: type ?? '', param: param ?? '' }
}

/** `undefined` for what is no JSON: then the status has to do. */
function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
