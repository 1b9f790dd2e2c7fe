// Whose memory it is: every memory tool with another customer's and another partner's ids, through both faces of its
// gateway. Each is answered as an id that doesn't exist; nothing is written, and nothing is charged.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MemoryFixture, makeMemoryFixture, parametersFor } from '../mcp/memory-fixture.ts'
import { MEMORY_TOOLS, type MemoryTool } from '../mcp/spec-4b.ts'
import { callTool, FACES, type Face, type Outcome } from '../mcp/tool-faces.ts'
import { databases } from '../support/databases.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { everyRow } from '../support/rows-snapshot.ts'

/** Beside the specification's tools there is one that takes a memory away. */
const FORGET = 'memory_forget'
/** And one on each gateway that finds memories, and is in no list. */
const SEARCHES: readonly MemoryTool[] = (['customer', 'partner'] as const).map((gateway) => ({
  gateway,
  name: gateway === 'customer' ? 'internal_memory_search' : 'memory_search',
  scope: 'memory:read',
  parameters: {
    ...(gateway === 'partner' ? { customerId: { type: 'string', isRequired: true } } : {}),
    mindId: { type: 'string', isRequired: false }
  },
  credits: 'free'
}))
const TOOLS = [...MEMORY_TOOLS, ...SEARCHES]
const customerTools = TOOLS.filter(({ gateway }) => gateway === 'customer')
const partnerTools = TOOLS.filter(({ gateway }) => gateway === 'partner')
const takesMind = ({ parameters }: { parameters: object }) => 'mindId' in parameters

describe.each(databases)('memory of others on %s', (kind) => {
  let server: TestServer
  let mallory: MemoryFixture
  /** Another customer of the same partner. */
  let neighbour: MemoryFixture
  /** A customer of another partner. */
  let stranger: MemoryFixture

  beforeAll(async () => {
    server = await startTestServer(kind)
    mallory = await makeMemoryFixture(server.service)
    neighbour = await makeMemoryFixture(server.service, mallory.partner)
    stranger = await makeMemoryFixture(server.service)
  })
  afterAll(() => server.close())

  const asCustomer = (face: Face, tool: string, input: Record<string, unknown>) =>
    callTool(face, { url: server.url, gateway: 'customer', key: mallory.token, tool, input })
  const asPartner = (face: Face, tool: string, input: Record<string, unknown>) =>
    callTool(face, { url: server.url, gateway: 'partner', key: mallory.partner.key, tool, input })

  /** Runs the call, sees that it is 404 and left no trace, and answers what a caller can read of it. */
  const refusalOf = async (call: () => Promise<Outcome>) => {
    const before = await everyRow(server.service)
    const { status, code, field, text, output } = await call()
    expect([status, output]).toEqual([404, undefined])
    expect(await everyRow(server.service)).toEqual(before)
    return { code, field, text: text.replace(/req_\w+/g, 'req') }
  }

  describe.each(FACES)('over %s', (face) => {
    describe.each(customerTools.filter(takesMind))('$name with a customer’s token', (tool) => {
      it('finds another customer’s Mind no more than none, of the same partner and of another', async () => {
        const withMind = (mindId: string) => () =>
          asCustomer(face, tool.name, { ...parametersFor(tool, mallory), mindId })
        const missing = await refusalOf(withMind('mnd_none'))
        expect(missing).toMatchObject({ code: 'mind_not_found', field: 'mindId' })
        expect(await refusalOf(withMind(neighbour.mindId))).toEqual(missing)
        expect(await refusalOf(withMind(stranger.mindId))).toEqual(missing)
      })

      it('finds its own', async () => {
        const input = { ...parametersFor(tool, mallory), mindId: mallory.mindId }
        expect((await asCustomer(face, tool.name, input)).status).toBe(200)
      })
    })

    describe.each(partnerTools)('$name with a partner’s key', (tool) => {
      it('finds another partner’s customer no more than none, by id and by short code', async () => {
        const withCustomer = (customerId: string) => () =>
          asPartner(face, tool.name, { ...parametersFor(tool, mallory), customerId })
        const missing = await refusalOf(withCustomer('cus_none'))
        expect(missing).toMatchObject({ code: 'customer_not_found', field: 'customerId' })
        expect(await refusalOf(withCustomer(stranger.customerId))).toEqual(missing)
        expect(await refusalOf(withCustomer(stranger.code))).toEqual(missing)
      })

      it('finds its own, by id and by short code', async () => {
        for (const customerId of [mallory.customerId, mallory.code, neighbour.customerId]) {
          const outcome = await asPartner(face, tool.name, { ...parametersFor(tool, mallory), customerId })
          expect(outcome.status).toBe(200)
        }
      })
    })

    describe.each(partnerTools.filter(takesMind))('$name with a partner’s key', (tool) => {
      it('finds a Mind only of the customer that is named', async () => {
        const withMind = (mindId: string) => () =>
          asPartner(face, tool.name, { ...parametersFor(tool, mallory), mindId })
        const missing = await refusalOf(withMind('mnd_none'))
        expect(missing).toMatchObject({ code: 'mind_not_found', field: 'mindId' })
        expect(await refusalOf(withMind(neighbour.mindId))).toEqual(missing)
        expect(await refusalOf(withMind(stranger.mindId))).toEqual(missing)
        expect((await withMind(mallory.mindId)()).status).toBe(200)
      })
    })

    it('memory_forget takes nothing away from others', async () => {
      const forget = (input: Record<string, unknown>) => () => asPartner(face, FORGET, input)
      const { customerId, mindId } = mallory
      const missing = await refusalOf(forget({ customerId, memoryId: 'mem_none' }))
      expect(missing).toMatchObject({ code: 'memory_not_found', field: 'memoryId' })
      for (const { memoryId } of [neighbour, stranger]) {
        expect(await refusalOf(forget({ customerId, memoryId }))).toEqual(missing)
        expect(await refusalOf(forget({ customerId, mindId, memoryId }))).toEqual(missing)
      }
      const { customerId: theirs, code, memoryId } = stranger
      for (const reference of [theirs, code]) {
        const refused = await refusalOf(forget({ customerId: reference, memoryId }))
        expect(refused.code).toBe('customer_not_found')
      }
      const foreignMind = await refusalOf(forget({ customerId, mindId: stranger.mindId, memoryId }))
      expect(foreignMind.code).toBe('mind_not_found')
    })
  })

  it('is in no answer to anybody else', async () => {
    const others = [neighbour, stranger]
    const secrets = await server.service.database.read
      .selectFrom('memory')
      .innerJoin('mind', 'mind.key', 'memory.mindKey')
      .where(
        'mind.customerId',
        'in',
        others.map(({ customerId }) => customerId)
      )
      .select('memory.content')
      .execute()
    expect(secrets.length).toBeGreaterThanOrEqual(2)
    const answers = await Promise.all([
      asCustomer('plain HTTP', 'internal_memory_recall', {}),
      asCustomer('plain HTTP', 'internal_memory_search', {}),
      asCustomer('plain HTTP', 'internal_memory_search', { query: 'Who keeps the launch code?' }),
      asPartner('plain HTTP', 'memory_search', { customerId: mallory.customerId, about: 'Imogen' }),
      asCustomer('plain HTTP', 'internal_memory_ask', {
        question: 'Who keeps the launch code?',
        reasoningLevel: 'deep'
      }),
      asPartner('plain HTTP', 'memory_ask', {
        customerId: mallory.customerId,
        question: 'Where is the launch code of the project kept, and by whom?',
        reasoningLevel: 'deep'
      })
    ])
    for (const { status, text } of answers) {
      expect(status).toBe(200)
      for (const { content } of secrets) expect(text).not.toContain(content)
      for (const { mindId, memoryId } of others) expect(text).not.toMatch(new RegExp(`${mindId}|${memoryId}`))
    }
  })
})
