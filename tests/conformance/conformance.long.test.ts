// The public conformance suite and the MCP Inspector against the running service, at the versions of both eras.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { GatewayServer } from '../mcp/gateway-server.ts'
import { makeMemoryFixture } from '../mcp/memory-fixture.ts'
import { at } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { passingWithFixtures, startFixtureGateway } from './fixture-tools.ts'
import { type KeyProxy, startKeyProxy } from './key-proxy.ts'
import { extensionsNotOffered, LISTED_RESOURCE_READ, notApplicable } from './not-applicable.ts'
import { passing, withoutSchemaCheck } from './passing.ts'
import { type Check, listScenarios, runScenarios, VERSIONS, type Version } from './scenarios.ts'
import { openToolbox, type Toolbox } from './toolbox.ts'

/** A first run installs the tools. */
const SETUP_WITHIN_MS = 360_000
const SCHEMA_CHECK = 'wire-schema-valid'
const GATEWAY_PATH = '/api/partner-mcp'
/** How fast the suite asks is its own affair. */
const UNLIMITED = { RATE_LIMIT: '0' }

let toolbox: Toolbox
let server: TestServer
let proxy: KeyProxy
let checks: Check[]
let scenarios: Awaited<ReturnType<typeof listScenarios>>
beforeAll(async () => {
  toolbox = await openToolbox()
  server = await startTestServer('sqlite', UNLIMITED)
  proxy = await startKeyProxy(server.url, server.partner.key)
  checks = await runScenarios(toolbox, proxy.url + GATEWAY_PATH)
  scenarios = await listScenarios(toolbox)
}, SETUP_WITHIN_MS)
afterAll(async () => {
  await proxy?.close()
  await server?.close()
  toolbox?.close()
})

describe.each(VERSIONS)('the public suite at %s', (version) => {
  const ofVersion = () => checks.filter((check) => check.version === version)

  it('passes in exactly the checks that are listed as passing', () => {
    const passed = ofVersion().filter(({ id, status }) => status === 'SUCCESS' && id !== SCHEMA_CHECK)
    expect(namesOf(passed)).toEqual(listedAsPassing(version))
  })

  it('fails, warns and skips in nothing but what can’t apply, for the reason that is listed', () => {
    const others = ofVersion().filter(({ status }) => status !== 'SUCCESS')
    const unexplained = others.filter(
      ({ scenario, id, message }) => !reasonFor(scenario, id)?.says.test(message)
    )
    expect(unexplained).toEqual([])
  })

  it('sees nothing but valid messages, also in the scenarios that don’t pass', () => {
    const all = new Set(ofVersion().map(({ scenario }) => scenario))
    const seen = ofVersion().filter(({ id, status }) => id === SCHEMA_CHECK && status === 'SUCCESS')
    const valid = new Set(seen.map(({ scenario }) => scenario))
    const unseen = [...all].filter(
      (scenario) => !valid.has(scenario) && !withoutSchemaCheck.includes(scenario)
    )
    expect(valid.size).toBeGreaterThan(20)
    expect(unseen).toEqual([])
  })
})

it(
  'the public suite finds the customer gateway no different, but for the resource that it lists',
  async () => {
    const { token } = await makeMemoryFixture(server.service, server.partner)
    const customerProxy = await startKeyProxy(server.url, token)
    const found = await runScenarios(toolbox, `${customerProxy.url}/api/mcp`)
    await customerProxy.close()
    const reads = found.filter(({ id }) => id === LISTED_RESOURCE_READ)
    expect(reads.map(({ status }) => status)).toEqual(['SUCCESS'])
    const marks = (list: readonly Check[]) =>
      list
        .filter(({ id }) => id !== LISTED_RESOURCE_READ)
        .map(({ version, scenario, id, status }) => `${version} ${scenario} ${id}: ${status}`)
        .sort()
    expect(found.length).toBeGreaterThan(100)
    expect(marks(found)).toEqual(marks(checks))
  },
  SETUP_WITHIN_MS
)

describe('the lists of what can’t apply', () => {
  const rows = notApplicable.flatMap((entry) =>
    Object.entries(entry.checks).flatMap(([scenario, ids]) => ids.map((id) => ({ scenario, id })))
  )

  it('hold nothing twice', () => {
    expect(namesOf(rows)).toHaveLength(rows.length)
  })

  it('hold nothing that is gone from the suite', () => {
    const known = namesOf(checks)
    expect(namesOf(rows).filter((name) => !known.includes(name))).toEqual([])
  })

  it('hold nothing that passes by now', () => {
    const passed = namesOf(checks.filter(({ status }) => status === 'SUCCESS'))
    expect(namesOf(rows).filter((name) => passed.includes(name))).toEqual([])
  })

  it('hold every extension that the suite has scenarios for', () => {
    const extensions = scenarios.filter(({ isExtension }) => isExtension)
    expect(extensions.map(({ name }) => name).sort()).toEqual(
      Object.values(extensionsNotOffered).flat().sort()
    )
  })
})

it('every scenario of the suite that belongs to a version was run', () => {
  const required = scenarios.filter(({ isExtension }) => !isExtension)
  const run = new Set(checks.map(({ scenario }) => scenario))
  expect(required.length).toBeGreaterThan(50)
  expect(required.filter(({ name }) => !run.has(name))).toEqual([])
})

describe('checks that need tools of the suite’s own', () => {
  let gateway: GatewayServer
  let fixtureProxy: KeyProxy
  let fixtureChecks: Check[]
  beforeAll(async () => {
    gateway = await startFixtureGateway()
    fixtureProxy = await startKeyProxy(gateway.url.origin, gateway.partner.key)
    fixtureChecks = await runScenarios(toolbox, fixtureProxy.url + GATEWAY_PATH)
  }, SETUP_WITHIN_MS)
  afterAll(async () => {
    await fixtureProxy?.close()
    await gateway?.close()
  })

  it.each(passingWithFixtures)('$check passes with such a tool', ({ check, versions }) => {
    const found = fixtureChecks.filter(({ id }) => id === check)
    expect(found.map(({ version, status }) => ({ version, status }))).toEqual(
      versions.map((version) => ({ version, status: 'SUCCESS' }))
    )
  })
})

describe.each(['legacy', 'modern'])('the MCP Inspector in the %s era', (era) => {
  // Strict: findings would stand beside the result.
  const Listed = z.strictObject({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) })
  const inspectAt = (path: string, key: string, ...args: string[]) =>
    toolbox.inspector(
      ...['--transport', 'http', '--server-url', server.url + path],
      ...['--header', `Authorization: Bearer ${key}`],
      ...['--protocol-era', era, '--format', 'json', ...args]
    )
  const inspect = (...args: string[]) => inspectAt(GATEWAY_PATH, server.partner.key, ...args)

  it('finds no error and no warning in the tool list, strictly', async () => {
    const { code, stdout, stderr } = await inspect('--method', 'tools/list', '--strict')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { tools } = Listed.parse(JSON.parse(stdout)).result
    expect(tools.length).toBeGreaterThanOrEqual(15)
  })

  it('finds none on the customer gateway either, and remembers and recalls there', async () => {
    const { token } = await makeMemoryFixture(server.service, server.partner)
    const ofCustomer = async (...args: string[]): Promise<unknown> => {
      const { code, stdout, stderr } = await inspectAt('/api/mcp', token, ...args)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      return JSON.parse(stdout)
    }
    const { tools } = Listed.parse(await ofCustomer('--method', 'tools/list', '--strict')).result
    expect(tools).toHaveLength(6)
    const call = (name: string, args: string) =>
      ofCustomer('--method', 'tools/call', '--tool-name', name, '--tool-args-json', args)
    await call('internal_memory_remember', '{"content":"Ada likes tea."}')
    const recalled = await call('internal_memory_recall', '{}')
    expect(at(recalled, 'result', 'structuredContent', 'messages', 0, 'content')).toContain('Ada likes tea.')
  })

  it('calls a tool, and both speak that era', async () => {
    const call = ['--method', 'tools/call', '--tool-name', 'customer_list', '--tool-args-json', '{"limit":5}']
    const { code, stdout, stderr } = await inspect(...call)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const result = at(JSON.parse(stdout), 'result')
    expect(at(result, 'structuredContent', 'pagination', 'limit')).toBe(5)
    // Only the newer era's results say who answered.
    const signature = at(result, '_meta', 'io.modelcontextprotocol/serverInfo', 'name')
    expect(signature).toBe(era === 'modern' ? 'mindgate' : undefined)
  })
})

/** `scenario: check` of each, once, in order. */
function namesOf(listed: readonly { scenario: string; id: string }[]): string[] {
  return [...new Set(listed.map(({ scenario, id }) => `${scenario}: ${id}`))].sort()
}

function listedAsPassing(version: Version): string[] {
  const listed = Object.entries(passing).flatMap(([scenario, ids]) =>
    Object.entries(ids).flatMap(([id, versions]) => (versions.includes(version) ? [{ scenario, id }] : []))
  )
  return namesOf(listed)
}

function reasonFor(scenario: string, id: string) {
  return notApplicable.find((entry) => entry.checks[scenario]?.includes(id))
}
