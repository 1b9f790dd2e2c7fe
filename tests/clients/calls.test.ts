// The TypeScript client against a real server: each group of operations, lists, refusals.
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { createMindgate, type Mindgate, MindgateError } from '../../clients/typescript/src/index.ts'
import type { Group } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import { type Fixture, makeFixture, makeKey, makePartner, unique, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { refusalOf } from './refusal.ts'

describe('the TypeScript client', () => {
  let server: TestServer
  let fixture: Fixture
  let mindgate: Mindgate

  beforeAll(async () => {
    server = await startTestServer('sqlite')
    fixture = await makeFixture(server.service, server.partner.partnerId)
    mindgate = createMindgate({ url: server.url, key: server.partner.key })
  })
  afterAll(() => server.close())

  /** One call of each group, with what it must answer. */
  const CALLS: Record<Group, () => Promise<void>> = {
    async Customers() {
      const email = uniqueEmail()
      const { data } = await mindgate.post('/customers', { body: { email, firstName: 'Ada' } })
      expectTypeOf(data.email).toEqualTypeOf<string>()
      const path = { customerId: data.id }
      const changed = await mindgate.patch('/customers/{customerId}', {
        params: { path },
        body: { maxTeamMembers: 3 }
      })
      expect(changed.data).toMatchObject({ email, maxTeamMembers: 3 })
      const erased = await mindgate.delete('/customers/{customerId}', {
        params: { path, query: { confirm: data.customerId } }
      })
      expect(erased.success).toBe(true)
    },
    async 'Portal access'() {
      const { newStatus } = await mindgate.post('/customers/{customerId}/portal-access/block', {
        params: { path: fixture },
        body: { newStatus: 'suspended' }
      })
      expectTypeOf(newStatus).toEqualTypeOf<'active' | 'suspended'>()
      expect(newStatus).toBe('suspended')
    },
    async 'Team members'() {
      const { data } = await mindgate.post('/customers/{customerId}/team-members', {
        params: { path: fixture },
        body: { email: uniqueEmail(), name: 'Grace' }
      })
      expect(data).toMatchObject({ name: 'Grace', status: 'pending' })
    },
    async 'Voice agents'() {
      const { agent } = await mindgate.post('/voice-a-agents/{agentId}/map-customer', {
        params: { path: { agentId: fixture.agentA } },
        body: { customerId: fixture.customerId, profitMultiplier: 1.5 }
      })
      expect(agent).toMatchObject({ profitMultiplier: 1.5 })
    },
    async Instances() {
      const { data } = await mindgate.get('/instances/{instanceId}', { params: { path: fixture } })
      expect(data.name).toBe('Front desk')
    },
    async Memory() {
      const { memories } = await mindgate.get('/customers/{customerId}/memories', {
        params: { path: fixture }
      })
      expect(memories.map(({ id }) => id)).toEqual([fixture.memoryId])
    },
    async Credits() {
      const { data } = await mindgate.get('/credits')
      expectTypeOf(data.balance).toEqualTypeOf<number>()
      expect(data.balance).toBeGreaterThan(0)
    },
    async Usage() {
      const { data } = await mindgate.get('/usage', {
        params: { query: { from: '2026-01-01', to: '2026-01-31' } }
      })
      expect(data.total.calls).toBe(0)
    },
    async Statements() {
      const { data } = await mindgate.post('/statements/{statementId}/bill', { params: { path: fixture } })
      expect(data).toMatchObject({ status: 'billed' })
    },
    async Plans() {
      const { data } = await mindgate.get('/plans', { params: { query: { kind: 'subscription' } } })
      expect(data).toMatchObject([{ planId: fixture.planId }])
    },
    async 'Audit log'() {
      const { data } = await mindgate.get('/audit', { params: { query: { limit: 1 } } })
      expect(data).toHaveLength(1)
    }
  }

  it.each(Object.entries(CALLS))('calls what belongs to %s', (_group, call) => call())

  it('has a call here of every group that the service offers over REST', () => {
    const groups = operations.flatMap(({ http, channels }) =>
      http && channels.includes('rest') ? http.group : []
    )
    expect(Object.keys(CALLS).toSorted()).toEqual([...new Set(groups)].toSorted())
  })

  describe('lists', () => {
    it('by page are walked through to their end, each row once', async () => {
      const { service } = server
      const other = await makePartner(service)
      const own = createMindgate({ url: server.url, key: other.key })
      const emails = Array.from({ length: 5 }, () => uniqueEmail())
      for (const email of emails) await own.post('/customers', { body: { email } })
      const seen: string[] = []
      for await (const customer of own.each('/customers', { params: { query: { limit: 2 } } })) {
        expectTypeOf(customer.email).toEqualTypeOf<string>()
        seen.push(customer.email)
      }
      expect(seen.toSorted()).toEqual(emails.toSorted())
    })

    it('by cursor are walked through, too', async () => {
      const words = [unique('tea'), unique('milk'), unique('cake')]
      const params = { path: { customerId: fixture.customerId } }
      await mindgate.post('/customers/{customerId}/memories', {
        params,
        body: { contents: words.map((word) => `Ada likes ${word}.`) }
      })
      const seen: string[] = []
      for await (const { content } of mindgate.each('/customers/{customerId}/memories', {
        params: { ...params, query: { limit: 1 } }
      })) {
        seen.push(content)
      }
      expect(seen).toHaveLength(words.length + 1)
      for (const word of words) expect(seen).toContainEqual(expect.stringContaining(word))
    })

    it('of JSON Lines come row by row', async () => {
      const seen: string[] = []
      for await (const memory of mindgate.each('/customers/{customerId}/minds/{mindId}/export', {
        params: { path: fixture }
      })) {
        seen.push(memory.id)
      }
      expect(seen).toContain(fixture.memoryId)
    })
  })

  describe('refusals', () => {
    it('carry what the API says', async () => {
      const refusal = await refusalOf(mindgate.post('/customers', { body: { email: 'nobody' } }))
      expect(refusal).toMatchObject({ code: 'invalid_input', status: 400, field: 'email' })
      expect(refusal.message).toContain('e-mail')
      expect(refusal.requestId).toMatch(/^req_/)
      expect(refusal.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/)
    })

    it('of what isn’t there name it', async () => {
      const path = { customerId: 'C-NOBODY' }
      const refusal = await refusalOf(mindgate.get('/customers/{customerId}', { params: { path } }))
      expect(refusal).toMatchObject({ code: 'customer_not_found', status: 404, field: 'customerId' })
    })

    it('say how long to wait, and are thrown when that is longer than one would', async () => {
      const limited = await startTestServer('sqlite', { RATE_LIMIT: '1' })
      try {
        const { key } = limited.partner
        const impatient = createMindgate({ url: limited.url, key, longestWaitMs: 0 })
        await impatient.get('/credits')
        const refusal = await refusalOf(impatient.get('/credits'))
        expect(refusal).toMatchObject({ code: 'rate_limited', status: 429 })
        expect(refusal.retryAfterSeconds).toBeGreaterThan(0)
      } finally {
        await limited.close()
      }
    })

    it('come for files, too', async () => {
      const params = { path: { instanceId: fixture.instanceId } }
      const path = '/instances/{instanceId}/cli-agent/backup'
      const taken = await refusalOf(mindgate.get(path, { params, parseAs: 'stream' }))
      const brought = await refusalOf(mindgate.put(path, { params, body: new Blob(['no backup']) }))
      expect([taken.status, brought.status].every((status) => status !== undefined && status >= 400)).toBe(
        true
      )
      expect(brought.message).not.toContain('Content-Length')
    })

    it('never have the key in them', async () => {
      const unknown = 'pkt_this-key-is-nobodys'
      const { key } = await makeKey(server.service, server.partner.partnerId, { scopes: ['audit:read'] })
      const secrets = [unknown, key]
      const refusals = [
        await refusalOf(createMindgate({ url: server.url, key: unknown }).get('/credits')),
        await refusalOf(createMindgate({ url: server.url, key }).get('/credits')),
        await refusalOf(createMindgate({ url: 'http://127.0.0.1:1', key, attempts: 1 }).get('/credits'))
      ]
      expect(refusals.map(({ code }) => code)).toEqual(['unauthorized', 'missing_scope', 'network'])
      for (const secret of secrets) {
        expect(inspect(refusals, { depth: 20, showHidden: true })).not.toContain(secret)
        for (const bad of [`${secret}\n`, `${secret}é`]) {
          const make = () => createMindgate({ url: server.url, key: bad })
          expect(make).toThrow(TypeError)
          expect(make).not.toThrow(secret)
        }
      }
    })

    it('are told from answers that aren’t Mindgate’s', async () => {
      const elsewhere = createMindgate({ url: server.url, key: server.partner.key })
      // The page for people is no answer of the API.
      const page = await refusalOf(elsewhere.get('/reference' as '/credits'))
      expect(page).toMatchObject({ code: 'unexpected_answer', status: 200 })
      expect(page).toBeInstanceOf(MindgateError)
    })
  })
})
