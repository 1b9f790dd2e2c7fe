// A partner that enables portal access as often as it can: each call hashes a temporary password.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flood, makeConsoleUser, makeOwner, signIn } from './attacks.ts'
import { expectUnnoticed, type Fixture, openFixture } from './fixture.ts'

describe('150 calls at once that enable portal access', () => {
  let fixture: Fixture<{ owner: string; user: string } | undefined>

  beforeAll(async () => {
    fixture = await openFixture({
      // All invites go to one address, and it is the hashing that is tried.
      env: { MAIL_ADDRESS_LIMIT: '0' },
      make: async (service, { bystander: { partner } }) => ({
        owner: await makeOwner(service, partner.partnerId),
        user: await makeConsoleUser(service, partner.partnerId)
      })
    })
  })
  afterAll(() => fixture.close())

  const attack = async (signal: AbortSignal) => {
    const { partner, customerId } = fixture.attacker
    const url = `${fixture.url}/api/v1/mcp/customers/${customerId}/portal-access`
    const headers = { authorization: `Bearer ${partner.key}` }
    const counts = await flood(signal, 150, () => fetch(url, { method: 'POST', headers }))
    expect(Object.keys(counts)).toEqual(expect.arrayContaining(['200']))
  }

  it('are not noticed by who reads and writes', async () => {
    expectUnnoticed(await fixture.measure(attack))
  })

  it('are not noticed by who signs in', async () => {
    const { url, made, bystander } = fixture
    const shots = [
      signIn(`${url}/portal/${bystander.partner.slug}`, made?.owner ?? ''),
      signIn(`${url}/console`, made?.user ?? '')
    ]
    expectUnnoticed(await fixture.measure(attack, { shots }))
  })
})
