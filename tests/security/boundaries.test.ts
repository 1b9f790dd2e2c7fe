// For every operation in the list, over REST and over MCP: no key, dead keys, missing scopes, and other partners' ids.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../../schemas/api-key.ts'
import { DAY_MS } from '../../src/clock.ts'
import { untilErased } from '../../src/customers/erasing.ts'
import { backupOperations } from '../../src/instances/backup.ts'
import { careOperations } from '../../src/instances/care.ts'
import { askAgent } from '../../src/instances/chat/operations.ts'
import { DEPLOY_TIMES } from '../../src/instances/deploy/times.ts'
import { rotateInstanceKey } from '../../src/instances/rotate-key.ts'
import { revokeApiKey } from '../../src/keys/credentials.ts'
import type { AnyOperation } from '../../src/operation.ts'
import { databases } from '../support/databases.ts'
import { entitle, noDeployUnderWay } from '../support/deploys.ts'
import { at, type Fixture, makeFixture, makeKey, makePartner, type TestPartner } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { exampleInputs, OF_TENANTS, offeredAt, REFERENCES } from './examples.ts'

interface Outcome {
  status: number
  code: unknown
}

describe.each(databases)('the boundaries on %s', (kind) => {
  let server: TestServer
  let mallory: TestPartner
  let malloryFixture: Fixture
  let victim: TestPartner
  let victimFixture: Fixture
  let revoked: string
  let expired: string

  beforeAll(async () => {
    // What is deployed here fails at once, and nobody looks after it again meanwhile: nobody listens there.
    server = await startTestServer(
      kind,
      {},
      {
        deployTimes: { ...DEPLOY_TIMES, connectMs: 0 },
        agentCheckTimes: { everyMs: DAY_MS, againMs: DAY_MS, lookMs: DAY_MS }
      }
    )
    mallory = await makePartner(server.service)
    await entitle(server.service, mallory.partnerId)
    malloryFixture = await makeFixture(server.service, mallory.partnerId)
    victim = await makePartner(server.service)
    victimFixture = await makeFixture(server.service, victim.partnerId)
    const dead = await makeKey(server.service, mallory.partnerId)
    await server.service.database.transaction((tx) => revokeApiKey(tx, mallory.partnerId, dead.keyId))
    revoked = dead.key
    expired = (await makeKey(server.service, mallory.partnerId, { expiresAt: '2020-01-01T00:00:00Z' })).key
  })
  afterAll(() => server.close())

  const channels: Record<
    string,
    (operation: AnyOperation, key: string | undefined, input: Record<string, unknown>) => Promise<Outcome>
  > = {
    async REST(operation, key, input) {
      const { file: _, ...rest } = { ...input }
      const path = (operation.http?.path ?? '').replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        const value = String(rest[name])
        delete rest[name]
        return encodeURIComponent(value)
      })
      const method = operation.http?.method.toUpperCase() ?? 'GET'
      const hasBody = method === 'POST' || method === 'PATCH' || method === 'PUT'
      const query = new URLSearchParams(
        Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)])
      )
      const { status, body } = await server.api(method, hasBody ? path : `${path}?${query}`, {
        ...(key ? { key } : {}),
        ...(hasBody ? { body: rest } : {})
      })
      return { status, code: at(body, 'code') }
    },
    async MCP(operation, key, input) {
      const response = await fetch(`${server.url}/api/partner-mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-06-18',
          ...(key ? { authorization: `Bearer ${key}` } : {})
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: operation.name, arguments: input }
        })
      })
      const answer: unknown = await response.json()
      const refusal = at(answer, 'result', '_meta', 'mindgate/error')
      if (!refusal) return { status: response.status, code: undefined }
      expect(at(answer, 'result', 'isError')).toBe(true)
      return { status: Number(at(refusal, 'status')), code: at(refusal, 'code') }
    }
  }

  it('have an example for every operation', () => {
    const named = Object.keys(exampleInputs(malloryFixture))
    expect(named.toSorted()).toEqual(OF_TENANTS.map(({ name }) => name).toSorted())
  })

  describe.each(Object.keys(channels))('of %s', (channel) => {
    const through = (operation: AnyOperation, key: string | undefined, input: Record<string, unknown>) => {
      const call = channels[channel]
      if (!call) throw new Error(`no channel ${channel}`)
      return call(operation, key, input)
    }
    const offered = offeredAt(channel === 'REST' ? 'rest' : 'mcp')

    describe.each(offered.map((operation) => ({ operation, name: operation.name })))(
      '$name',
      ({ operation, name }) => {
        const inputFor = (fixture: Fixture): Record<string, unknown> => exampleInputs(fixture)[name] ?? {}

        let before: unknown
        let unscoped: string
        beforeAll(async () => {
          const scopes = SCOPES.filter((scope) => scope !== operation.scope)
          unscoped = (await makeKey(server.service, mallory.partnerId, { scopes })).key
          before = await everyRow(server.service)
        })

        it('refuses no key, a revoked and an expired key with 401, and nothing changes', async () => {
          for (const key of [undefined, revoked, expired]) {
            expect((await through(operation, key, inputFor(malloryFixture))).status).toBe(401)
          }
          expect(await everyRow(server.service)).toEqual(before)
        })

        it('refuses a key without its scope with 403, and nothing changes', async () => {
          const outcome = await through(operation, unscoped, inputFor(malloryFixture))
          expect(outcome).toEqual({ status: 403, code: 'missing_scope' })
          expect(await everyRow(server.service)).toEqual(before)
        })

        it('answers another partner’s ids as if they didn’t exist, and nothing changes', async () => {
          const mine = inputFor(malloryFixture)
          const theirs = inputFor(victimFixture)
          for (const reference of REFERENCES.filter((candidate) => candidate in mine)) {
            const foreignIds = [
              theirs[reference],
              ...(reference === 'customerId' ? [victimFixture.code] : [])
            ]
            for (const foreignId of foreignIds) {
              const foreign = await through(operation, mallory.key, { ...mine, [reference]: foreignId })
              const missing = await through(operation, mallory.key, { ...mine, [reference]: 'nothing' })
              expect(foreign, reference).toEqual(missing)
              // A plan named in a body is an invalid field (§7: 400); everything in a path is 404.
              expect(foreign.status, reference).toBe(reference === 'planId' ? 400 : 404)
            }
          }
          expect(await everyRow(server.service)).toEqual(before)
        })

        it('works with the partner’s own key and ids', async () => {
          const { readOnly } = operation.annotations
          const fixture = readOnly ? malloryFixture : await makeFixture(server.service, mallory.partnerId)
          // Nobody listens there: over real SSH they are in tests/instances/care.test.ts, rotate-key.test.ts and backup.test.ts.
          const away = [...careOperations, ...backupOperations, rotateInstanceKey]
          const answered = away.includes(operation) ? 400 : operation === askAgent ? 503 : 200
          const success = channel === 'REST' ? (operation.http?.status ?? answered) : answered
          expect((await through(operation, mallory.key, inputFor(fixture))).status).toBe(success)
          await noDeployUnderWay(server.service)
          // What a forgotten Mind or an erased customer held goes in the background.
          await untilErased(server.service)
        })
      }
    )
  })

  it('show each partner its own customers only', async () => {
    const listed = await server.api('GET', '/customers?limit=100', { key: victim.key })
    expect(JSON.stringify(listed.body)).not.toContain(malloryFixture.customerId)
    expect(listed.body).toMatchObject({ data: [{ id: victimFixture.customerId }] })
  })
})
