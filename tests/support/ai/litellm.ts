// A real HTTP server that speaks what we use of LiteLLM's proxy: its virtual keys, and completions by an echo.
// https://docs.litellm.ai/docs/proxy/virtual_keys
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bearerOf, readJson, send, startHttp } from './http-server.ts'
import { answerAsModel, lastMessage } from './model.ts'

export const MASTER_KEY = 'sk-master-key-that-must-never-show'

/** What it does with the next management calls. */
export type ProxyBehaviour =
  | 'good'
  | 'no-database'
  | 'fails'
  | 'not-json'
  | 'no-key'
  | 'redirects'
  | 'hangs-up'

export interface LiteLlm {
  /** For LITELLM_URL. */
  url: string
  /** Aliases of the keys that are alive, with what each was made with. */
  keys: ReadonlyMap<string, LiteLlmKey>
  behave(behaviour: ProxyBehaviour): void
  close(): Promise<void>
}

interface LiteLlmKey {
  key: string
  models: readonly string[]
  metadata: unknown
  /** What was said of it; the real proxy then refuses the key’s calls once they cost so much. */
  budget: Record<string, unknown>
}

/** Starts the proxy; like the real one it takes a key without models for one that opens every model. */
export async function startLiteLlm(): Promise<LiteLlm> {
  const keys = new Map<string, LiteLlmKey>()
  let behaviour: ProxyBehaviour = 'good'
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readJson(request)
    if (!request.url?.startsWith('/key/')) return answerAgent(keys, request, response, body)
    const misbehave = FAULTS[behaviour]
    if (misbehave) return misbehave(response)
    if (bearerOf(request) !== MASTER_KEY)
      return fail(response, 401, 'auth_error', 'Authentication Error, Invalid proxy server token passed')
    if (request.url === '/key/generate') return generate(keys, response, body)
    if (request.url === '/key/delete') return remove(keys, response, body)
    return send(response, 404, { detail: 'Not Found' })
  }
  const { url, close } = await startHttp(handle)
  return {
    url,
    keys,
    behave: (next) => {
      behaviour = next
    },
    close
  }
}

const FAULTS: Partial<Record<ProxyBehaviour, (response: ServerResponse) => void>> = {
  'no-database': (response) => fail(response, 400, 'no_db_connection', 'No connected db.'),
  fails: (response) => fail(response, 500, 'internal_server_error', `Internal Server Error, ${MASTER_KEY}`),
  'not-json': (response) => {
    response.writeHead(502, { 'content-type': 'text/html' })
    response.end('<h1>Bad Gateway</h1>')
  },
  'no-key': (response) => send(response, 200, { token: 'a hash' }),
  redirects: (response) => send(response, 307, {}, { location: 'http://127.0.0.1:1/steal' }),
  'hangs-up': (response) => response.destroy()
}

function generate(keys: Map<string, LiteLlmKey>, response: ServerResponse, body: Record<string, unknown>) {
  const alias = String(body.key_alias)
  if (keys.has(alias)) {
    const message = `Key with alias '${alias}' already exists. Unique key aliases across all keys are required.`
    return fail(response, 400, 'bad_request_error', message, 'key_alias')
  }
  const models = Array.isArray(body.models) ? body.models.map(String) : []
  const key = `sk-${randomBytes(16).toString('base64url')}`
  const said = Object.entries(body).filter(([name]) => name === 'max_budget' || name === 'budget_duration')
  keys.set(alias, { key, models, metadata: body.metadata, budget: Object.fromEntries(said) })
  send(response, 200, { key, key_alias: alias, models, token: 'a hash' })
}

function remove(keys: Map<string, LiteLlmKey>, response: ServerResponse, body: Record<string, unknown>) {
  const aliases = Array.isArray(body.key_aliases) ? body.key_aliases.map(String) : []
  const found = aliases.filter((alias) => keys.delete(alias))
  if (found.length === 0)
    return fail(response, 404, 'internal_server_error', "{'error': 'No keys found'}", 'None')
  send(response, 200, { deleted_keys: found })
}

function answerAgent(
  keys: ReadonlyMap<string, LiteLlmKey>,
  request: IncomingMessage,
  response: ServerResponse,
  body: Record<string, unknown>
) {
  const found = [...keys.values()].find(({ key }) => key === bearerOf(request))
  if (!found)
    return fail(response, 401, 'token_not_found_in_db', 'Authentication Error, Invalid proxy server token')
  const { models } = found
  if (request.url === '/v1/models') {
    const list = models.map((id) => ({ id, object: 'model', created: 1, owned_by: 'openai' }))
    return send(response, 200, { object: 'list', data: list })
  }
  if (models.length > 0 && !models.includes(String(body.model)))
    return fail(response, 401, 'key_model_access_denied', 'key not allowed to access model', 'model')
  answerAsModel(response, body, lastMessage(body))
}

const fail = (response: ServerResponse, status: number, type: string, message: string, param = 'None') =>
  send(response, status, { error: { message, type, param, code: String(status) } })
