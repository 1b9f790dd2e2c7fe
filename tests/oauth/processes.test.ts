// Several processes on one PostgreSQL: whichever is asked, it knows what the others were told.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { startServer } from '../../servers/main.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { startSites } from '../portal/sites.ts'
import type { TestServer } from '../support/http.ts'
import { connectApp } from './apps.ts'
import { bareCall } from './bare-call.ts'
import { type Decision, makeOwner, makeStaff } from './people.ts'
import { type Balancer, balance } from './reached.ts'

let server: TestServer
let beside: Awaited<ReturnType<typeof startServer>>
const balancers: Balancer[] = []
let owner: Decision
let staff: Decision
beforeAll(async () => {
  // Both have the key of one folder, with which secrets are sealed.
  server = await startSites(
    'postgres',
    { CREDITS_INITIAL: '1000' },
    { alone: 'it has a second process of its own' }
  )
  beside = await startServer(
    loadConfig(server.env),
    createLog('error', () => undefined)
  )
  owner = (await makeOwner(server)).decision
  staff = await makeStaff(server, server.partner)
})
afterEach(() => {
  for (const balancer of balancers.splice(0)) balancer.close()
})
afterAll(async () => {
  await beside.stop()
  await server.close()
})

const Tokens = z.object({ access_token: z.string(), refresh_token: z.string(), token_type: z.string() })

const STEPS = {
  '/api/mcp': { tool: 'internal_memory_recall', decide: () => owner },
  '/api/partner-mcp': { tool: 'customer_list', decide: () => staff }
} as const

it.each(['/api/mcp', '/api/partner-mcp'] as const)(
  'answer any step at %s in turns, whoever begins',
  async (gateway) => {
    const answered = await Promise.all([0, 1].map((first) => walk(gateway, first)))
    const [byFirst, bySecond] = [0, 1].map(
      (which) => new Set(answered.flatMap((asked) => asked[which] ?? []))
    )
    expect(byFirst).toEqual(bySecond)
    expect(byFirst).toContain('POST /oauth/token')
  }
)

/** All that an app's life has, from not knowing more than an address until its end; which server was asked what. */
async function walk(gateway: keyof typeof STEPS, first: number): Promise<string[][]> {
  const { tool, decide } = STEPS[gateway]
  const balancer = await balance([server.url, beside.url], first)
  const { url, asked } = balancer
  balancers.push(balancer)
  const app = await connectApp(url, { gateway, decision: decide() })
  await app.close()
  const form = { client_id: app.memory.client?.client_id ?? '' }
  const post = (path: string, fields: Record<string, string>) =>
    fetch(url + path, { method: 'POST', body: new URLSearchParams({ ...form, ...fields }) })
  const callTwice = async () => {
    const [one, two] = [
      await bareCall(url + gateway, { token: app.token(), tool }),
      await bareCall(url + gateway, { token: app.token(), tool })
    ]
    return [one.status, two.status]
  }
  const refresh = async () => {
    const refresh_token = app.memory.tokens?.refresh_token ?? ''
    const answer = await post('/oauth/token', { grant_type: 'refresh_token', refresh_token })
    app.memory.tokens = Tokens.parse(await answer.json())
    return answer.status
  }
  expect(await callTwice()).toEqual([200, 200])
  expect([await refresh(), await refresh()]).toEqual([200, 200])
  expect(await callTwice()).toEqual([200, 200])
  expect((await post('/oauth/revoke', { token: app.token() })).status).toBe(200)
  expect(await callTwice()).toEqual([401, 401])
  return asked
}
