// Real processes that share PostgreSQL share the budgets.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'
import { makeTestPlace, type TestPlace } from '../support/databases.ts'
import { makePartner } from '../support/world.ts'
import { startLimited } from './limited-server.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

describe('processes on one PostgreSQL', () => {
  it('share a key’s budget', async () => {
    const place = await makeTestPlace('postgres')
    cleanups.push(() => place.remove())
    const setUp = await startLimited(place, { quota: 0 })
    const { key } = await makePartner(setUp.service)
    await setUp.stop()
    const [one, other] = await Promise.all([startProcess(place), startProcess(place)])
    const seen: number[] = []
    for (const url of [one, other, one, other, one, other]) {
      const answer = await fetch(`${url}/api/v1/mcp/customers`, {
        headers: { Authorization: `Bearer ${key}` }
      })
      seen.push(answer.status)
    }
    expect(seen).toEqual([200, 200, 200, 200, 429, 429])
  })
})

/** A process that serves at that place with a budget of four requests; resolves to its URL. */
async function startProcess({ dataDir, databaseUrl = '' }: TestPlace): Promise<string> {
  const script = new URL('./serving-process.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--import', 'tsx', script], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      PORT: '0',
      RATE_LIMIT: '4',
      LOG_LEVEL: 'silent'
    },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const ended = once(child, 'exit')
  cleanups.push(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return JSON.parse(line).url
}
