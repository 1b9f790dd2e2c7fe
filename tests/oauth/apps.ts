// Apps that get to know a gateway by its address alone, as the SDK's own clients do: both lines of it.

import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { UnauthorizedError as FirstUnauthorized } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type SiteClient, siteClient } from '../portal/site-client.ts'
import { type Decision, decide } from './people.ts'

export const REDIRECT = 'http://127.0.0.1:33333/callback'

/** What an app keeps of a sign-in, and where it sends its user. */
export interface AppMemory {
  client?: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>
  tokens?: Awaited<ReturnType<OAuthClientProvider['tokens']>>
  verifier?: string
  discovery?: Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>
  /** Where the user was sent last. */
  sentTo?: URL
  /** How often they were. */
  timesSent?: number
}

function providerOf(memory: AppMemory, metadataUrl?: string): OAuthClientProvider {
  return {
    redirectUrl: REDIRECT,
    ...(metadataUrl ? { clientMetadataUrl: metadataUrl } : {}),
    clientMetadata: {
      client_name: 'Test assistant',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none'
    },
    state: () => 'some-state',
    clientInformation: () => memory.client,
    saveClientInformation(client) {
      memory.client = client
    },
    tokens: () => memory.tokens,
    saveTokens(tokens) {
      memory.tokens = tokens
    },
    redirectToAuthorization(url) {
      memory.sentTo = url
      memory.timesSent = (memory.timesSent ?? 0) + 1
    },
    saveCodeVerifier(verifier) {
      memory.verifier = verifier
    },
    codeVerifier: () => memory.verifier ?? '',
    saveDiscoveryState(state) {
      memory.discovery = state
    },
    discoveryState: () => memory.discovery
  }
}

const who = { name: 'mindgate-tests', version: '1.0.0' }

interface ToolCall {
  name: string
  arguments: Record<string, unknown>
}

export interface ConnectedApp {
  memory: AppMemory
  /** The access token that it has now. */
  token(): string
  listTools(): Promise<{ tools: { name: string }[] }>
  /** Where its user must decide anew, it throws what the SDK throws. */
  callTool(call: ToolCall): Promise<Record<string, unknown>>
  /** Its user follows where they were sent, and the app goes on with what they decided. */
  askUser(decision: Decision): Promise<void>
  close(): Promise<void>
}

export interface AppOptions {
  gateway: '/api/mcp' | '/api/partner-mcp'
  decision: Decision
  /** Where the app's own document stands; it registers unless it has one. */
  metadataUrl?: string
  memory?: AppMemory
  browser?: SiteClient
  fetch?: typeof fetch
}

/** One connection, as a line of the SDK makes it. */
interface Connection {
  connect(): Promise<void>
  finishAuth(answer: URL): Promise<void>
  listTools: ConnectedApp['listTools']
  callTool: ConnectedApp['callTool']
  close(): Promise<void>
}

async function stayConnected(
  url: string,
  { decision, browser = siteClient(url), memory = {} }: AppOptions,
  open: (memory: AppMemory) => Connection
): Promise<ConnectedApp> {
  let connection = open(memory)
  const askUser = async (asked: Decision) => {
    await connection.finishAuth(await decide(url, String(memory.sentTo), asked, browser))
    connection = open(memory)
    await connection.connect()
  }
  try {
    await connection.connect()
  } catch (error) {
    if (!isAboutUser(error)) throw error
    await askUser(decision)
  }
  return {
    memory,
    token: () => memory.tokens?.access_token ?? '',
    listTools: () => connection.listTools(),
    callTool: (call) => connection.callTool(call),
    askUser,
    close: () => connection.close()
  }
}

export const isAboutUser = (error: unknown): boolean =>
  error instanceof FirstUnauthorized || error instanceof UnauthorizedError

const firstLine = (url: string, options: AppOptions): Promise<ConnectedApp> =>
  stayConnected(url, options, (memory) => {
    const { gateway, metadataUrl, fetch } = options
    const client = new FirstClient(who)
    const transport = new FirstTransport(new URL(gateway, url), {
      // The shapes are those of the newer line, but for what they say of `undefined`.
      authProvider: providerOf(memory, metadataUrl) as never,
      ...(fetch ? { fetch } : {})
    })
    return {
      connect: () => client.connect(transport as Parameters<typeof client.connect>[0]),
      finishAuth: ({ searchParams }) => transport.finishAuth(searchParams.get('code') ?? ''),
      listTools: () => client.listTools(),
      callTool: (call) => client.callTool(call),
      close: () => client.close()
    }
  })

const secondLine = (url: string, options: AppOptions, mode?: 'auto'): Promise<ConnectedApp> =>
  stayConnected(url, options, (memory) => {
    const { gateway, metadataUrl, fetch } = options
    const client = new Client(who, mode ? { versionNegotiation: { mode } } : {})
    const transport = new StreamableHTTPClientTransport(new URL(gateway, url), {
      authProvider: providerOf(memory, metadataUrl),
      ...(fetch ? { fetch } : {})
    })
    return {
      connect: () => client.connect(transport),
      finishAuth: ({ searchParams }) => transport.finishAuth(searchParams),
      listTools: () => client.listTools(),
      callTool: (call) => client.callTool(call),
      close: () => client.close()
    }
  })

interface NamedApp {
  name: string
  connect(url: string, options: AppOptions): Promise<ConnectedApp>
}

/** The newer line, for what is the same whichever app it is. */
export const connectApp = (url: string, options: AppOptions): Promise<ConnectedApp> =>
  secondLine(url, options)

/** A client of each SDK line, and the newer one in both of its eras. */
export const apps: [NamedApp, NamedApp, NamedApp] = [
  { name: '@modelcontextprotocol/sdk 1.x', connect: firstLine },
  { name: '@modelcontextprotocol/client 2.x', connect: connectApp },
  {
    name: '@modelcontextprotocol/client 2.x (auto)',
    connect: (url: string, options: AppOptions) => secondLine(url, options, 'auto')
  }
]
