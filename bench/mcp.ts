// `npm run bench:mcp`: the gateways in both protocol eras, against a bare Hono that parses or serves JSON,
// the same work by hand, and the same work on the SDK as its documentation shows it. Recall is what
// an agent calls at the start of each conversation; the partner's is the longest list of tools.
import { z } from 'zod'
import { runBench } from './bench.ts'
import type { Comparison } from './compare.ts'
import type { Fixture } from './fixture.ts'
import { fire, type Shot } from './load.ts'
import { type Era, eras, type Gateway } from './mcp-shots.ts'
import { ListedTool } from './sdk-baseline.ts'

const customerGateway = ({ token }: Fixture): Gateway => ({ path: '/api/mcp', key: token })
const partnerGateway = ({ key }: Fixture): Gateway => ({ path: '/api/partner-mcp', key })

const Answer = z.object({ result: z.object({ tools: z.array(ListedTool) }) })
const Called = z.object({ result: z.object({ content: z.unknown(), structuredContent: z.unknown() }) })

await runBench('bench:mcp', {
  async baselineOf(fixture, ours) {
    const texts: Record<string, string> = {}
    for (const era of eras) texts[listPath(era)] = await fire(ours, listShot(fixture, era))
    const toolsOf = async (gateway: Gateway) => {
      const text = await fire(ours, eras[0].shotOf(gateway, 'tools/list', {}))
      return Answer.parse(JSON.parse(text)).result.tools
    }
    const tools = {
      '/sdk/customer': await toolsOf(customerGateway(fixture)),
      '/sdk/partner': await toolsOf(partnerGateway(fixture))
    }
    return { databaseLocation: fixture.databaseLocation, list: [], texts, tools }
  },
  comparisonsOf: (fixture, ours, baseline) =>
    eras.flatMap((era): Comparison[] => {
      const call = era.shotOf(customerGateway(fixture), 'tools/call', {
        name: 'internal_memory_recall',
        arguments: {}
      })
      const remember = {
        ...era.shotOf(customerGateway(fixture), 'tools/call', {
          name: 'internal_memory_remember',
          arguments: { content: 'Ada: The invoice of the workshop is paid. Its number is [<id>].' }
        }),
        isUnique: true
      }
      const list = listShot(fixture, era)
      const proof = '"messages":[{"id":"mem_'
      const called = {
        name: `tools/call recall, ${era.name}`,
        ours: { server: ours, shot: call, proof }
      }
      return [
        {
          ...called,
          against: 'Hono JSON echo',
          goal: 0.35,
          baseline: { server: baseline, shot: { ...call, path: '/echo' }, proof: '"method":"tools/call"' }
        },
        {
          ...called,
          against: 'the same work by hand',
          goal: 0.6,
          same: resultOf,
          baseline: { server: baseline, shot: { ...call, path: '/handwritten/call' }, proof }
        },
        ...era.sdks.map((sdk) => ({
          ...called,
          against: `SDK ${sdk} as documented`,
          goal: 2.5,
          same: resultOf,
          baseline: { server: baseline, shot: { ...call, path: `/sdk/customer/${sdk}` }, proof }
        })),
        {
          name: `tools/call remember, ${era.name}`,
          against: 'one commit',
          goal: 0.3,
          ours: { server: ours, shot: remember, proof: '"duplicate' },
          baseline: { server: baseline, shot: { ...remember, path: '/commit' }, proof: '"memoryId":' }
        },
        {
          name: `tools/list, ${era.name}`,
          against: 'Hono, the same bytes',
          goal: 0.4,
          ours: { server: ours, shot: list, proof: '"tools":[' },
          baseline: { server: baseline, shot: { ...list, path: listPath(era) }, proof: '"tools":[' }
        },
        // Where the tools are many: as documented each request registers all of them.
        ...era.sdks.map((sdk) => {
          const { customerId } = fixture
          const params = { name: 'memory_recall', arguments: { customerId } }
          const byHand = era.shotOf(customerGateway(fixture), 'tools/call', params)
          return {
            name: `tools/call recall by a partner, ${era.name}`,
            against: `SDK ${sdk} as documented`,
            goal: 2.5,
            ours: { server: ours, shot: era.shotOf(partnerGateway(fixture), 'tools/call', params), proof },
            baseline: { server: baseline, shot: { ...byHand, path: `/sdk/partner/${sdk}` }, proof }
          }
        }),
        ...era.sdks.map((sdk) => ({
          name: `tools/list, ${era.name}`,
          against: `SDK ${sdk} as documented`,
          goal: 8,
          ours: { server: ours, shot: list, proof: '"tools":[' },
          baseline: { server: baseline, shot: { ...list, path: `/sdk/partner/${sdk}` }, proof: '"tools":[' }
        }))
      ]
    })
})

/** What a recall answers but for the marks, which are new each time. */
function resultOf(answer: string): unknown {
  const unmarked = answer
    .replaceAll(/[0-9a-f]{24}/g, 'boundary')
    .replaceAll(/<(\/?)[bcdfghjklmnpqrstvwxz]{5}>/g, '<$1mark>')
  const event = /^data: (.*)$/m.exec(unmarked)?.[1]
  return Called.parse(JSON.parse(event ?? unmarked)).result
}

function listPath({ name }: Era): string {
  return `/list/${name}`
}

function listShot(fixture: Fixture, era: Era): Shot {
  return era.shotOf(partnerGateway(fixture), 'tools/list', {})
}
