// A process that answers consolidations as an OpenAI-compatible gateway would: of each memory that it is shown, one fact.
// It counts tokens as OpenAI's models do.
// ANSWER_MS says how long it takes for an answer. Writes its URL as a line of JSON once it listens.
import { createServer, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { encode } from 'gpt-tokenizer'
import { z } from 'zod'

const Request = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) })
const Memory = z.object({ id: z.string().startsWith('m'), text: z.string() })

/** Words of a memory that become its fact. */
const WORDS = 4

const answerMs = Number(process.env.ANSWER_MS)

function operationsFor(prompt: string) {
  return prompt
    .split('\n')
    .filter((line) => line.startsWith('{"id":"m'))
    .map((line) => {
      const { id, text } = Memory.parse(JSON.parse(line))
      const quote = text
        .split(' ')
        .slice(1, 1 + WORDS)
        .join(' ')
      return { op: 'ADD', memory: id, quote, subject: 'customer', kind: 'event', topic: '', value: quote }
    })
}

function stream(response: ServerResponse, prompt: string, content: string): void {
  const chunk = (more: object) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'bench', ...more })}\n\n`
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  // As models do, piece by piece.
  for (const piece of content.match(/[\s\S]{1,200}/g) ?? [])
    response.write(chunk({ choices: [{ index: 0, delta: { content: piece }, finish_reason: null }] }))
  response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
  response.write(
    chunk({ choices: [], usage: { prompt_tokens: tokensOf(prompt), completion_tokens: tokensOf(content) } })
  )
  response.end('data: [DONE]\n\n')
}

const tokensOf = (text: string): number => encode(text).length

const server = createServer(async (incoming, response) => {
  const { messages } = Request.parse(await json(incoming))
  const content = JSON.stringify({ operations: operationsFor(messages.at(-1)?.content ?? '') })
  const prompt = messages.map((message) => message.content).join('\n')
  setTimeout(() => stream(response, prompt, content), answerMs)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/v1` })}\n`)
})
