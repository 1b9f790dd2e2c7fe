// The suite's own tools, as far as our gateway can offer such tools: one that answers, one that fails, one that takes
// its time, one that could log.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { mcpGateway } from '../../servers/mcp/gateway.ts'
import { authenticate } from '../../servers/middleware/authentication.ts'
import { toolsOf } from '../../servers/tools/tool.ts'
import { ServiceError } from '../../src/errors.ts'
import { type AnyOperation, defineOperation } from '../../src/operation.ts'
import { type GatewayServer, startGateway } from '../mcp/gateway-server.ts'
import { VERSIONS, type Version } from './scenarios.ts'

const PROGRESS_EVERY_MS = 20
/** Long enough for the three notifications that the suite waits for, on a busy machine as well. */
const SLOW_TOOL_MS = 500

const fixture = (name: string, answer: () => Promise<{ said: string }>): AnyOperation =>
  defineOperation({
    name,
    title: name,
    summary: 'Stands in for a tool of the conformance suite.',
    scope: 'customers:read',
    channels: ['mcp'],
    input: z.strictObject({}),
    output: z.object({ said: z.string() }),
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    errors: [],
    handle: answer
  })

const fixtures = [
  fixture('test_simple_text', async () => ({ said: 'This is a simple text response for testing.' })),
  fixture('test_logging_tool', async () => ({ said: 'Nothing was logged to the client.' })),
  fixture('test_error_handling', async () => {
    throw new ServiceError('invalid_input', 'This tool intentionally returns an error for testing.')
  }),
  fixture('test_tool_with_progress', async () => {
    await sleep(SLOW_TOOL_MS)
    return { said: 'It took a while.' }
  })
]

/** The checks that pass with them, and at which versions; the service itself has no such tools. */
export const passingWithFixtures: { check: string; versions: readonly Version[] }[] = [
  { check: 'tools-call-simple-text', versions: VERSIONS },
  { check: 'tools-call-error', versions: VERSIONS },
  { check: 'tools-call-with-progress', versions: VERSIONS },
  { check: 'sep-2575-server-no-log-without-loglevel', versions: ['2026-07-28'] }
]

/** The gateway itself with these tools instead of the partner's. */
export const startFixtureGateway = (): Promise<GatewayServer> =>
  startGateway('sqlite', {
    env: { RATE_LIMIT: '0' },
    mount: (service) =>
      mcpGateway(service, {
        name: 'partner',
        serverInfo: { name: 'mindgate', title: 'Mindgate', version: '1.0.0' },
        instructions: ['The tools of the conformance suite.'],
        tools: toolsOf(fixtures),
        credential: { name: 'an API key', example: 'pkt_…' },
        progressIntervalMs: PROGRESS_EVERY_MS,
        authenticate: (headers) => authenticate(service, 'partner', headers)
      })
  })
