import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { answerOf, CreatedKey, type Environment, makePartner, mindgate } from '../support/cli.ts'
import { stringAt } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'

const Balance = z.strictObject({ balance: z.number() })

describe('`mindgate credits`', () => {
  let server: TestServer
  let env: Environment
  let partnerId: string
  let customerId: string
  let code: string

  beforeAll(async () => {
    server = await startTestServer('sqlite')
    env = server.env
    const { partnerId: id, key } = await makePartner(env, 'Acme')
    partnerId = id
    const { body } = await server.api('POST', '/customers', { key, body: { email: 'ada@example.com' } })
    customerId = stringAt(body, 'data', 'id')
    code = stringAt(body, 'data', 'customerId')
  })
  afterAll(() => server.close())

  const show = (...args: string[]) => answerOf(Balance, env, 'credits', 'show', ...args)
  const grant = (...args: string[]) => answerOf(Balance, env, 'credits', 'grant', ...args)

  it('starts a partner with CREDITS_INITIAL, and with 1,000 unless it is set', async () => {
    expect(await show('--partner', partnerId)).toEqual({ balance: 1_000 })
    await makePartner({ ...env, CREDITS_INITIAL: '12.5' }, 'Modest')
    expect(await show('--partner', 'modest')).toEqual({ balance: 12.5 })
    await makePartner({ ...env, CREDITS_INITIAL: '0' }, 'Poor')
    expect(await show('--partner', 'poor')).toEqual({ balance: 0 })
    expect(await grant('--partner', 'poor', '--amount', '3')).toEqual({ balance: 3 })
  })

  it('grants to a partner, by its id or slug', async () => {
    const { balance } = await show('--partner', partnerId)
    expect(await grant('--partner', 'acme', '--amount', '0.5')).toEqual({ balance: balance + 0.5 })
    expect(await show('--partner', partnerId)).toEqual({ balance: balance + 0.5 })
  })

  it('grants to a customer, by its id or short code, beside the partner’s own', async () => {
    const before = await show('--partner', partnerId)
    expect(await show('--partner', partnerId, '--customer', customerId)).toEqual({ balance: 0 })
    const granted = await grant('--partner', 'acme', '--customer', code, '--amount', '7', '--note', 'Gift')
    expect(granted).toEqual({ balance: 7 })
    expect(await show('--partner', 'acme', '--customer', customerId)).toEqual({ balance: 7 })
    expect(await show('--partner', partnerId)).toEqual(before)
  })

  it('tells people what happened', async () => {
    const { stdout } = await mindgate(env, ['credits', 'grant', '--partner', 'acme', '--amount', '2'])
    expect(stdout).toContain('Acme got 2 credits')
    expect(stdout).toMatch(/Balance {2}\d/)
    const shown = await mindgate(env, ['credits', 'show', '--partner', 'acme', '--customer', code])
    expect(shown.stdout).toContain('Credits of ada@example.com')
  })

  it('finds no customer of another partner', async () => {
    await makePartner(env, 'Other')
    const strange = ['--partner', 'other', '--customer', customerId]
    for (const args of [
      ['show', ...strange],
      ['grant', ...strange, '--amount', '5']
    ]) {
      const { code: exit, stderr } = await mindgate(env, ['credits', ...args])
      expect([exit, stderr]).toEqual([1, expect.stringContaining('No customer of other has the id')])
    }
    expect(await show('--partner', 'acme', '--customer', customerId)).toEqual({ balance: 7 })
  })

  it('shows the grant to whoever reads the entries over REST, at once', async () => {
    const minted = await answerOf(
      CreatedKey,
      env,
      ...['key', 'create', '--partner', 'acme', '--name', 'ledger', '--scopes', 'credits:read']
    )
    const { body } = await server.api('GET', `/customers/${code}/credits/entries`, { key: minted.key })
    expect(body).toMatchObject({ data: [{ number: 1, kind: 'grant', amount: 7, note: 'Gift' }] })
  })

  it.each([
    ['CREDITS_INITIAL', '-1', 'Too small'],
    ['CREDIT_PRICE_REMEMBER', 'one', 'expected number'],
    ['CREDIT_PRICE_ASK_DEEP', '0.0000001', 'must have at most 6 decimals']
  ])('names a variable that is no number of credits: %s', async (name, value, why) => {
    const { code: exit, stderr } = await mindgate({ ...env, [name]: value }, ['partner', 'list'])
    expect([exit, stderr]).toEqual([1, expect.stringMatching(`${name}: .*${why}`)])
  })
})
