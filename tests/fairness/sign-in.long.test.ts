// Somebody who tries passwords from 27 networks of 64 bits, all in the one of 48 that is his.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uniqueEmail } from '../support/fixture.ts'
import { flood, makeConsoleUser, makeOwner, signIn } from './attacks.ts'
import { expectUnnoticed, type Fixture, openFixture, type Shot } from './fixture.ts'

describe.each([
  ['within the limits', {}],
  ['where failures aren’t counted', { SIGN_IN_LIMIT: '0', SIGN_IN_ADDRESS_LIMIT: '0' }]
])('sign-ins from 27 networks at once %s', (_, env) => {
  let fixture: Fixture<{ owner: string; user: string } | undefined>

  beforeAll(async () => {
    fixture = await openFixture({
      env: { TRUST_PROXY: '1', ...env },
      make: async (service, { bystander: { partner } }) => ({
        owner: await makeOwner(service, partner.partnerId),
        user: await makeConsoleUser(service, partner.partnerId)
      })
    })
  })
  afterAll(() => fixture.close())

  const portal = () => `${fixture.url}/portal/${fixture.bystander.partner.slug}`
  const console = () => `${fixture.url}/console`

  let sites = 0
  /** Half of them at the bystander's own portal, half at the console. */
  const attack = async (signal: AbortSignal) => {
    // What failed in one test is counted on in the next.
    sites += 1
    const site = `2001:db8:${sites}`
    const counts = await flood(signal, 27 * 8, (nth) => {
      const address = `${site}:${(nth % 27).toString(16)}00::1`
      const { url, method, headers } = signIn(nth % 2 ? portal() : console(), '', address)
      const body = JSON.stringify({ email: uniqueEmail(), password: 'wrong password' })
      return fetch(url, { method, headers, body })
    })
    expect(counts[401]).toBeGreaterThan(0)
  }

  it('are not noticed by who reads and writes', async () => {
    expectUnnoticed(await fixture.measure(attack))
  })

  it('are not noticed by who signs in, there or elsewhere', async () => {
    const shots: Shot[] = [
      signIn(portal(), fixture.made?.owner ?? ''),
      signIn(console(), fixture.made?.user ?? '')
    ]
    expectUnnoticed(await fixture.measure(attack, { shots }))
  })
})
