// The OpenAI-compatible endpoint for agents on customers' servers (§4C), where AI_GATEWAY is `embedded`: their keys `sk-…`,
// their partner's models, the operator's upstream.
import { type Context, Hono } from 'hono'
import { AiFault, faultBody } from '../src/ai-gateway/embedded/fault.ts'
import { AUTO } from '../src/ai-gateway/embedded/keys.ts'
import type { EmbeddedSettings } from '../src/ai-gateway/variables.ts'
import { type ErrorCode, type ServiceError, statusOf, toServiceError } from '../src/errors.ts'
import type { Service } from '../src/service.ts'
import { answerCompletion } from './ai-gateway/completions.ts'
import { authenticateAgent } from './ai-gateway/key.ts'
import type { RequestEnv } from './middleware/request-env.ts'

export const AI_PREFIX = '/ai/v1'

export function aiGateway(service: Service, settings: EmbeddedSettings): Hono<RequestEnv> {
  const routes = new Hono<RequestEnv>()
  /** OpenAI's model object; when a model was made is not for us to say. What it reads agents look for beside it. */
  const modelObject = (id: string, [primary = '']: readonly string[]) => {
    const context_length = settings.contextTokens.get(id === AUTO ? primary : id)
    return {
      id,
      object: 'model',
      created: 0,
      owned_by: 'mindgate',
      ...(context_length && { context_length })
    }
  }
  routes.onError((error, c) => answerFault(c, error))
  routes.use(function nameChannel(c, next) {
    c.set('channel', 'ai')
    return next()
  })
  routes.get('/models', async (c) => {
    const { models } = await authenticateAgent(service, c)
    return c.json({ object: 'list', data: modelNames(models).map((name) => modelObject(name, models)) })
  })
  // A model's name can have slashes.
  routes.get('/models/:model{.+}', async (c) => {
    const { models } = await authenticateAgent(service, c)
    const name = modelNames(models).find((model) => model === c.req.param('model'))
    if (name === undefined) throw new AiFault(404, 'model_not_found', NO_SUCH_MODEL, { param: 'model' })
    return c.json(modelObject(name, models))
  })
  routes.post('/chat/completions', (c) => answerCompletion(service, settings, c))
  routes.all('*', () => {
    const text = 'The gateway has GET /models and POST /chat/completions, nothing else.'
    throw new AiFault(404, 'unknown_url', text)
  })
  return routes
}

const NO_SUCH_MODEL = 'The model does not exist, or this key may not use it.'

const modelNames = (models: readonly string[]): string[] =>
  models.length === 0 ? [] : [...new Set([AUTO, ...models])]

/** OpenAI's error shape, which is all that an agent's client understands, and the headers that go with it. */
function answerFault(c: Context<RequestEnv>, error: unknown): Response {
  const fault = error instanceof AiFault ? error : refusalOf(c, toServiceError(error))
  const { status, retryAfterSeconds } = fault
  const headers = new Headers({ 'Content-Type': 'application/json' })
  if (status === 401) headers.set('WWW-Authenticate', 'Bearer realm="mindgate"')
  if (retryAfterSeconds !== undefined) headers.set('Retry-After', String(Math.ceil(retryAfterSeconds)))
  return new Response(JSON.stringify(faultBody(fault)), { status, headers })
}

/** What OpenAI calls the same thing; its clients look at these. */
const OPENAI_CODES: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'invalid_api_key',
  rate_limited: 'rate_limit_exceeded',
  invalid_input: 'invalid_request'
}

function refusalOf(c: Context<RequestEnv>, { code, message, retryAfterSeconds }: ServiceError): AiFault {
  c.set('code', code)
  return new AiFault(statusOf(code), OPENAI_CODES[code] ?? code, message, { retryAfterSeconds })
}
