// Calls of the MCP gateways in both protocol eras.
import type { Shot } from './load.ts'

const MODERN_VERSION = '2026-07-28'
const LEGACY_VERSION = '2025-11-25'

export interface Gateway {
  path: string
  key: string
}

export interface Era {
  name: string
  /** The SDK's major versions that speak it. */
  sdks: readonly ('v1' | 'v2')[]
  shotOf(gateway: Gateway, method: string, params: Record<string, unknown>): Shot
}

export const eras = [
  {
    name: LEGACY_VERSION,
    sdks: ['v1', 'v2'],
    shotOf: (gateway, method, params) =>
      message(gateway, method, params, { 'mcp-protocol-version': LEGACY_VERSION })
  },
  {
    name: MODERN_VERSION,
    sdks: ['v2'],
    shotOf: (gateway, method, params) =>
      message(
        gateway,
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
] as const satisfies readonly Era[]

function message(
  { path, key }: Gateway,
  method: string,
  params: Record<string, unknown>,
  headers: Record<string, string>
): Shot {
  return {
    method: 'POST',
    path,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  }
}
