// A real call to the customer gateway, as an agent makes it: over HTTP and MCP, at the address that this very process
// listens on. The address comes from the socket, the name of the host from our own configuration; nothing of either
// from the form, so that the test can't be pointed at anything else.
import { request } from 'node:http'
import type { Context } from 'hono'
import { z } from 'zod'
import type { Config } from '../../../src/config.ts'
import { readCapped } from '../../../src/net/capped.ts'
import { VERSION } from '../../../src/version.ts'
import type { PageEnv } from '../env.ts'

const GATEWAY_PATH = '/api/mcp'

/** The gateway as agents reach it: on the partner's own host where the portal stands there, else on ours. */
export function gatewayUrl({ publicUrl }: Config, c: Context<PageEnv>): string {
  const isOwnHost = c.get('portal').base === ''
  const origin = isOwnHost ? c.get('origin') : (publicUrl ?? c.get('origin'))
  return origin + GATEWAY_PATH
}

export interface ListeningAddress {
  address: string
  port: number
}

/** The socket that this request came in on: nothing that a client says has a part in it. */
export function listeningAddress(c: Context<PageEnv>): ListeningAddress | undefined {
  const { localAddress: address, localPort: port } = c.env.incoming?.socket ?? {}
  return address === undefined || port === undefined ? undefined : { address, port }
}

const DEADLINE_MS = 5_000
/** A recall is some 100 kB at most, and is in the answer twice. */
const CAP = {
  maxBytes: 1_000_000,
  refusal: () => new Refused('The gateway answered with more than a client should read.')
}

const PROTOCOL_VERSION = '2025-11-25'
const RECALL = 'internal_memory_recall'

export type ConnectionTest =
  | { isConnected: true; tools: string[]; recall: Recall; tookMs: number }
  | { isConnected: false; reason: string }

/** What the free tool answered, where the token may call it. */
interface Recall {
  state: 'works' | 'not-allowed' | 'refused'
  text?: string | undefined
}

interface Target extends ListeningAddress {
  /** The gateway's address as agents are told: its host is what they name in their requests. */
  gatewayUrl: string
  token: string
}

/** Connects, lists the tools and recalls. Says what went wrong instead of throwing. */
export async function testConnection(target: Target, deadlineMs = DEADLINE_MS): Promise<ConnectionTest> {
  const startedAt = performance.now()
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    await call(target, signal, 'initialize', INITIALIZE, Initialized)
    const { tools } = await call(target, signal, 'tools/list', {}, Listed)
    const names = tools.map(({ name }) => name)
    const recall: Recall = names.includes(RECALL)
      ? await callRecall(target, signal)
      : { state: 'not-allowed' }
    const tookMs = Math.max(1, Math.round(performance.now() - startedAt))
    return { isConnected: true, tools: names, recall, tookMs }
  } catch (error) {
    return { isConnected: false, reason: signal.aborted ? tooSlow(deadlineMs) : reasonOf(error) }
  }
}

const INITIALIZE = {
  protocolVersion: PROTOCOL_VERSION,
  capabilities: {},
  clientInfo: { name: 'mindgate-portal', version: VERSION }
}

const Initialized = z.object({ protocolVersion: z.string() })
const Listed = z.object({ tools: z.array(z.object({ name: z.string() })) })
const Called = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ text: z.string().optional() }))
})
const Envelope = z.object({ result: z.unknown(), error: z.object({ message: z.string() }).optional() })

async function callRecall(target: Target, signal: AbortSignal): Promise<Recall> {
  const parameters = { name: RECALL, arguments: {} }
  const { isError, content } = await call(target, signal, 'tools/call', parameters, Called)
  return isError ? { state: 'refused', text: content[0]?.text } : { state: 'works' }
}

/** What the gateway said instead of an answer. */
class Refused extends Error {}

async function call<Schema extends z.ZodType>(
  target: Target,
  signal: AbortSignal,
  method: string,
  params: object,
  schema: Schema
): Promise<z.output<Schema>> {
  const { status, text } = await post(target, signal, { jsonrpc: '2.0', id: 1, method, params })
  const envelope = Envelope.safeParse(parsed(text)).data
  if (envelope?.error) throw new Refused(`${status}: ${envelope.error.message}`)
  if (status !== 200 || !envelope) throw new Refused(`The gateway answered with status ${status}.`)
  return schema.parse(envelope.result)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `fetch` can't name another host than it connects to. */
function post({ address, port, gatewayUrl, token }: Target, signal: AbortSignal, message: object) {
  const body = JSON.stringify(message)
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(
      {
        host: address,
        port,
        path: GATEWAY_PATH,
        method: 'POST',
        // A connection of its own: none is kept for a test.
        agent: false,
        signal,
        headers: {
          Host: new URL(gatewayUrl).host,
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'MCP-Protocol-Version': PROTOCOL_VERSION,
          'Content-Length': Buffer.byteLength(body)
        }
      },
      (answer) => {
        const { statusCode: status = 0 } = answer
        readCapped(answer, CAP).then((bytes) => resolve({ status, text: bytes.toString() }), reject)
      }
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

const tooSlow = (deadlineMs: number): string =>
  `The gateway did not answer within ${deadlineMs / 1_000} seconds. Try again in a moment.`

function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message
  if (error instanceof z.ZodError) return 'The gateway’s answer is not what a client expects.'
  return 'The gateway can’t be reached at the moment. Try again in a moment.'
}
