// What every model reads before it does anything: the whole list, for a key with every scope.
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { SCOPES } from '../../schemas/api-key.ts'
import { CUSTOMER_SCOPES } from '../../schemas/customer-token.ts'
import { customerTools } from '../../servers/mcp/customer-gateway.ts'
import { createToolList, toolsOf } from '../../servers/tools/tool.ts'
import { operations } from '../../src/operations.ts'

/** A client's context must have room for the work. Later tools have to fit under it, too. */
const MAX_TOKENS = 4_500
const MAX_TOKENS_OF_SCOPES = {
  'customers:read': 2_400,
  'memory:read': 1_000,
  'instances:read': 650,
  'credits:read': 900
}
const MAX_TOKENS_OF_CUSTOMER = 450
/** Longer descriptions are rather cut off by clients than read. */
const MAX_SENTENCES = 2

const tools = toolsOf(operations)
const listJson = JSON.stringify(createToolList(tools).definitionsFor(new Set(SCOPES)))
const listed: Listed[] = JSON.parse(listJson)
const customerList: Listed[] = JSON.parse(
  JSON.stringify(createToolList(customerTools(operations)).definitionsFor(new Set(CUSTOMER_SCOPES)))
)

interface Schema {
  [keyword: string]: unknown
}

interface Listed {
  name: string
  title: string
  description: string
  annotations: Record<string, unknown>
  inputSchema: Schema
  /** Left out where another tool answers the same. */
  outputSchema?: Schema
}

describe('the tool list', () => {
  it('stays under its token budget', () => {
    const tokens = encode(`{"tools":${listJson}}`).length
    process.stdout.write(`The list of ${listed.length} MCP tools takes ${tokens} tokens (o200k_base).\n`)
    expect(listed.length).toBeGreaterThanOrEqual(15)
    expect(tokens).toBeLessThanOrEqual(MAX_TOKENS)
  })

  it.each([
    ['customers:read', 'customers:write'],
    ['memory:read', 'memory:write'],
    ['instances:read', 'instances:write'],
    ['credits:read', 'credits:write', 'billing:read', 'billing:write']
  ] as const)('takes its share for %s, %s', (...scopes) => {
    const part = createToolList(tools).definitionsFor(new Set(scopes))
    const tokens = encode(JSON.stringify({ tools: part })).length
    process.stdout.write(`${part.length} tools of ${scopes.join(', ')} take ${tokens} tokens.\n`)
    // Half of the whole budget, for the widest of them.
    expect(tokens).toBeLessThanOrEqual(MAX_TOKENS_OF_SCOPES[scopes[0]])
  })

  it('lists no output schema: half of the list would be nothing else, and openapi.json has them', () => {
    expect([...listed, ...customerList].filter(({ outputSchema }) => outputSchema)).toEqual([])
  })

  it('refuses two tools of one name', () => {
    expect(() => createToolList([...tools, ...tools])).toThrow(/share a name/)
  })
})

it('a customer’s own list takes few tokens', () => {
  expect(customerList).toHaveLength(6)
  expect(encode(JSON.stringify({ tools: customerList })).length).toBeLessThanOrEqual(MAX_TOKENS_OF_CUSTOMER)
})

describe.each([...listed, ...customerList])('$name', (tool) => {
  it('has a name that every client takes', () => {
    expect(tool.name).toMatch(/^[a-z][a-z0-9_]{0,63}$/)
  })

  it('has a title and the three hints that clients go by', () => {
    expect(tool.title).not.toBe('')
    expect(tool.annotations).toEqual({
      readOnlyHint: expect.any(Boolean),
      destructiveHint: expect.any(Boolean),
      openWorldHint: expect.any(Boolean)
    })
  })

  it('doesn’t call itself read-only and destructive at once', () => {
    expect(tool.annotations.readOnlyHint && tool.annotations.destructiveHint).toBe(false)
  })

  it('is described in at most two sentences', () => {
    const sentences = tool.description.split(/[.!?](?:\s|$)/).filter(Boolean)
    expect(sentences.length).toBeGreaterThan(0)
    expect(sentences.length).toBeLessThanOrEqual(MAX_SENTENCES)
  })

  it('takes an object of named fields', () => {
    expect(tool.inputSchema).toMatchObject({ type: 'object', properties: expect.anything() })
  })

  it.runIf(tool.outputSchema)('has an object as its output', () => {
    expect(tool.outputSchema).toMatchObject({ type: 'object', properties: expect.anything() })
  })

  it('has schemas without references, maps, type unions, untyped parts and long patterns', () => {
    for (const schema of [tool.inputSchema, ...(tool.outputSchema ? [tool.outputSchema] : [])]) {
      expect(schema).not.toHaveProperty('$schema')
      expect([...parts(schema)].flatMap(troubles)).toEqual([])
    }
  })
})

/** The schema and every schema inside it. */
function* parts(schema: Schema): Generator<Schema> {
  yield schema
  const { properties, items, anyOf, oneOf } = schema
  for (const inner of [Object.values(Object(properties)), items, anyOf, oneOf].flat()) {
    if (typeof inner === 'object' && inner !== null) yield* parts({ ...inner })
  }
}

/** What clients are known to choke on. */
function troubles(schema: Schema): string[] {
  const { type, anyOf, pattern, additionalProperties } = schema
  return [
    ...['$ref', '$defs', 'propertyNames', 'patternProperties', 'allOf', 'id'].filter(
      (word) => word in schema
    ),
    ...(Array.isArray(type) ? [`a union of types: ${type.join()}`] : []),
    ...(type === undefined && anyOf === undefined ? [`untyped: ${JSON.stringify(schema)}`] : []),
    ...(typeof additionalProperties === 'object' || additionalProperties === true ? ['a map'] : []),
    ...(type === 'object' &&
    Object.keys(Object(schema.properties)).length === 0 &&
    additionalProperties !== false
      ? ['an object of whatever fields']
      : []),
    ...(String(pattern ?? '').length > 40 ? [`a long pattern: ${String(pattern)}`] : [])
  ]
}
