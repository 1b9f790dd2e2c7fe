// A real call to the customer gateway, as an agent makes it: over HTTP and MCP, at the address that this very process
// listens on. The address comes from the socket, the name of the host from our own configuration; nothing of either
// from the form, so that the test can't be pointed at anything else.
import { request } from 'node:http'
import type { Context } from 'hono'
import { z } from 'zod'
import type { Config } from '../../../src/config.ts'
import { jsonIn } from '../../../src/json-shape.ts'
import { say, sayIfKnown } from '../../../src/language/say.ts'
import { readCapped } from '../../../src/net/capped.ts'
import { VERSION } from '../../../src/version.ts'
import type { PageEnv } from '../env.ts'
import type { State } from '../ui/values.tsx'

const GATEWAY_PATH = '/api/mcp'

/** The gateway as agents reach it: on the partner's own host where the portal stands there, else on ours. */
export function gatewayUrl({ publicUrl }: Config, c: Context<PageEnv>): string {
  const isOwnHost = c.get('portal').base === ''
  const origin = isOwnHost ? c.get('origin') : (publicUrl ?? c.get('origin'))
  return origin + GATEWAY_PATH
}

const DEADLINE_MS = 5_000
/** A recall is some 100 kB at most, and is in the answer twice. */
const CAP = {
  maxBytes: 1_000_000,
  refusal: () => new Refused(say('The gateway answered with more than a client should read.'))
}

const PROTOCOL_VERSION = '2025-11-25'
const RECALL = 'internal_memory_recall'

interface Target {
  c: Context<PageEnv>
  /** As agents name it in their requests. */
  host: string
  token: string
  signal: AbortSignal
}

/** What the free tool answered, and in which words where it refused. */
interface Recall extends State {
  text?: string | undefined
}

/** Connects, lists the tools and recalls. Says what went wrong instead of throwing. */
export async function testConnection(c: Context<PageEnv>, gateway: string, token: string) {
  const startedAt = performance.now()
  const signal = AbortSignal.timeout(DEADLINE_MS)
  const target = { c, host: new URL(gateway).host, token, signal }
  try {
    await call(target, 'initialize', INITIALIZE, Initialized)
    const { tools } = await call(target, 'tools/list', {}, Listed)
    const names = tools.map(({ name }) => name)
    const recall = names.includes(RECALL) ? await callRecall(target) : notAllowed()
    const tookMs = Math.max(1, Math.round(performance.now() - startedAt))
    return { isConnected: true, tools: names, recall, tookMs } as const
  } catch (error) {
    return { isConnected: false, reason: signal.aborted ? tooSlow() : reasonOf(error) } as const
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

const notAllowed = (): Recall => ({ tone: 'neutral', label: say('this token may not read') })

async function callRecall(target: Target): Promise<Recall> {
  const parameters = { name: RECALL, arguments: {} }
  const { isError, content } = await call(target, 'tools/call', parameters, Called)
  return isError
    ? { tone: 'bad', label: say('refused'), text: content[0]?.text }
    : { tone: 'good', label: say('works') }
}

/** What the gateway said instead of an answer. */
class Refused extends Error {}

async function call<Result>(target: Target, method: string, params: object, schema: z.ZodType<Result>) {
  const { status, text } = await post(target, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  const envelope = Envelope.safeParse(jsonIn(text)).data
  if (envelope?.error) throw new Refused(`${status}: ${sayIfKnown(envelope.error.message)}`)
  if (status !== 200 || !envelope)
    throw new Refused(say('The gateway answered with status {status}.', { status }))
  return schema.parse(envelope.result)
}

/** @throws Refused where there is no address to call. `fetch` can't name another host than it connects to. */
async function post({ c, host, token, signal }: Target, body: string) {
  // The socket that this request came in on: nothing that a client says has a part in it.
  const { localAddress, localPort: port } = c.env.incoming?.socket ?? {}
  if (localAddress === undefined || port === undefined) {
    throw new Refused(say('The gateway can’t be reached from here.'))
  }
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(
      {
        host: localAddress,
        port,
        path: GATEWAY_PATH,
        method: 'POST',
        // A connection of its own: none is kept for a test.
        agent: false,
        signal,
        headers: {
          Host: host,
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

const tooSlow = (): string =>
  say(
    'The gateway did not answer within {count, plural, one {# second} other {# seconds}}. Try again in a moment.',
    { count: DEADLINE_MS / 1_000 }
  )

function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message
  if (error instanceof z.ZodError) return say('The gateway’s answer is not what a client expects.')
  return say('The gateway can’t be reached at the moment. Try again in a moment.')
}
