// What a deploy hands to a server that the caller owns: no more of the memory than the caller has.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Scope } from '../../schemas/api-key.ts'
import { at, makeKey } from '../support/world.ts'
import { agentFile, type DeployGround, rowsOf, startDeployGround } from './deploy-ground.ts'

let ground: DeployGround
beforeAll(async () => {
  ground = await startDeployGround('sqlite')
})
afterAll(() => ground.close())

/** Deploys with a key of these scopes beside those that a deploy takes. */
async function deployWith(scopes: readonly Scope[]) {
  const { server, partnerId } = ground
  const instance = await ground.instance()
  const { key } = await makeKey(server.service, partnerId, {
    scopes: ['instances:read', 'instances:write', ...scopes]
  })
  const accepted = await server.api('POST', `/instances/${instance.id}/cli-agent/deploy`, {
    key,
    body: { businessName: 'Sol' }
  })
  const { steps } = await ground.ended(instance)
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
