// After every refusal there is something to do that the caller's own list has: every code, on every list that there can be.
import { expect, it } from 'vitest'
import { SCOPES, type Scope } from '../../schemas/api-key.ts'
import { customerTools } from '../../servers/mcp/customer-gateway.ts'
import { toolError } from '../../servers/mcp/tool-call.ts'
import { createToolList, type Tool, toolsOf } from '../../servers/tools/tool.ts'
import { ERRORS } from '../../src/error-table.ts'
import { type ErrorCode, ServiceError } from '../../src/errors.ts'
import { operations } from '../../src/operations.ts'
import { stringAt } from '../support/fixture.ts'

const CODES = Object.values(ERRORS).flatMap((entries) => Object.keys(entries)) as ErrorCode[]
const partners = toolsOf(operations)
const customers = customerTools(operations)
const names = new Set([...partners, ...customers].map(({ name }) => name))
const reading = (tools: readonly Tool[]) => tools.filter(({ operation }) => operation.annotations.readOnly)

/** Every list, as scopes and addresses cut it. */
const scopeSets: readonly (readonly Scope[])[] = [
  SCOPES,
  ...SCOPES.map((scope) => [scope]),
  ...SCOPES.map((left) => SCOPES.filter((scope) => scope !== left)),
  ['customers:read', 'customers:write'],
  ['memory:read', 'memory:write']
]
const lists = [
  { of: 'partner', tools: partners },
  { of: 'partner, reading', tools: reading(partners) },
  { of: 'customer', tools: customers },
  { of: 'customer, reading', tools: reading(customers) }
].flatMap(({ of, tools }) =>
  scopeSets.map((scopes) => ({
    of,
    scopes: new Set(scopes),
    list: createToolList(tools),
    isCustomers: of.startsWith('customer')
  }))
)

it.each(CODES)('%s names a next step on every list, and no tool that isn’t there', (code) => {
  expect(lists.length).toBeGreaterThan(100)
  for (const { of, scopes, list, isCustomers } of lists) {
    const caller = { partnerId: 'prt_x', actor: 'key_x', scopes, ...(isCustomers && { customerId: 'cus_x' }) }
    const text = stringAt(toolError(new ServiceError(code, 'It failed.'), caller, list), 'content', 0, 'text')
    const step = text.slice(text.indexOf('It failed.') + 'It failed.'.length).trim()
    expect(step, `${of} ${[...scopes]}`).toMatch(/^[A-Z].+\.$/)
    const listed = new Set(list.definitionsFor(scopes).map(({ name }) => name))
    const named = step.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []
    for (const name of named) {
      expect(names, `${code}: ${name} is a tool`).toContain(name)
      expect(listed, `${code} on ${of} ${[...scopes]}`).toContain(name)
    }
  }
})
