// What a provider may put into a call by mistake or on purpose: nothing of it keeps the calls beside it from being read.
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordCalls } from '../../src/calls/record.ts'
import { fromNow } from '../../src/clock.ts'
import { newId } from '../../src/ids.ts'
import { ADAPTERS } from '../../src/voice-agents/providers/ask.ts'
import { databases } from '../support/databases.ts'
import { makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

/** Fields of a call, each as its JSON. */
interface Told {
  id?: string
  agent?: string
  recording?: string
  reason?: string
  cost?: string
  costs?: string
}

const ODD: Record<string, Told[]> = {
  'a NUL in its id': [{ id: '"a\\u0000b"' }],
  'a NUL in its agent’s id': [{ agent: '"a\\u0000b"' }],
  'half a character for an id': [{ id: '"\\ud800"' }, { id: '"\\ud801"' }],
  'half a character for its agent': [{ agent: '"\\ud800"' }, { agent: '"\\ud801"' }],
  'a NUL in its recording': [{ recording: '"https://example.com/a\\u0000b"' }],
  'a NUL in its outcome': [{ reason: '"a\\u0000\\ud800b"' }],
  'the name of a prototype': [{ id: '"__proto__"', agent: '"__proto__"' }, { id: '"constructor"' }],
  'a cost without a bottom': [{ costs: '['.repeat(500_000) + ']'.repeat(500_000) }],
  'a cost beyond all numbers': [{ cost: '1e999' }, { cost: '1e308' }],
  'a cost below all numbers': [{ cost: '-1' }, { cost: '1e-320' }],
  'a cost in words': [{ cost: '"12"' }, { cost: '{}' }]
}

const TEXT_OF = {
  a({ id, agent, recording, reason, cost, costs }: Required<Told>) {
    const at = JSON.stringify(fromNow(-60_000))
    return `{"id": ${id}, "assistantId": ${agent}, "createdAt": ${at}, "endedAt": ${at}, "endedReason": ${reason},
      "recordingUrl": ${recording}, "cost": ${cost}, "costBreakdown": {"stt": ${costs}}}`
  },
  b({ id, agent, recording, reason, cost, costs }: Required<Told>) {
    return `{"call_id": ${id}, "agent_id": ${agent}, "end_timestamp": ${Date.now() - 60_000},
      "disconnection_reason": ${reason}, "recording_url": ${recording},
      "call_cost": {"combined_cost": ${cost}, "product_costs": ${costs}}}`
  }
}

const usual = () => ({
  id: `"${newId('call')}"`,
  agent: '"desk"',
  recording: 'null',
  reason: '"hangup"',
  cost: '1',
  costs: '[]'
})

describe.each(databases)('a call on %s', (kind) => {
  let test: TestService
  let answer = ''
  const server = createServer((_request, response) => response.end(answer))
  let baseUrl: string
  beforeAll(async () => {
    test = await openTestService(kind)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    baseUrl = `http://127.0.0.1:${address && typeof address === 'object' && address.port}`
  })
  afterAll(async () => {
    server.close()
    await test.close()
  })

  it.each(['a', 'b'] as const)(
    'with anything odd in it keeps no other one of provider %s',
    async (provider) => {
      const connection = { baseUrl, key: 'key', timeoutMs: 20_000 }
      const span = { from: fromNow(-120_000), to: fromNow(0) }
      for (const [what, odd] of Object.entries(ODD)) {
        const { id: partnerId } = await makePartnerRow(test.service)
        const items = [...odd, { id: '"other"' }].map((told) => TEXT_OF[provider]({ ...usual(), ...told }))
        answer = provider === 'a' ? `[${items}]` : `{"items": [${items}], "has_more": false}`
        const { calls } = await ADAPTERS[provider].listCalls(connection, span, null)
        await test.service.database.transaction((tx) => recordCalls(tx, { partnerId, provider }, calls))
        const kept = test.service.database.read.selectFrom('call').where('partnerId', '=', partnerId)
        const ids = (await kept.select('callId').execute()).map(({ callId }) => callId)
        // What has no name that could be kept is left out.
        const nameless = odd.filter(({ id }) => id?.includes('\\u'))
        expect(ids, what).toHaveLength(items.length - nameless.length)
        expect(ids, what).toContain('other')
      }
    }
  )
})
