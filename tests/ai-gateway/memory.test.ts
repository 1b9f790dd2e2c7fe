// What long requests of agents leave behind in the process: nothing.
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { send, startHttp } from '../support/ai/http-server.ts'
import { startTestServer } from '../support/http.ts'
import { makeAgent, say, WITHOUT_BUDGETS } from './agents.ts'

const MEBIBYTE = 1_048_576
const WITHIN = { timeout: 10_000 }

it.each([
  ['was announced', (body: string) => body],
  ['came without a length', (body: string) => new Blob([body]).stream()]
])('a body that %s is forgotten once it was passed on, whole as it arrived', async (_, sent) => {
  const lengths: [announced: number, read: number][] = []
  const upstream = await startHttp(async (request, response) => {
    let read = 0
    for await (const chunk of request) read += chunk.length
    lengths.push([Number(request.headers['content-length']), read])
    send(response, 200, { choices: [] })
  })
  const server = await startTestServer('sqlite', {
    AI_UPSTREAM_URL: upstream.url,
    AI_UPSTREAM_KEY: 'sk',
    ...WITHOUT_BUDGETS
  })
  const { key } = await makeAgent(server.service)
  const body = JSON.stringify({ model: 'auto', messages: say('x'.repeat(3 * MEBIBYTE)) })
  const call = async () => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${server.url}/ai/v1/chat/completions`, {
      ...{ method: 'POST', headers, body: sent(body), duplex: 'half' }
    })
    await answer.text()
    expect(answer.status).toBe(200)
  }
  await call()
  await heldBytes()
  const before = await heldBytes()
  for (let i = 0; i < 10; i += 1) await call()
  // What was collected is given back beside the loop, and counts until then.
  await expect.poll(async () => (await heldBytes()) - before, WITHIN).toBeLessThan(10 * MEBIBYTE)
  expect(lengths).toHaveLength(11)
  for (const [announced, read] of lengths) expect([announced, read > 3 * MEBIBYTE]).toEqual([read, true])
  await server.close()
  await upstream.close()
})

/** Of buffers, once nothing is left that could be collected. */
async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  await setImmediate()
  return process.memoryUsage().arrayBuffers
}
