// `npm run bench:mcp`: the partner gateway in both protocol eras, against a bare Hono that parses or serves JSON.
import { runBench } from './bench.ts'
import type { Comparison } from './compare.ts'
import { fire, type Shot } from './load.ts'
import type { Stage } from './stage.ts'

const GATEWAY = '/api/partner-mcp'
const MODERN_VERSION = '2026-07-28'
const LEGACY_VERSION = '2025-11-25'

interface Era {
  name: string
  shotOf(stage: Stage, method: string, params: Record<string, unknown>): Shot
}

const eras: readonly Era[] = [
  {
    name: LEGACY_VERSION,
    shotOf: (stage, method, params) =>
      message(stage, method, params, { 'mcp-protocol-version': LEGACY_VERSION })
  },
  {
    name: MODERN_VERSION,
    shotOf: (stage, method, params) =>
      message(
        stage,
        method,
        {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': MODERN_VERSION,
            'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {}
          }
        },
        {
          'mcp-protocol-version': MODERN_VERSION,
          'mcp-method': method,
          ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {})
        }
      )
  }
]

await runBench('bench:mcp', {
  async baselineOf(stage, ours) {
    const texts: Record<string, string> = {}
    for (const era of eras) texts[listPath(era)] = await fire(ours, listShot(stage, era))
    return { databaseFile: stage.databaseFile, list: [], texts }
  },
  comparisonsOf: (stage, ours, baseline) =>
    eras.flatMap((era): Comparison[] => {
      const call = era.shotOf(stage, 'tools/call', {
        name: 'customer_get',
        arguments: { customerId: stage.customerId }
      })
      const list = listShot(stage, era)
      const proof = `"structuredContent":{"data":{"id":"${stage.customerId}"`
      const called = {
        name: `tools/call customer_get, ${era.name}`,
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
          baseline: { server: baseline, shot: { ...call, path: '/by-hand/call' }, proof }
        },
        {
          name: `tools/list, ${era.name}`,
          against: 'Hono, the same bytes',
          goal: 0.4,
          ours: { server: ours, shot: list, proof: '"tools":[' },
          baseline: { server: baseline, shot: { ...list, path: listPath(era) }, proof: '"tools":[' }
        }
      ]
    })
})

function listPath({ name }: Era): string {
  return `/list/${name}`
}

function listShot(stage: Stage, era: Era): Shot {
  return era.shotOf(stage, 'tools/list', {})
}

function message(
  { key }: Stage,
  method: string,
  params: Record<string, unknown>,
  headers: Record<string, string>
): Shot {
  return {
    method: 'POST',
    path: GATEWAY,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  }
}
