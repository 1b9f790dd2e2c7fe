// What Honcho refuses, as callers of both gateways see it.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type MemoryFixture, makeMemoryFixture } from '../../mcp/memory-fixture.ts'
import { callTool, FACES } from '../../mcp/tool-faces.ts'
import { HONCHO_KEY, type HonchoStandIn, startHoncho } from '../../support/honcho.ts'
import { startTestServer, type TestServer } from '../../support/http.ts'

describe('Honcho behind the gateways', () => {
  let honcho: HonchoStandIn
  let server: TestServer
  let fixture: MemoryFixture
  beforeAll(async () => {
    honcho = await startHoncho()
    server = await startTestServer('sqlite', {
      MEMORY_ENGINE: 'honcho',
      HONCHO_URL: honcho.url,
      HONCHO_KEY
    })
    fixture = await makeMemoryFixture(server.service)
  })
  afterEach(() => honcho.behave('good'))
  afterAll(async () => {
    await server.close()
    await honcho.close()
  })

  describe.each(FACES)('over %s', (face) => {
    it.each([
      ['limits', 429, 'memory_rate_limited', '17'],
      ['overloaded', 503, 'memory_unavailable', '5'],
      ['not-json', 503, 'memory_unavailable', '5']
    ] as const)(
      'an ask while Honcho %s is %i, and says when to try again',
      async (how, status, code, retryAfter) => {
        honcho.behave(how, { on: /chat$/ })
        for (const gateway of ['partner', 'customer'] as const) {
          const refused = await callTool(face, {
            url: server.url,
            gateway,
            key: gateway === 'partner' ? fixture.partner.key : fixture.token,
            tool: gateway === 'partner' ? 'memory_ask' : 'internal_memory_ask',
            input: {
              question: 'Who?',
              mindId: fixture.mindId,
              ...(gateway === 'partner' ? { customerId: fixture.customerId } : {})
            }
          })
          expect(refused).toMatchObject({
            ...{ status, code, retryAfter },
            httpStatus: face === 'plain HTTP' ? status : 200
          })
          expect(refused.text).not.toContain(HONCHO_KEY)
          expect(refused.text).not.toMatch(/honcho/i)
        }
        expect(server.logs.join('\n')).not.toContain(HONCHO_KEY.slice(0, 8))
      }
    )

    it('a recall while Honcho is down is 200, and says that it is degraded', async () => {
      honcho.behave('overloaded')
      const recalled = await callTool(face, {
        ...{ url: server.url, gateway: 'customer', key: fixture.token },
        ...{ tool: 'internal_memory_recall', input: { mindId: fixture.mindId } }
      })
      expect(recalled).toMatchObject({ status: 200, output: { degraded: true } })
    })
  })
})
