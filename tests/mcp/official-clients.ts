// The SDK's own clients, as programs use them.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

export interface AnyClient {
  listTools(): Promise<{ tools: { name: string; title?: string | undefined }[] }>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>
  getServerVersion(): { name: string; version: string } | undefined
  getInstructions(): string | undefined
  close(): Promise<void>
}

const who = { name: 'mindgate-tests', version: '1.0.0' }
const withKey = (key: string) => ({ requestInit: { headers: { Authorization: `Bearer ${key}` } } })

export interface Connected {
  client: AnyClient
  /** The protocol version that both sides speak. */
  agreed(): string | undefined
}

async function firstLine(url: URL, key: string): Promise<Connected> {
  const client = new FirstClient(who)
  const transport = new FirstTransport(url, withKey(key))
  // A cast, because that SDK's own types disagree under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return { client, agreed: () => transport.protocolVersion }
}

async function secondLine(url: URL, key: string, mode: 'auto' | undefined): Promise<Connected> {
  const client = new Client(who, mode ? { versionNegotiation: { mode } } : {})
  await client.connect(new StreamableHTTPClientTransport(url, withKey(key)))
  return { client, agreed: () => client.getNegotiatedProtocolVersion() }
}

/** A client of each SDK line, and the newer one in both of its eras. */
export const officialClients = [
  { name: '@modelcontextprotocol/sdk 1.x', version: '2025-11-25', connect: firstLine },
  {
    name: '@modelcontextprotocol/client 2.x',
    version: '2025-11-25',
    connect: (url: URL, key: string) => secondLine(url, key, undefined)
  },
  {
    name: '@modelcontextprotocol/client 2.x (auto)',
    version: '2026-07-28',
    connect: (url: URL, key: string) => secondLine(url, key, 'auto')
  }
]
