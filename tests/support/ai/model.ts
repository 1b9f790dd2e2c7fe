// A model that needs no network: it says back what it was told last.
import type { ServerResponse } from 'node:http'
import { send } from './http-server.ts'

export const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }

/** The content of the last message of a chat completion request. */
export function lastMessage({ messages }: Record<string, unknown>): string {
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined
  const content = typeof last === 'object' && last !== null && 'content' in last ? last.content : undefined
  return typeof content === 'string' ? content : ''
}

/** One event of a stream, as OpenAI sends it; `choices` are empty in the one that only tells of usage. */
export function chunkOf(model: unknown, choices: unknown[], more: Record<string, unknown> = {}): string {
  const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices, ...more }
  return `data: ${JSON.stringify(chunk)}\n\n`
}

export const deltaOf = (content: string) => [{ index: 0, delta: { content }, finish_reason: null }]

/** Whether the request asks for the usage at the end of its stream. */
export const asksForUsage = ({ stream_options: options }: Record<string, unknown>): boolean =>
  typeof options === 'object' &&
  options !== null &&
  'include_usage' in options &&
  options.include_usage === true

const sayingIt = (content: string) => ({ message: { role: 'assistant', content }, finish_reason: 'stop' })

/** Told “call TOOL {…}” it calls that tool, if it was offered one of that name. */
function toolCallIn({ tools }: Record<string, unknown>, told: string) {
  const [, name, given] = /^call (\w+) (\{.*\})$/s.exec(told) ?? []
  if (name === undefined || !JSON.stringify(tools ?? []).includes(`"name":"${name}"`)) return undefined
  const call = { id: 'call_1', type: 'function', function: { name, arguments: given } }
  return { message: { role: 'assistant', content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }
}

/** Answers a chat completion as OpenAI does: whole, or as a stream where that is asked for. */
export function answerAsModel(response: ServerResponse, body: Record<string, unknown>, reply: string) {
  const { model } = body
  if (body.stream !== true) {
    const choices = [{ index: 0, ...(toolCallIn(body, reply) ?? sayingIt(reply)) }]
    return send(response, 200, {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model,
      choices,
      usage: USAGE
    })
  }
  const more = asksForUsage(body) ? { usage: null } : {}
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  for (const word of reply.split(/(?<= )/)) response.write(chunkOf(model, deltaOf(word), more))
  response.write(chunkOf(model, [{ index: 0, delta: {}, finish_reason: 'stop' }], more))
  if (asksForUsage(body)) response.write(chunkOf(model, [], { usage: USAGE }))
  response.end('data: [DONE]\n\n')
}
