// `mindgate token`: what opens a customer's gateway, for scripts and beside a running service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { tokenHash } from '../../src/keys/token.ts'
import { answerOf, type Environment, makePartner, mindgate } from '../support/cli.ts'
import { at, stringAt } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'

const Minted = z.strictObject({
  tokenId: z.string(),
  token: z.string(),
  scopes: z.array(z.string()),
  expiresAt: z.string().nullable()
})
const Listed = z.array(z.record(z.string(), z.unknown()))

describe('the CLI’s tokens', () => {
  let server: TestServer
  let env: Environment
  let customerId: string
  let code: string

  beforeAll(async () => {
    server = await startTestServer('sqlite')
    env = server.env
    const { key } = await makePartner(env, 'Token Voice')
    const { body } = await server.api('POST', '/customers', { key, body: { email: 'ada@example.com' } })
    customerId = stringAt(body, 'data', 'id')
    code = stringAt(body, 'data', 'customerId')
  })
  afterAll(() => server.close())

  const create = (...more: string[]) =>
    answerOf(Minted, env, 'token', 'create', '--customer', customerId, '--name', 'assistant', ...more)
  const toolNames = async (token: string) => {
    const response = await fetch(`${server.url}/api/mcp`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    })
    const tools = at(await response.json(), 'result', 'tools')
    return Array.isArray(tools) ? tools.map((tool: unknown) => at(tool, 'name')) : response.status
  }

  it('open the customer gateway at once, and no more once they are revoked', async () => {
    const { token, tokenId, scopes, expiresAt } = await create()
    expect(token).toMatch(/^mct_[0-9A-Za-z]{49}$/)
    expect([scopes, expiresAt]).toEqual([['memory:read', 'memory:write'], null])
    expect(await toolNames(token)).toEqual([
      'internal_memory_remember',
      'internal_memory_remember_many',
      'internal_memory_recall',
      'internal_memory_ask',
      'internal_memory_search',
      'internal_memory_forget'
    ])
    const revoke = ['token', 'revoke', '--customer', customerId, '--token', tokenId]
    const Revoked = z.strictObject({ tokenId: z.string(), revoked: z.literal(true) })
    expect(await answerOf(Revoked, env, ...revoke)).toEqual({ tokenId, revoked: true })
    expect(await toolNames(token)).toBe(401)
    const again = await mindgate(env, revoke)
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('`mindgate token list')
  })

  it('take the short code together with the partner', async () => {
    const { tokenId } = await answerOf(
      Minted,
      env,
      ...[
        'token',
        'create',
        '--partner',
        'token-voice',
        '--customer',
        code.toLowerCase(),
        '--name',
        'by code'
      ],
      ...['--scopes', 'memory:read', '--expires', '2099-01-31T12:00:00+02:00']
    )
    const listed = await answerOf(Listed, env, 'token', 'list', '--customer', customerId)
    expect(listed).toContainEqual(
      expect.objectContaining({
        tokenId,
        name: 'by code',
        scopes: ['memory:read'],
        expiresAt: '2099-01-31T10:00:00.000Z'
      })
    )
  })

  it('are shown to the command that mints them and never again', async () => {
    const { token } = await create()
    const { stdout, stderr } = await mindgate(env, ['token', 'list', '--customer', customerId, '--json'])
    expect(stdout).toContain(token.slice(0, 12))
    expect(stdout + stderr + server.logs.join()).not.toContain(token.slice(12))
    expect(stdout + stderr).not.toContain(tokenHash(token))
  })

  it.each([
    ['an unknown id', ['--customer', 'cus_none'], 'No customer has the id cus_none'],
    ['a short code without its partner', ['--customer', 'C-00000000'], 'together with --partner'],
    ['an unknown partner', ['--customer', 'C-00000000', '--partner', 'nobody'], '`mindgate partner list`'],
    ['another partner’s customer', ['--partner', 'other-voice'], 'No customer of other-voice'],
    ['an expiry in the past', ['--expires', '2020-01-01T00:00:00Z'], 'in the past']
  ])('are refused for %s', async (_case, options, told) => {
    if (options.includes('other-voice')) await makePartner(env, 'Other Voice')
    const customer = options.includes('--customer') ? [] : ['--customer', customerId]
    const ended = await mindgate(env, ['token', 'create', '--name', 'x', ...customer, ...options])
    expect([ended.code, ended.stdout]).toEqual([1, ''])
    expect(ended.stderr).toContain(told)
  })

  it('are refused a scope of the partner’s with exit code 2', async () => {
    const ended = await mindgate(env, [
      ...['token', 'create', '--customer', customerId, '--name', 'x', '--scopes', 'customers:read']
    ])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('The scopes are memory:read, memory:write')
  })
})
