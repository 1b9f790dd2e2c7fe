// Two builds on one database: processes are exchanged one by one behind the kit's Caddy, and nobody who asks notices.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startFront } from '../deploy/support/front.ts'
import { environmentAt, makePartner, startService } from '../support/cli.ts'
import { databases, makeTestPlace, type TestPlace } from '../support/databases.ts'
import { at, uniqueEmail } from '../support/fixture.ts'
import { connected, freePort } from '../support/postgres.ts'
import { buildNewer } from './newer-build.ts'

let newer: Awaited<ReturnType<typeof buildNewer>>
beforeAll(async () => {
  newer = await buildNewer()
}, 120_000)
afterAll(() => newer.remove())

const create = (url: string, key: string) =>
  fetch(`${url}/api/v1/mcp/customers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: uniqueEmail() })
  })
const count = async (url: string, key: string): Promise<number> => {
  const answer = await fetch(`${url}/api/v1/mcp/customers?limit=1`, {
    headers: { authorization: `Bearer ${key}` }
  })
  return Number(at(await answer.json(), 'pagination', 'totalCount'))
}

describe.each(databases)('an older process on %s', (kind) => {
  let place: TestPlace
  beforeAll(async () => {
    place = await makeTestPlace(kind)
  })
  afterAll(() => place.remove())

  it('goes on, and starts again, beside what a newer one of the same major has written', async () => {
    const env = environmentAt(place)
    const { key } = await makePartner(env)
    const first = await startService(env)
    const next = await startService(env, newer.command)
    for (const { url } of [first, next, first]) expect((await create(url, key)).status).toBe(200)
    await first.stop()
    const again = await startService(env)
    expect((await create(again.url, key)).status).toBe(200)
    expect(await count(again.url, key)).toBe(4)
    expect(await count(next.url, key)).toBe(4)
    await Promise.all([again.stop(), next.stop()])
  })
})

describe('two processes behind Caddy', () => {
  it('are exchanged for newer ones under load without a request that fails', {
    timeout: 120_000
  }, async () => {
    const place = await makeTestPlace('postgres')
    const url = `http://127.0.0.1:${await freePort()}`
    const environments = [await freePort(), await freePort()].map((PORT) =>
      environmentAt(place, { PORT: String(PORT), TRUST_PROXY: '1', DRAIN_MS: '4000', PUBLIC_URL: url })
    )
    const [env = {}] = environments
    const { key } = await makePartner(env)
    const services = await Promise.all(environments.map((one) => startService(one)))
    const upstreams = services.map((service) => service.url)
    const caddy = await startFront(url, upstreams)

    let isOver = false
    let created = 0
    const failures: unknown[] = []
    const load = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const answer = await create(url, key).catch(String)
        if (typeof answer !== 'string' && answer.status === 200) created += 1
        else failures.push(typeof answer === 'string' ? answer : [answer.status, await answer.text()])
      }
    })
    const enough = async () => {
      const from = created
      await vi.waitUntil(() => created > from + 50, { timeout: 30_000 })
    }
    await enough()
    for (const [index, one] of environments.entries()) {
      expect(await services[index]?.stop()).toBe(0)
      const service = await startService(one, newer.command)
      services[index] = service
      // Caddy has found it; before that it would have nobody left to ask.
      await vi.waitUntil(() => service.stderr().includes('customer_create'), { timeout: 30_000 })
    }
    isOver = true
    await Promise.all(load)
    expect(failures).toEqual([])
    expect(await count(url, key)).toBe(created)
    await caddy.stop()
    await Promise.all(services.map((service) => service.stop()))

    // Of another major an older one doesn't start.
    await connected(place.databaseUrl ?? '', (client) =>
      client.query(`update setting set value = '2' where name = 'schemaMajor'`)
    )
    await expect(startService(env)).rejects.toThrow(/newer version \(900-tomorrow\)/)
    await place.remove()
  })
})
