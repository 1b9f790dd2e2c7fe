// The operator's commands beside a running service, and what a restart keeps.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  answerOf,
  CreatedKey,
  callApi,
  type Environment,
  environmentAt,
  makePartner,
  mindgate,
  type RunningService,
  startService
} from '../support/cli.ts'
import { databases, makeTestPlace, type TestPlace } from '../support/databases.ts'

const CustomerList = z.object({ data: z.array(z.object({ email: z.string() })) })

async function emailsOf(url: string, key: string): Promise<string[]> {
  const { body } = await callApi(url, key, '/customers?limit=100')
  return CustomerList.parse(body).data.map(({ email }) => email)
}

describe.each(databases)('beside a running service on %s', (kind) => {
  let place: TestPlace
  let env: Environment
  let service: RunningService

  beforeAll(async () => {
    place = await makeTestPlace(kind)
    env = environmentAt(place)
    service = await startService(env)
  })
  afterAll(async () => {
    await service.stop()
    await place.remove()
  })

  it('a key that was minted just now opens the door', async () => {
    const { key } = await makePartner(env, 'Fresh')
    expect(await callApi(service.url, key, '/customers')).toMatchObject({
      status: 200,
      body: { success: true }
    })
  })

  it('a key that was revoked just now is refused', async () => {
    const { partnerId } = await makePartner(env, 'Revoked')
    const { key, keyId } = await answerOf(
      CreatedKey,
      env,
      ...['key', 'create', '--partner', partnerId, '--name', 'short-lived']
    )
    expect((await callApi(service.url, key, '/customers')).status).toBe(200)
    const { code } = await mindgate(env, ['key', 'revoke', '--partner', partnerId, '--key', keyId])
    expect(code).toBe(0)
    expect((await callApi(service.url, key, '/customers')).status).toBe(401)
  })

  it('another partner’s key can’t be revoked', async () => {
    const owner = await makePartner(env, 'Owner')
    const other = await makePartner(env, 'Other')
    const [{ keyId } = { keyId: '' }] = await answerOf(
      z.array(z.object({ keyId: z.string() })),
      env,
      ...['key', 'list', '--partner', owner.partnerId]
    )
    const { code } = await mindgate(env, ['key', 'revoke', '--partner', other.partnerId, '--key', keyId])
    expect(code).toBe(1)
    expect((await callApi(service.url, owner.key, '/customers')).status).toBe(200)
  })

  it('the keys of a partner that was switched off are refused until it is on again', async () => {
    const { partnerId, key } = await makePartner(env, 'Switched')
    const turn = (state: string) =>
      mindgate(env, ['partner', 'update', '--partner', partnerId, '--active', state])
    await turn('off')
    expect((await callApi(service.url, key, '/customers')).status).toBe(403)
    await turn('on')
    expect((await callApi(service.url, key, '/customers')).status).toBe(200)
  })

  it('a large import lets the requests of the service through', async () => {
    const { partnerId, key } = await makePartner(env, 'Importing')
    const file = join(place.dataDir, 'many.jsonl')
    const lines = Array.from({ length: 20_000 }, (_, i) =>
      JSON.stringify({ id: `bulk-${i}`, name: `Agent ${i}` })
    )
    writeFileSync(file, lines.join('\n'))
    let isImporting = true
    const imported = mindgate(env, [
      ...['agent', 'import', '--partner', partnerId, '--provider', 'a', '--file', file, '--json']
    ]).finally(() => {
      isImporting = false
    })
    const statuses: number[] = []
    while (isImporting) {
      const body = { email: `customer-${statuses.length}@importing.example` }
      statuses.push((await callApi(service.url, key, '/customers', { method: 'POST', body })).status)
    }
    expect(JSON.parse((await imported).stdout)).toEqual({ imported: 20_000 })
    expect(statuses.length).toBeGreaterThan(5)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('an imported agent can be mapped at once', async () => {
    const { partnerId, key } = await makePartner(env, 'Mapping')
    const line = '{"id":"front-desk","name":"Front desk"}'
    await mindgate(env, ['agent', 'import', '--partner', partnerId, '--provider', 'b', '--file', '-'], line)
    await callApi(service.url, key, '/customers', { method: 'POST', body: { email: 'c@mapping.example' } })
    const { body } = await callApi(service.url, key, '/customers')
    const [customer] = z.object({ data: z.array(z.object({ id: z.string() })) }).parse(body).data
    const mapped = await callApi(service.url, key, '/voice-b-agents/front-desk/map-customer', {
      method: 'POST',
      body: { customerId: customer?.id, profitMultiplier: 1.5 }
    })
    expect(mapped).toMatchObject({
      status: 200,
      body: { agent: { id: 'front-desk', name: 'Front desk', profitMultiplier: 1.5 } }
    })
  })
})

describe.each(databases)('serve on %s', (kind) => {
  let place: TestPlace
  let env: Environment
  beforeAll(async () => {
    place = await makeTestPlace(kind)
    env = environmentAt(place)
  })
  afterAll(() => place.remove())

  it('keeps everything over a restart', async () => {
    const first = await startService(env)
    const { key } = await makePartner(env)
    for (const email of ['one@kept.example', 'two@kept.example']) {
      await callApi(first.url, key, '/customers', { method: 'POST', body: { email } })
    }
    const secret = readFileSync(join(place.dataDir, 'secret.key'), 'utf8')
    expect(await first.stop()).toBe(0)

    const second = await startService(env)
    const emails = await emailsOf(second.url, key)
    expect(await second.stop('SIGINT')).toBe(0)
    expect(emails).toEqual(['two@kept.example', 'one@kept.example'])
    expect(readFileSync(join(place.dataDir, 'secret.key'), 'utf8')).toBe(secret)
  })

  it('survives a kill without a word: what was answered is there', async () => {
    const first = await startService(env)
    const { key } = await makePartner(env, 'Killed')
    const body = { email: 'acknowledged@kept.example' }
    expect((await callApi(first.url, key, '/customers', { method: 'POST', body })).status).toBe(200)
    await first.stop('SIGKILL')

    const second = await startService(env)
    const emails = await emailsOf(second.url, key)
    await second.stop()
    expect(emails).toEqual(['acknowledged@kept.example'])
  })

  it('writes nothing but the ready line to standard output, and every log line as JSON to standard error', async () => {
    const service = await startService(env)
    const { key } = await makePartner(env, 'Logged')
    await callApi(service.url, key, '/customers')
    await service.stop()
    expect(service.stdout().trimEnd().split('\n')).toHaveLength(1)
    const lines = service.stderr().trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(1)
    expect(() => lines.map((line) => JSON.parse(line))).not.toThrow()
    expect(service.stderr()).not.toContain(key)
  })

  it('refuses a SECRET_KEY that is not the one which sealed the database', async () => {
    await (await startService(env)).stop()
    const other = { ...env, SECRET_KEY: 'another-key-another-key-another-key' }
    await expect(startService(other)).rejects.toThrow('SECRET_KEY')
  })

  it('says so when its port is taken', async () => {
    const service = await startService(env)
    const { code, stderr } = await mindgate({ ...env, PORT: new URL(service.url).port }, ['serve'])
    await service.stop()
    expect(code).toBe(1)
    expect(stderr).toContain('The port is taken')
  })

  it('comes up twice at once on a fresh place with one key and one database', async () => {
    const fresh = await makeTestPlace(kind)
    const freshEnv = environmentAt(fresh)
    const both = await Promise.all([startService(freshEnv), startService(freshEnv)])
    const { key } = await makePartner(freshEnv)
    const [one, two] = both
    await callApi(one.url, key, '/customers', { method: 'POST', body: { email: 'shared@kept.example' } })
    const emails = await emailsOf(two.url, key)
    const codes = await Promise.all(both.map((service) => service.stop()))
    await fresh.remove()
    expect(emails).toEqual(['shared@kept.example'])
    expect(codes).toEqual([0, 0])
  })

  it('lets commands race on a fresh place', async () => {
    const fresh = await makeTestPlace(kind)
    const made = await Promise.all(['A', 'B', 'C'].map((name) => makePartner(environmentAt(fresh), name)))
    await fresh.remove()
    expect(new Set(made.map(({ partnerId }) => partnerId)).size).toBe(3)
  })
})
