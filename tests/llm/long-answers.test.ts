import { createServer, type Server, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { ModelError } from '../../src/llm/model.ts'
import { openModels } from '../../src/llm/open.ts'
import { question } from './models.ts'

/** Writes on and on, or a few words and then nothing, or one event that has no end. */
let behaviour: 'writes' | 'stops' | 'endless' = 'writes'
let sentBytes = 0
let server: Server

beforeAll(async () => {
  server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const write = (content: string) =>
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
    if (behaviour === 'endless') return pour(response)
    write(behaviour === 'writes' ? 'and so on '.repeat(100) : 'Well')
    const timer = setInterval(() => behaviour === 'writes' && write('and on '), 20)
    response.on('close', () => clearInterval(timer))
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function pour(response: ServerResponse): void {
  if (response.destroyed) return
  sentBytes += 16_384
  if (response.write('x'.repeat(16_384))) setImmediate(pour, response)
  else response.once('drain', () => pour(response))
}

const faultsOf = async (count: number, timeoutMs = 300): Promise<string[]> => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const { models } = loadConfig({ LLM_URL: `http://127.0.0.1:${port}/v1`, LLM_MODEL: 'wise-1' })
  const { model } = openModels(models)
  const faults: string[] = []
  for (let call = 0; call < count; call += 1) {
    const failed = await model?.answer({ ...question, timeoutMs }).catch((error: unknown) => error)
    faults.push(failed instanceof ModelError ? failed.fault : 'none')
  }
  return faults
}

it('leaves a gateway alone that says nothing more', async () => {
  behaviour = 'stops'
  expect(await faultsOf(4)).toEqual(['timeout', 'timeout', 'timeout', 'circuit_open'])
})

it('goes on with a gateway whose model was made to write for too long', async () => {
  behaviour = 'writes'
  expect(await faultsOf(4)).toEqual(['timeout', 'timeout', 'timeout', 'timeout'])
})

it('hangs up on an event that has no end, long before an answer could be too large', async () => {
  behaviour = 'endless'
  expect(await faultsOf(1, 20_000)).toEqual(['too_large'])
  expect(sentBytes).toBeLessThan(8 * 1_048_576)
})
