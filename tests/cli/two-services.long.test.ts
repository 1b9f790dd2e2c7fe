// Two processes that begin at once where nothing is yet.
import { describe, expect, it } from 'vitest'
import { callApi, environmentAt, makePartner, startService } from '../support/cli.ts'
import { databases, makeEmptyPlace } from '../support/databases.ts'
import { at } from '../support/fixture.ts'

describe.each(databases)('serve on %s', (kind) => {
  it('comes up twice at once on a fresh place with one key and one database', async () => {
    const fresh = await makeEmptyPlace(kind)
    const env = environmentAt(fresh)
    const both = await Promise.all([startService(env), startService(env)])
    const { key } = await makePartner(env)
    const [one, two] = both
    await callApi(one.url, key, '/customers', { method: 'POST', body: { email: 'shared@kept.example' } })
    const { body } = await callApi(two.url, key, '/customers?limit=100')
    const codes = await Promise.all(both.map((service) => service.stop()))
    await fresh.remove()
    expect(at(body, 'data')).toMatchObject([{ email: 'shared@kept.example' }])
    expect(codes).toEqual([0, 0])
  })
})
