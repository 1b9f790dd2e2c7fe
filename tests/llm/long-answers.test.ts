import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { ModelError } from '../../src/llm/model.ts'
import { openModels } from '../../src/llm/open.ts'
import { question } from './models.ts'

/** Writes on and on, or a few words and then nothing. */
let isWriting = true
let server: Server

beforeAll(async () => {
  server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const write = (content: string) =>
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
    write(isWriting ? 'and so on '.repeat(100) : 'Well')
    const timer = setInterval(() => isWriting && write('and on '), 20)
    response.on('close', () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const faultsOf = async (count: number): Promise<string[]> => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const { models } = loadConfig({ LLM_URL: `http://127.0.0.1:${port}/v1`, LLM_MODEL: 'wise-1' })
  const { model } = openModels(models)
  const faults: string[] = []
  for (let call = 0; call < count; call += 1) {
    const failed = await model?.answer({ ...question, timeoutMs: 300 }).catch((error: unknown) => error)
    faults.push(failed instanceof ModelError ? failed.fault : 'none')
  }
  return faults
}

it('leaves a gateway alone that says nothing more', async () => {
  isWriting = false
  expect(await faultsOf(4)).toEqual(['timeout', 'timeout', 'timeout', 'circuit_open'])
})

it('goes on with a gateway whose model was made to write for too long', async () => {
  isWriting = true
  expect(await faultsOf(4)).toEqual(['timeout', 'timeout', 'timeout', 'timeout'])
})
