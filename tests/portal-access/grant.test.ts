// Temporary passwords: hashed in the partner's turn, and only for what isn't refused anyway.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyPassword } from '../../src/portal-access/passwords.ts'
import {
  type Fixture,
  makeFixture,
  makePartner,
  quickHash,
  run,
  stringAt,
  type TestPartner,
  uniqueEmail
} from '../support/fixture.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe('while a partner has as many passwords waiting as it may', () => {
  let test: TestService
  let partner: TestPartner
  let fixture: Fixture
  let isOver = false
  let busy: Promise<unknown>

  beforeAll(async () => {
    test = await openTestService('sqlite')
    partner = await makePartner(test.service)
    fixture = await makeFixture(test.service, partner.partnerId)
    const hash = await quickHash('x')
    // Whoever had a turn waits for the next one at once, so that there is never room for another.
    const again = async () => {
      while (!isOver) await verifyPassword(hash, 'x', `partner ${partner.partnerId}`)
    }
    busy = Promise.all(Array.from({ length: 101 }, again))
  })
  afterAll(async () => {
    isOver = true
    await busy
    await test.close()
  })

  const act = (name: string, input: Record<string, unknown>) =>
    run(test.service, partner.partnerId, name, input)
  const invitation = (overrides: Record<string, unknown> = {}) => ({
    basic: { email: uniqueEmail(), firstName: 'Ada', lastName: 'Lovelace' },
    allowPortalAccess: true,
    ...overrides
  })
  const customersMail = () =>
    test.service.database.read
      .selectFrom('mail')
      .where('customerId', '=', fixture.customerId)
      .where('template', '=', 'portal_invite')
      .select('id')
      .executeTakeFirstOrThrow()

  it('whatever needs another one is told to wait, in words', async () => {
    const { id: mailId } = await customersMail()
    for (const [name, input] of [
      ['customer_enable_portal_access', { customerId: fixture.customerId }],
      ['customer_onboard', invitation()],
      ['mail_resend', { mailId }]
    ] as const) {
      await expect(act(name, input), name).rejects.toMatchObject({
        code: 'rate_limited',
        retryAfterSeconds: 2
      })
    }
  })

  it('a customer that doesn’t exist is missing at once', async () => {
    await expect(act('customer_enable_portal_access', { customerId: 'cus_none' })).rejects.toMatchObject({
      code: 'customer_not_found'
    })
  })

  it('an address that is taken and a plan that isn’t there are refused at once', async () => {
    const { data } = await act('customer_get', { customerId: fixture.customerId })
    const basic = { email: stringAt(data, 'email'), firstName: 'Ada' }
    await expect(act('customer_onboard', invitation({ basic }))).rejects.toMatchObject({
      code: 'email_exists',
      field: 'basic.email'
    })
    await expect(act('customer_onboard', invitation({ planId: 'pln_none' }))).rejects.toMatchObject({
      code: 'plan_not_found'
    })
  })

  it('an invite isn’t sent again to a portal that was blocked since', async () => {
    const { id: mailId } = await customersMail()
    const toggle = () => act('customer_toggle_portal_block', { customerId: fixture.customerId })
    await toggle()
    await expect(act('mail_resend', { mailId })).rejects.toMatchObject({ code: 'portal_access_missing' })
    await toggle()
  })
})
