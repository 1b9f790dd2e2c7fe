// From what an agent asks to what the upstream is asked.
import type { z } from 'zod'
import { ChatCompletionRequest } from '../../../schemas/ai-gateway.ts'
import { ServiceError } from '../../errors.ts'
import { parseJson } from '../../json-shape.ts'
import { AiFault } from './fault.ts'
import { AUTO } from './keys.ts'

export interface Completion {
  /** The model that is asked, never `auto`. */
  model: string
  /** What the upstream is sent, as JSON. */
  body: Uint8Array<ArrayBuffer>
  /** Whether the agent itself asked for the usage at the end of a stream. */
  wantsUsage: boolean
}

/**
 * Everything of OpenAI's request that is about this one answer, and what open models take beside it. The rest stays
 * out: elsewhere `models` or `fallbacks` name other models, `api_base` another server, and `store` or `service_tier`
 * spend the operator's account.
 */
const PASSED_ON = [
  'messages',
  'audio',
  'chat_template_kwargs',
  'frequency_penalty',
  'function_call',
  'functions',
  'logit_bias',
  'logprobs',
  'max_completion_tokens',
  'max_tokens',
  'min_p',
  'modalities',
  'n',
  'parallel_tool_calls',
  'prediction',
  'presence_penalty',
  'prompt_cache_key',
  'reasoning',
  'reasoning_effort',
  'repetition_penalty',
  'response_format',
  'safety_identifier',
  'seed',
  'stop',
  'stream',
  'temperature',
  'thinking',
  'tool_choice',
  'tools',
  'top_k',
  'top_logprobs',
  'top_p',
  'user',
  'verbosity'
] as const

/** Tools bring JSON Schemas, and a conversation a few values for each turn. */
const JSON_LIMITS = { depth: 64, values: 50_000 }

interface Asked {
  bytes: Uint8Array
  /** What the caller's key opens. */
  models: readonly string[]
}

/** The request to send on, or the fields of the fault: an error would lose them on its way out of a thread. */
export function readCompletion({ bytes, models }: Asked): Completion | { fault: Omit<AiFault, keyof Error> } {
  try {
    return completionFor(parseJson(bytes, JSON_LIMITS), models)
  } catch (error) {
    if (error instanceof AiFault) return { fault: { ...error } }
    if (!(error instanceof ServiceError)) throw error
    return { fault: { ...new AiFault(400, 'invalid_request', error.message) } }
  }
}

/** @throws AiFault for what is no chat completion request, or asks for a model that the key doesn't open */
function completionFor(asked: unknown, models: readonly string[]): Completion {
  const request = parse(asked)
  const model = modelFor(request.model, models)
  const passedOn = PASSED_ON.filter((name) => request[name] !== undefined).map((name) => [
    name,
    request[name]
  ])
  return {
    model,
    wantsUsage: request.stream_options?.include_usage === true,
    body: new TextEncoder().encode(
      JSON.stringify({
        ...Object.fromEntries(passedOn),
        model,
        ...(request.stream ? { stream_options: { ...request.stream_options, include_usage: true } } : {})
      })
    )
  }
}

function parse(asked: unknown): z.output<typeof ChatCompletionRequest> {
  const parsed = ChatCompletionRequest.safeParse(asked)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const param = issue?.path.join('.') || null
  const text = `The request is no chat completion${param ? `: look at \`${param}\`` : ''}.`
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
