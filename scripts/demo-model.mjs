// Whose model the demo’s agent asks: that of AI_UPSTREAM_URL, else one of the demo’s own, which speaks OpenAI’s chat
// completions on loopback, repeats what it is told and says that it is none.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'

const MODEL = 'demo-stand-in'
const LONGEST_QUOTE = 300
const MOST_NAMED = 12

/**
 * What the service needs to know of the provider (`env`), and which model the partner is entitled to.
 *
 * Throws where the user’s own provider can’t be asked, or has several models and DEMO_MODEL names none.
 */
export async function openProvider({ AI_UPSTREAM_URL: url, AI_UPSTREAM_KEY: key = '', DEMO_MODEL }) {
  if (url) {
    const model = DEMO_MODEL || (await onlyModelAt(url, key))
    const env = { AI_UPSTREAM_URL: url, AI_UPSTREAM_KEY: key }
    return { env, model, title: `${model} at ${new URL(url).host}`, stop: () => undefined }
  }
  const standIn = await startModel()
  const title = 'a stand-in that says how to get a real one'
  return { env: { AI_UPSTREAM_URL: standIn.url }, model: MODEL, title, stop: standIn.stop }
}

async function onlyModelAt(url, key) {
  const models = await fetch(`${url}/models`, { headers: { authorization: `Bearer ${key}` } })
    .then((response) => response.json())
    .then(({ data }) => data.map(({ id }) => id))
    .catch(() => undefined)
  if (!models?.length) throw new Error(`${url} didn’t tell its models. Name one: DEMO_MODEL=… npm run demo`)
  const [only, ...others] = models
  if (others.length === 0) return only
  const named = models.slice(0, MOST_NAMED).join(', ')
  throw new Error(
    `Which model of ${url}? Name one, such as: DEMO_MODEL=${only} npm run demo\nIt has ${named}`
  )
}

/** Starts the demo’s own model on a free port. */
async function startModel() {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => refuse(response, 400, 'This is no chat completion request.'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${server.address().port}/v1`, stop }
}

async function answer(request, response) {
  const route = `${request.method} ${request.url}`
  if (route === 'GET /v1/models') {
    return send(response, 200, { object: 'list', data: [{ id: MODEL, object: 'model', owned_by: 'demo' }] })
  }
  if (route !== 'POST /v1/chat/completions') return refuse(response, 404, 'There is nothing here.')
  const { messages, stream = false, stream_options: options } = await json(request)
  const reply = replyTo(messages.filter(({ role }) => role === 'user').map(({ content }) => textOf(content)))
  const usage = usageOf(messages, reply)
  const head = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1_000), model: MODEL }
  if (stream) return sendStream(response, { head, reply, usage: options?.include_usage ? usage : undefined })
  const message = { role: 'assistant', content: reply }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  return send(response, 200, { ...head, object: 'chat.completion', choices, usage })
}

/** What it says to the customer’s last message, with what came before it. */
function replyTo(told) {
  const last = told.at(-1) ?? ''
  // What a deploy asks to see that there is an answer.
  if (/^Reply with one word: ready$/.test(last)) return 'ready'
  return [
    told.length > 1 ? `Message ${told.length} of our conversation:` : 'Your first message here:',
    quoted(last),
    ...(told.length > 1 ? ['Before it you wrote:', quoted(told.at(-2))] : []),
    'I am the demo’s **stand-in for a language model**: I can repeat, not think. For real answers stop the demo, and start it with a provider that speaks OpenAI’s API:',
    '```sh\nAI_UPSTREAM_URL=https://api.openai.com/v1 AI_UPSTREAM_KEY=sk-… DEMO_MODEL=gpt-5-mini npm run demo\n```'
  ].join('\n\n')
}

/** As a Markdown quote. */
function quoted(text) {
  const cut = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text
  return cut.replace(/^/gm, '> ')
}

const textOf = (content) =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('')

/** Words stand in for tokens. */
function usageOf(messages, reply) {
  const words = (text) => text.split(/\s+/).length
  const prompt = messages.reduce((sum, { content }) => sum + words(textOf(content ?? '')), 0)
  const completion = words(reply)
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

function sendStream(response, { head, reply, usage }) {
  const event = (choices, more = {}) =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`
  const delta = (content) => [{ index: 0, delta: content, finish_reason: null }]
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write(event(delta({ role: 'assistant', content: '' })))
  for (const word of reply.match(/\s*\S+/g)) response.write(event(delta({ content: word })))
  response.write(event([{ index: 0, delta: {}, finish_reason: 'stop' }]))
  if (usage) response.write(event([], { usage }))
  response.end('data: [DONE]\n\n')
}

const refuse = (response, status, message) =>
  send(response, status, { error: { message, type: 'invalid_request_error', param: null, code: null } })

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
