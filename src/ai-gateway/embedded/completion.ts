import type { z } from 'zod'
import { ChatCompletionRequest } from '../../../schemas/ai-gateway.ts'
import { ServiceError } from '../../errors.ts'
import { invalidInput } from '../../invalid-input.ts'
import { parseJson } from '../../json-shape.ts'
import type { EmbeddedSettings } from '../variables.ts'
import { AiFault } from './fault.ts'
import { AUTO } from './keys.ts'

/**
 * Everything of OpenAI's request that is about this one answer, and what open models take beside it. Elsewhere `models` or
 * `fallbacks` name other models, `api_base` another server; `store` and `service_tier` spend the operator's account.
 */
const PASSED_ON = `
  messages audio chat_template_kwargs frequency_penalty function_call functions logit_bias logprobs min_p modalities n
  parallel_tool_calls prediction presence_penalty prompt_cache_key reasoning reasoning_effort repetition_penalty
  response_format safety_identifier seed stop stream temperature thinking tool_choice tools top_k top_logprobs top_p user
  verbosity`
  .trim()
  .split(/\s+/)

/** Tools bring JSON Schemas, and a conversation a few values for each turn. */
const JSON_LIMITS = { depth: 64, values: 50_000 }

type Request = z.output<typeof ChatCompletionRequest>

export type Completion = ReturnType<typeof completionFor>

type Asked = { bytes: Uint8Array; models: readonly string[]; limit: EmbeddedSettings['answerLimit'] }

/** The request to send on, or the fields of the fault: an error would lose them on its way out of a thread. */
export function readCompletion(asked: Asked) {
  try {
    return completionFor(parseJson(asked.bytes, JSON_LIMITS), asked)
  } catch (error) {
    if (error instanceof AiFault) return { fault: { ...error } }
    if (!(error instanceof ServiceError)) throw error
    return { fault: { ...new AiFault(400, 'invalid_request', error.message) } }
  }
}

/** @throws AiFault for what is no chat completion request, or asks for a model that the key doesn't open */
function completionFor(json: unknown, { models, limit }: Asked) {
  const request = parse(json)
  const model = modelFor(request.model, models)
  const passedOn = PASSED_ON.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]]]))
  const length = lengthOf(request, limit)
  const body = new TextEncoder().encode(
    JSON.stringify({
      ...Object.fromEntries(passedOn),
      [limit.field]: length,
      model,
      ...(request.stream ? { stream_options: { ...request.stream_options, include_usage: true } } : {})
    })
  )
  return {
    model,
    wantsUsage: request.stream_options?.include_usage === true,
    body,
    // That the call can use, prompt and answers, as far as that can be known. A token is one byte at least.
    mostTokens: body.byteLength + beyondBytes(request.messages) + (request.n ?? 1) * length
  }
}

/** The least that the agent says of an answer's length; never more than the limit. */
const lengthOf = ({ max_tokens, max_completion_tokens }: Request, { tokens }: Asked['limit']): number =>
  Math.min(tokens, max_tokens ?? tokens, max_completion_tokens ?? tokens)

/** More than nearly every model makes of one. */
const PICTURE_TOKENS = 10_000

/** Tokens of the pictures beyond their bytes, which for those that lie in the request are many more. */
function beyondBytes(messages: Request['messages']): number {
  let tokens = 0
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
  for (const { type, image_url } of parts) {
    const { url }: { url?: unknown } = Object(image_url)
    const isInside = typeof url === 'string' && url.startsWith('data:image/')
    if (type === 'image_url') tokens += PICTURE_TOKENS - (isInside ? url.length : 0)
  }
  return tokens
}

function parse(asked: unknown): Request {
  const parsed = ChatCompletionRequest.safeParse(asked)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const param = issue?.path.join('.') || null
  const text = invalidInput(parsed.error, 'The request').message
  throw new AiFault(400, 'invalid_request', text, { param })
}

function modelFor(asked: string, models: readonly string[]): string {
  const [primary] = models
  if (primary === undefined)
    throw new AiFault(403, 'models_missing', 'No model is left that this key may use.')
  if (asked === AUTO) return primary
  if (models.includes(asked)) return asked
  const text = 'The model does not exist, or this key may not use it. GET /models lists those that it may.'
  throw new AiFault(404, 'model_not_found', text, { param: 'model' })
}
