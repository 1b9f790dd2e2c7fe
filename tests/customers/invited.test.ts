// Who was invited and hasn't come, and what a label that no tier knows is priced as.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callTool } from '../mcp/tool-faces.ts'
import { databases } from '../support/databases.ts'
import { at, makePartner, run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'

describe.each(databases)('customers on %s', (kind) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(kind)
  })
  afterAll(() => server.close())

  it('who were invited and haven’t come are one call away', async () => {
    const partner = await makePartner(server.service)
    const make = async (allowPortalAccess: boolean) => {
      const made = await run(server.service, partner.partnerId, 'customer_onboard', {
        basic: { email: uniqueEmail() },
        allowPortalAccess
      })
      return stringAt(made, 'data', 'id')
    }
    await make(false)
    const invited = await make(true)
    const come = await make(true)
    await server.service.database.transaction(async (tx) => {
      const { ownerIdentityId } = await tx
        .selectFrom('customer')
        .where('id', '=', come)
        .select('ownerIdentityId')
        .executeTakeFirstOrThrow()
      await tx
        .updateTable('identity')
        .where('id', '=', String(ownerIdentityId))
        .set({ passwordHash: 'its own' })
        .execute()
    })
    const list = async (input: Record<string, unknown>, key = partner.key) => {
      const request = { url: server.url, gateway: 'partner', key, tool: 'customer_list', input } as const
      const { output } = await callTool('MCP 2026-07-28', request)
      const data = at(output, 'data')
      return Array.isArray(data) ? data.map((row: unknown) => [at(row, 'id'), at(row, 'hasEntered')]) : data
    }
    expect(await list({ credentialStatus: 'active', hasEntered: false })).toEqual([[invited, false]])
    expect(await list({ hasEntered: true })).toEqual([[come, true]])
    expect(await list({})).toHaveLength(3)
    expect(await list({ hasEntered: true }, server.partner.key)).toEqual([])
  })

  it.each([
    [
      { monthlyCallVolume: 'lots' },
      'monthlyCallVolume “lots” names no number of calls: the tier up to 500 calls was taken.'
    ],
    [{ monthlyCallVolume: '1000-5000' }, undefined],
    [{ monthlyCallVolume: '5k+' }, undefined]
  ])('onboarded with %j are told what was priced', async (business, note) => {
    const made = await run(server.service, server.partner.partnerId, 'customer_onboard', {
      basic: { email: uniqueEmail() },
      business,
      requirements: { callComplexity: 'medium', scriptComplexity: ' Simple ' }
    })
    const message = stringAt(made, 'message')
    if (note) expect(message).toContain(note)
    else expect(message).toBe('The customer was onboarded.')
  })

  it('onboarded with a complexity that isn’t known are told which there are', async () => {
    const made = await run(server.service, server.partner.partnerId, 'customer_onboard', {
      basic: { email: uniqueEmail() },
      requirements: { callComplexity: 'brutal', scriptComplexity: '' }
    })
    expect(stringAt(made, 'message')).toMatch(
      /callComplexity “brutal” is none of simple, low, .*: it adds nothing\.$/
    )
  })
})
