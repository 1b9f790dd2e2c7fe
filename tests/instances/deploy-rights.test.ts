// What a deploy hands to a server that the caller owns: no more of the memory than the caller has.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Scope } from '../../schemas/api-key.ts'
import { at, makeKey } from '../support/fixture.ts'
import { agentFile, type DeployFixture, rowsOf, startDeployFixture } from './deploy-fixture.ts'

let fixture: DeployFixture
beforeAll(async () => {
  fixture = await startDeployFixture('sqlite')
})
afterAll(() => fixture.close())

/** Deploys with a key of these scopes beside those that a deploy takes. */
async function deployWith(scopes: readonly Scope[]) {
  const { server, partnerId } = fixture
  const instance = await fixture.instance()
  const { key } = await makeKey(server.service, partnerId, {
    scopes: ['instances:read', 'instances:write', ...scopes]
  })
  const accepted = await server.api('POST', `/instances/${instance.id}/cli-agent/deploy`, {
    key,
    body: { businessName: 'Sol' }
  })
  const { steps } = await fixture.ended(instance)
  const { liveTokens } = await rowsOf(server.service, instance)
  const tokens = await server.service.database.read
    .selectFrom('customerToken')
    .where('customerId', '=', instance.customerId)
    .select(['id', 'scopes'])
    .execute()
  const memory = Array.from(Object(steps)).find((step) => at(step, 'title') === 'Connect the memory tools')
  return {
    message: accepted.body.message,
    memory,
    liveTokens,
    tokens,
    config: agentFile(instance, 'config.yaml')
  }
}

it('gives the agent no memory when the caller has none', async () => {
  const { message, memory, tokens, config } = await deployWith([])
  expect(message).toContain('no memory tools')
  expect(memory).toMatchObject({ state: 'skipped', detail: expect.stringContaining('memory:read') })
  expect(tokens).toEqual([])
  expect(config).toContain('api_key: "sk-')
  expect(config).not.toMatch(/mct_|mcp_servers/)
})

it('gives the agent the part of the memory that the caller has', async () => {
  const { message, memory, liveTokens, tokens, config } = await deployWith(['memory:read'])
  expect(message).toContain('as much of the memory as the caller has')
  expect(memory).toMatchObject({ state: 'done' })
  expect(liveTokens).toHaveLength(1)
  expect(tokens).toEqual([{ id: at(liveTokens[0], 'id'), scopes: '["memory:read"]' }])
  expect(config).toContain('mct_')
})
