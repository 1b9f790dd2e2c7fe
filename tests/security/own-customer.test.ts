// A customer's own caller stays on that customer, whatever a channel puts into the input.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALL_SCOPES } from '../../schemas/api-key.ts'
import { execute } from '../../src/execute.ts'
import { operations } from '../../src/operations.ts'
import { type Fixture, makeFixture, makePartner } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { exampleInputs } from './examples.ts'

describe('a customer’s own caller', () => {
  let server: TestServer
  let partnerId: string
  let mine: Fixture
  let theirs: Fixture
  beforeAll(async () => {
    server = await startTestServer('sqlite')
    ;({ partnerId } = await makePartner(server.service))
    mine = await makeFixture(server.service, partnerId)
    theirs = await makeFixture(server.service, partnerId)
  })
  afterAll(() => server.close())

  const call = (name: string, input: Record<string, unknown> = {}) => {
    const operation = operations.find((one) => one.name === name)
    if (!operation) throw new Error(`no operation ${name}`)
    const caller = { partnerId, customerId: mine.customerId, actor: 'tok_1', scopes: new Set(ALL_SCOPES) }
    return execute(operation, server.service, { caller, requestId: '' }, input)
  }

  it('is let in with its own id', async () => {
    const { output } = await call('customer_get', { customerId: mine.customerId })
    expect(output).toMatchObject({ data: { id: mine.customerId } })
  })

  it('is refused everything else: another customer of the partner, and what is about no customer', async () => {
    const codes: Record<string, unknown> = {}
    for (const [name, input] of Object.entries(exampleInputs(theirs)))
      codes[name] = await call(name, input).then(
        () => 'let in',
        (error: { code?: unknown }) => error.code
      )
    expect(Object.keys(codes).length).toBeGreaterThan(40)
    expect(Object.entries(codes).filter(([, code]) => code !== 'customer_not_found')).toEqual([])
  })
})
