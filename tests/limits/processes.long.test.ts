// Real processes that share PostgreSQL share the budgets.
import { describe, expect, it } from 'vitest'
import { callApi, environmentAt, makePartner, startService } from '../support/cli.ts'
import { makeTestPlace } from '../support/databases.ts'

describe('processes on one PostgreSQL', () => {
  it('share a key’s budget', async () => {
    const place = await makeTestPlace('postgres')
    const env = environmentAt(place, { RATE_LIMIT: '4' })
    const { key } = await makePartner(env)
    const both = await Promise.all([startService(env), startService(env)])
    const seen: number[] = []
    for (const { url } of [...both, ...both, ...both]) {
      const { status } = await callApi(url, key, '/customers')
      seen.push(status)
    }
    await Promise.all(both.map((service) => service.stop()))
    await place.remove()
    expect(seen).toEqual([200, 200, 200, 200, 429, 429])
  })
})
