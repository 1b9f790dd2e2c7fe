// A page can only do what its site offers, however it was written.
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PartnerRole } from '../../schemas/partner-user.ts'
import type { PageEnv } from '../../servers/portal/env.ts'
import { callOperation } from '../../servers/portal/page-kit.tsx'
import type { Caller } from '../../src/caller.ts'
import { operations } from '../../src/operations.ts'
import { makePartner } from '../support/fixture.ts'
import { openTestService, type TestService } from '../support/service.ts'

const SOMEBODY = {
  session: {
    ...{ id: 'ses_1', site: 'console' as const, lastSeenAt: '' },
    ...{ customerId: null, teamMemberId: null, pending: null, challenge: null }
  },
  state: 'inside' as const,
  partnerId: 'par_1',
  person: { partnerUserId: 'usr_1' },
  email: 'ada@acme.example',
  partnerName: 'Acme',
  name: 'Ada'
}

const NOBODY = { actor: 'usr_1', role: 'read_only' as const, scopes: new Set<never>() }

describe('a page that calls an operation', () => {
  let test: TestService
  let partnerId: string
  beforeAll(async () => {
    test = await openTestService('sqlite')
    partnerId = (await makePartner(test.service)).partnerId
  })
  afterAll(() => test.close())

  async function tryEverywhere(caller: Caller & { role: PartnerRole }): Promise<string[]> {
    const refused: string[] = []
    const app = new Hono<PageEnv>()
    app.get('/', async (c) => {
      c.set('consoleVisitor', { ...SOMEBODY, caller })
      for (const operation of operations) {
        try {
          await callOperation({ c, service: test.service }, operation)
        } catch (error) {
          if (String(error).includes('is not offered at the')) refused.push(operation.name)
        }
      }
      return c.text('')
    })
    await app.request('/')
    return refused
  }
  const without = (site: 'portal' | 'console') =>
    operations.filter(({ channels }) => !channels.includes(site)).map(({ name }) => name)

  it('is refused in a portal what is the partner’s alone', async () => {
    const caller = { ...NOBODY, partnerId, customerId: 'cus_1' }
    const refused = await tryEverywhere(caller)
    expect(refused).toEqual(without('portal'))
    expect(refused).toEqual(
      expect.arrayContaining(['customer_onboard', 'customer_list', 'customer_toggle_portal_block'])
    )
  })

  it('is refused in the console what isn’t offered there', async () => {
    expect(await tryEverywhere({ ...NOBODY, partnerId })).toEqual(without('console'))
  })
})
