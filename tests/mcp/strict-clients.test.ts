// Clients in strict mode (OpenAI's structured tools) send every input of a tool: null for what nobody gave.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { UpdateCustomer } from '../../schemas/customer.ts'
import { customerTools } from '../../servers/mcp/customer-gateway.ts'
import { type Tool, toolsOf } from '../../servers/tools/tool.ts'
import { readToolInput } from '../../servers/tools/tool-input.ts'
import { operations } from '../../src/operations.ts'
import { databases } from '../support/databases.ts'
import { at, makePlan, run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type MemoryFixture, makeMemoryFixture } from './memory-fixture.ts'
import { callTool, FACES, type GatewayName } from './tool-faces.ts'

type Values = Record<string, unknown>
interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  enum?: string[]
  items?: Schema
}

const TOOLS: Record<GatewayName, readonly Tool[]> = {
  partner: toolsOf(operations),
  customer: customerTools(operations)
}
const everyTool = Object.entries(TOOLS).flatMap(([gateway, tools]) =>
  tools.map((tool) => ({ gateway: gateway as GatewayName, name: tool.name, tool }))
)

/** The schema as a strict client puts it to its model: all is required, and what was optional may be null. */
function strict(schema: Schema): Schema {
  const { properties, items, required = [] } = schema
  if (items) return { ...schema, items: strict(items) }
  if (!properties) return schema
  const strictly = Object.entries(properties).map(([name, part]) => {
    const inner = strict(part)
    return [name, required.includes(name) ? inner : { anyOf: [inner, { type: 'null' }] }]
  })
  return { ...schema, properties: Object.fromEntries(strictly), required: Object.keys(properties) }
}

/** The values with `blank` for each input that has none, in groups as well where these are there. */
function filled({ properties = {} }: Schema, values: Values, blank: null | ''): Values {
  return Object.fromEntries(
    Object.entries(properties).map(([name, part]) => {
      const value = values[name]
      if (value === undefined) return [name, blank]
      return [name, part.properties ? filled(part, Object(value), blank) : value]
    })
  )
}

/** What a strict client sends; it fits the schema that its model was given. */
function strictly(tool: string, values: Values): Values {
  const schema: Schema = JSON.parse(JSON.stringify(toolNamed(tool).inputSchema))
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  const sent = filled(schema, values, null)
  expect(ajv.validate(strict(schema), sent), JSON.stringify(ajv.errors)).toBe(true)
  return sent
}

function toolNamed(name: string): Tool {
  const found = everyTool.find((one) => one.name === name)
  if (!found) throw new Error(`There is no tool ${name}`)
  return found.tool
}

/** A value for each required input; ids are those of nobody but for the customer's. */
function required(schema: Schema, fixture: MemoryFixture, isWithGroups = false): Values {
  const { properties = {}, required: names = [] } = schema
  const given = Object.entries(properties).filter(
    ([name, part]) => names.includes(name) || (isWithGroups && part.properties)
  )
  return Object.fromEntries(given.map(([name, part]) => [name, exampleOf(name, part, fixture)]))
}

function exampleOf(name: string, part: Schema, fixture: MemoryFixture): unknown {
  if (part.properties) return required(part, fixture)
  if (name === 'customerId') return fixture.customerId
  if (name === 'email') return uniqueEmail()
  if (part.type === 'boolean') return true
  if (part.enum) return part.enum[0]
  if (part.type === 'array') return ['none']
  return part.type === 'string' ? 'none' : 1.5
}

describe.each(databases)('a client in strict mode on %s', (kind) => {
  let server: TestServer
  let fixture: MemoryFixture
  let planId: string
  let subscriptionId: string
  beforeAll(async () => {
    server = await startTestServer(kind)
    fixture = await makeMemoryFixture(server.service, server.partner)
    planId = await makePlan(server.service, server.partner.partnerId, 'credit')
    subscriptionId = await makePlan(server.service, server.partner.partnerId)
  })
  afterAll(() => server.close())

  const use = (face: (typeof FACES)[number], gateway: GatewayName, tool: string, input: Values) => {
    const key = gateway === 'partner' ? server.partner.key : fixture.token
    return callTool(face, { url: server.url, gateway, key, tool, input })
  }
  const update = (input: Values) => use('MCP 2025-11-25', 'partner', 'customer_update', input)
  const patch = (customerId: string, body: Values) =>
    server.api('PATCH', `/customers/${customerId}`, { key: server.partner.key, body })
  const get = async (customerId: string) =>
    Object(
      at((await server.api('GET', `/customers/${customerId}`, { key: server.partner.key })).body, 'data')
    )

  /** Every field that PATCH takes, none of them at its default. */
  const everyField = (): Values => ({
    email: uniqueEmail(),
    firstName: 'Ada',
    lastName: 'Łovelace',
    businessPhone: '+49 30 1234',
    companyName: 'Engines',
    portalLanguage: 'es',
    monthlyCallVolume: '1000-5000',
    peakHours: '9-17',
    callComplexity: 'high',
    scriptComplexity: 'simple',
    primaryUseCase: 'Line one\nLine two',
    customAutomation: ' blanks around ',
    crmSystem: 'HubSpot',
    phoneSystem: 'Twilio',
    languages: ['de', 'fr'],
    deploymentTimeline: '1 month',
    wantsDemo: false,
    enableAdvancedAnalytics: true,
    enableApiAccess: true,
    customerPortalEnabled: true,
    showKnowledgeBase: false,
    showIntegration: false,
    allowedApps: [],
    maxTeamMembers: 0,
    enableTeamMembers: false,
    aiCreditsEnabled: true,
    aiCreditPricePerMinute: 0.25,
    lowCreditThreshold: 0,
    lowCreditNotificationsEnabled: true,
    enableAiMemory: true,
    creditPlanIds: [planId],
    agreedPrice: 12.345678,
    billingType: 'prepaid',
    planId: subscriptionId,
    deploymentStatus: 'building',
    deploymentNotes: 'Porting',
    deploymentCompletedAt: '2026-05-01T10:00:00.000Z'
  })
  const fullCustomer = async (): Promise<string> => {
    const created = await run(server.service, server.partner.partnerId, 'customer_create', {
      email: uniqueEmail()
    })
    const customerId = stringAt(created, 'data', 'id')
    expect((await patch(customerId, everyField())).status).toBe(200)
    return customerId
  }

  it.each(FACES)('changes the one field that it sets, over %s', async (face) => {
    const customerId = await fullCustomer()
    const { updatedAt: _, ...before } = await get(customerId)
    const sent = strictly('customer_update', { customerId, companyName: 'Difference Engines' })
    expect(Object.keys(sent)).toHaveLength(Object.keys(everyField()).length + 2)
    expect((await use(face, 'partner', 'customer_update', sent)).status).toBe(200)
    const { updatedAt: __, ...after } = await get(customerId)
    expect(JSON.stringify(after)).toBe(JSON.stringify({ ...before, companyName: 'Difference Engines' }))
  })

  it.each(FACES)('empties the fields that `clear` names and no other, over %s', async (face) => {
    const customerId = await fullCustomer()
    const { updatedAt: _, ...before } = await get(customerId)
    const clear = ['firstName', 'languages', 'agreedPrice', 'firstName']
    const sent = strictly('customer_update', { customerId, clear })
    expect((await use(face, 'partner', 'customer_update', sent)).status).toBe(200)
    const { updatedAt: __, ...after } = await get(customerId)
    const cleared = { firstName: null, languages: null, agreedPrice: null }
    // Nothing was agreed any more, so the lines are those of the estimate alone.
    const priceLines = [{ item: 'Base price', amount: before.estimatedPrice }]
    expect(after).toEqual({ ...before, ...cleared, priceLines })
  })

  // The rest is the same whatever the database.
  if (kind !== 'sqlite') return

  it('can clear whatever PATCH clears by null, and nothing else', async () => {
    const clearable = Object.entries(UpdateCustomer.shape)
      .filter(([, schema]) => schema.safeParse(null).success)
      .map(([name]) => name)
    expect(clearable).toHaveLength(22)
    expect(at(toolNamed('customer_update').inputSchema, 'properties', 'clear', 'items', 'enum')).toEqual(
      clearable
    )
    const [byTool, byPatch] = [await fullCustomer(), await fullCustomer()]
    expect((await update({ customerId: byTool, clear: JSON.stringify(clearable) })).status).toBe(200)
    await patch(byPatch, Object.fromEntries(clearable.map((name) => [name, null])))
    // What is owed for the plan's few milliseconds is each one's own, too.
    const own = { id: '', customerId: '', email: '', createdAt: '', updatedAt: '', unbilledAmount: 0 }
    expect({ ...(await get(byTool)), ...own }).toEqual({ ...(await get(byPatch)), ...own })
    expect(await get(byTool)).toMatchObject(Object.fromEntries(clearable.map((name) => [name, null])))
  })

  it.each([
    ['what is set as well', { firstName: 'Eve', clear: ['lastName', 'firstName'] }, 'firstName'],
    ['what has no empty state', { clear: ['email'] }, 'clear.0'],
    ['what is no field', { clear: ['firstName', 'nonsense'] }, 'clear.1'],
    ['itself', { clear: ['clear'] }, 'clear.0']
  ])('can’t clear %s', async (_, input, field) => {
    const customerId = await fullCustomer()
    expect(await update({ customerId, ...input })).toMatchObject({
      status: 400,
      code: 'invalid_input',
      field
    })
    expect(await get(customerId)).toMatchObject({ firstName: 'Ada', lastName: 'Łovelace' })
  })

  it('sets what is "" or null beside its clearing to nothing, so that both agree', async () => {
    const customerId = await fullCustomer()
    const answer = await update({ customerId, firstName: '', lastName: null, clear: ['firstName'] })
    expect(answer.status).toBe(200)
    expect(await get(customerId)).toMatchObject({ firstName: null, lastName: 'Łovelace' })
  })

  it('is alone with `clear`: over REST null clears, and `clear` is no field', async () => {
    const customerId = await fullCustomer()
    expect(await patch(customerId, { clear: ['firstName'] })).toMatchObject({
      status: 400,
      body: { field: 'clear' }
    })
    expect(await patch(customerId, { firstName: null })).toMatchObject({
      body: { data: { firstName: null } }
    })
    expect((await use('plain HTTP', 'partner', 'customer_get', { customerId, clear: [] })).field).toBe(
      'clear'
    )
  })

  it('still hears of an empty required field, and of an empty one that isn’t known', async () => {
    for (const blank of ['', null]) {
      expect(await update({ customerId: blank, firstName: 'Eve' })).toMatchObject({ field: 'customerId' })
      expect(await update({ customerId: fixture.customerId, nonsense: blank })).toMatchObject({
        field: 'nonsense'
      })
    }
  })

  describe.each(everyTool)('that calls $name', ({ gateway, name, tool }) => {
    const schema: Schema = JSON.parse(JSON.stringify(tool.inputSchema))
    // A customer gets but a few mails a day.
    beforeEach(async () => {
      fixture = await makeMemoryFixture(server.service, server.partner)
    })
    const fixed = () => (gateway === 'customer' ? { customerId: fixture.customerId } : {})

    it('is never told that null is a value', () => {
      expect(JSON.stringify(schema)).not.toContain('"null"')
    })

    it.each([null, ''] as const)('says the same with %j for all that is optional', (blank) => {
      for (const isWithGroups of [false, true]) {
        const values = required(schema, fixture, isWithGroups)
        expect(readToolInput(tool, filled(schema, values, blank), fixed())).toEqual(
          readToolInput(tool, values, fixed())
        )
      }
    })

    it.each(FACES)('is answered as one that leaves out what is optional, over %s', async (face) => {
      const answers: unknown[] = []
      for (const blank of [undefined, null, ''] as const) {
        const values = required(schema, fixture)
        const input = blank === undefined ? values : filled(schema, values, blank)
        const { status, code, field, output } = await use(face, gateway, name, input)
        answers.push([status, code, field, Object.keys(Object(output))])
      }
      expect(answers[1]).toEqual(answers[0])
      expect(answers[2]).toEqual(answers[0])
      expect(answers[0]).not.toContain('invalid_input')
    })
  })
})
