// A real HTTP server that speaks what we use of OpenAI's completions and embeddings, and of a gateway's reranking; the tests say what it answers.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bearerOf, readJson, send, startHttp } from './http-server.ts'
import {
  begin,
  LLM_FAULTS,
  type LlmBehaviour,
  type LlmRequest,
  refuseKey,
  refuseParameter
} from './llm-faults.ts'
import { base64Of, vectorOf } from './llm-vectors.ts'
import { answerAsModel, chunkOf, deltaOf } from './model.ts'

/** The key that it accepts. */
export const LLM_KEY = 'sk-llm-key-that-must-never-show'

export interface LlmStandIn {
  /** For LLM_URL. */
  url: string
  /** Oldest first. */
  requests: LlmRequest[]
  /** Parameters that it refuses with 400, each by its name. */
  unsupported: Set<string>
  /** How answers of this name are made: an object is sent as JSON, a string as it is. Without one: `{}`. `rerank`: whole. */
  on(answerName: string, answer: LlmAnswer): void
  /** What it does with the next `times` requests; without `times` with all, until told otherwise. */
  behave(behaviour: LlmBehaviour, times?: number): void
  /** Resolves when the next request comes, before it is answered. */
  asked(): Promise<void>
  /** Lets requests that wait go on. */
  release(): void
  close(): Promise<void>
}

/** @param call from 1 since it was told to answer so */
type LlmAnswer = (request: LlmRequest, call: number) => unknown

const DIMENSIONS = 64

export async function startLlm(): Promise<LlmStandIn> {
  const plan: { behaviour: LlmBehaviour; times: number } = {
    behaviour: 'good',
    times: Number.POSITIVE_INFINITY
  }
  const answers = new Map<string, LlmAnswer>()
  const calls = new Map<string, number>()
  const requests: LlmRequest[] = []
  const unsupported = new Set<string>()
  const waiting: (() => void)[] = []
  const awaited: (() => void)[] = []

  const contentOf = async (request: LlmRequest) => {
    const { answerName } = request
    const call = (calls.get(answerName) ?? 0) + 1
    calls.set(answerName, call)
    const answer = await answers.get(answerName)?.(request, call)
    return typeof answer === 'string' ? answer : JSON.stringify(answer ?? {})
  }
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = requestOf(incoming, await readJson(incoming))
    const { body, path } = request
    requests.push(request)
    for (const tell of awaited.splice(0)) tell()
    if (request.key !== LLM_KEY) return refuseKey(response, request)
    const refused = [...unsupported].find((parameter) => parameter in body)
    if (refused !== undefined) return refuseParameter(response, refused)
    const behaviour = nextOf(plan)
    if (behaviour === 'waits') {
      const released = new Promise<void>((resolve) => waiting.push(resolve))
      if (body.stream === true) begin(response, body, ' ')
      await released
    } else if (behaviour !== 'good' && behaviour !== 'nonsense')
      return LLM_FAULTS[behaviour](response, request)
    if (path === '/v1/embeddings') return embed(response, body, behaviour === 'nonsense')
    if (path === '/v1/rerank') {
      const answer = await answers.get('rerank')?.(request, requests.length)
      return send(response, 200, behaviour === 'nonsense' ? { results: 'none' } : (answer ?? reranked(body)))
    }
    if (path !== '/v1/chat/completions') return send(response, 404, {})
    const content = behaviour === 'nonsense' ? 'Well, {that} is a good question.' : await contentOf(request)
    if (!response.headersSent) return answerAsModel(response, body, content)
    response.write(chunkOf(body.model, deltaOf(content)))
    response.write(chunkOf(body.model, [{ index: 0, delta: {}, finish_reason: 'stop' }]))
    return response.end('data: [DONE]\n\n')
  }
  const { url, close } = await startHttp(
    async (incoming, response) => void (await handle(incoming, response))
  )
  return {
    url: `${url}/v1`,
    requests,
    unsupported,
    on(answerName, answer) {
      answers.set(answerName, answer)
      calls.delete(answerName)
    },
    behave(behaviour, times = Number.POSITIVE_INFINITY) {
      plan.behaviour = behaviour
      plan.times = times
    },
    asked: () => new Promise((resolve) => awaited.push(resolve)),
    release() {
      for (const go of waiting.splice(0)) go()
    },
    close
  }
}

function nextOf(plan: { behaviour: LlmBehaviour; times: number }): LlmBehaviour {
  if (plan.times <= 0) return 'good'
  plan.times -= 1
  return plan.behaviour
}

function requestOf(incoming: IncomingMessage, body: Record<string, unknown>): LlmRequest {
  const messages = objectsOf(body.messages)
  const said = (role: string) =>
    messages.flatMap((message) => (message.role === role ? [String(message.content)] : [])).join('\n\n')
  const system = said('system')
  const [format] = objectsOf([body.response_format])
  const [shape] = objectsOf([format?.json_schema])
  const answerName = shape?.name ?? /\bcalled "([a-z_]+)"/.exec(system)?.[1]
  return {
    path: incoming.url ?? '',
    key: bearerOf(incoming),
    body,
    system,
    user: said('user'),
    answerName: String(answerName ?? '')
  }
}

const objectsOf = (values: unknown): Record<string, unknown>[] =>
  Array.isArray(values) ? values.flatMap((one) => (typeof one === 'object' && one ? [{ ...one }] : [])) : []

function embed(response: ServerResponse, body: Record<string, unknown>, isNonsense: boolean): void {
  const input = Array.isArray(body.input) ? body.input.map(String) : [String(body.input)]
  const dimensions = typeof body.dimensions === 'number' ? body.dimensions : DIMENSIONS
  const data = input.map((text, index) => {
    const vector = isNonsense ? [1, index] : vectorOf(text, dimensions)
    const embedding = body.encoding_format === 'base64' ? base64Of(vector) : vector
    return { object: 'embedding', index, embedding }
  })
  const tokens = input.join(' ').split(/\s+/).length
  send(response, 200, {
    object: 'list',
    model: body.model,
    data: isNonsense ? data.slice(1) : data,
    usage: { prompt_tokens: tokens, total_tokens: tokens }
  })
}

/** The nearest in meaning first, as gateways give them. */
function reranked(body: Record<string, unknown>) {
  const documents = Array.isArray(body.documents) ? body.documents.map(String) : []
  const query = vectorOf(String(body.query), DIMENSIONS)
  const scores = documents.map((text) => {
    const vector = vectorOf(text, DIMENSIONS)
    const dot = vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0)
    return Math.max(0, dot / (Math.hypot(...vector) * Math.hypot(...query)))
  })
  const results = scores.map((score, index) => ({ index, relevance_score: score }))
  return { results: results.sort((a, b) => b.relevance_score - a.relevance_score) }
}
