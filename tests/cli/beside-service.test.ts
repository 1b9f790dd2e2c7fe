// The operator's commands beside a running service, and what a restart keeps.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startServer } from '../../servers/main.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
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
import { databases, makeEmptyPlace, makeTestPlace, type TestPlace } from '../support/databases.ts'

const Imported = z.strictObject({ imported: z.int() })
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

  it('a key that was minted just now opens the channel', async () => {
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
    const lines = Array.from({ length: 5_000 }, (_, i) =>
      JSON.stringify({ id: `bulk-${i}`, name: `Agent ${i}` })
    )
    writeFileSync(file, lines.join('\n'))
    const statuses: number[] = []
    let [imports, answeredBeside] = [0, 0]
    const importing = (async () => {
      const command = ['agent', 'import', '--partner', partnerId, '--provider', 'a', '--file', file]
      for (; answeredBeside < 6; imports += 1) {
        expect(await answerOf(Imported, env, ...command)).toEqual({ imported: 5_000 })
      }
    })()
    // Six that begin and end beside one import: none has to wait until it is done.
    while (answeredBeside < 6) {
      const before = imports
      const body = { email: `customer-${statuses.length}@importing.example` }
      statuses.push((await callApi(service.url, key, '/customers', { method: 'POST', body })).status)
      if (imports === before) answeredBeside += 1
    }
    await importing
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

  it('lets commands race on a fresh place', async () => {
    const fresh = await makeEmptyPlace(kind)
    const made = await Promise.all(['A', 'B', 'C'].map((name) => makePartner(environmentAt(fresh), name)))
    await fresh.remove()
    expect(new Set(made.map(({ partnerId }) => partnerId)).size).toBe(3)
  })

  it('refuses a SECRET_KEY that is not the one which sealed the database', async () => {
    const other = { ...env, SECRET_KEY: 'another-key-another-key-another-key' }
    await expect(startServer(loadConfig(other), createLog('silent'))).rejects.toThrow('SECRET_KEY')
  })

  it('keeps what it answered, after a kill without a word and after an orderly end', async () => {
    const { key } = await makePartner(env)
    const add = async (url: string, email: string) =>
      expect((await callApi(url, key, '/customers', { method: 'POST', body: { email } })).status).toBe(200)
    await add(service.url, 'one@kept.example')
    const secret = readFileSync(join(place.dataDir, 'secret.key'), 'utf8')
    await service.stop('SIGKILL')

    service = await startService(env)
    expect(await emailsOf(service.url, key)).toEqual(['one@kept.example'])
    await add(service.url, 'two@kept.example')
    expect(await service.stop('SIGINT')).toBe(0)

    const third = await startServer(loadConfig(env), createLog('silent'))
    const emails = await emailsOf(third.url, key)
    await third.stop()
    expect(emails).toEqual(['two@kept.example', 'one@kept.example'])
    expect(readFileSync(join(place.dataDir, 'secret.key'), 'utf8')).toBe(secret)
  })
})
