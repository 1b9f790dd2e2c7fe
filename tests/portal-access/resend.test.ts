import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LetterTemplate } from '../../src/mail/templates/letters.ts'
import { mailForgottenPassword } from '../../src/portal-access/access-mails.ts'
import { databases } from '../support/databases.ts'
import {
  type Fixture,
  makeFixture,
  makePartner,
  run,
  stringAt,
  type TestPartner
} from '../support/fixture.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe.each(databases)('sending a mail again on %s', (kind) => {
  let test: TestService
  let partner: TestPartner
  let fixture: Fixture

  beforeAll(async () => {
    test = await openTestService(kind)
    partner = await makePartner(test.service)
    fixture = await makeFixture(test.service, partner.partnerId)
    await run(test.service, partner.partnerId, 'customer_send_password_reset', {
      customerId: fixture.customerId
    })
  })
  afterAll(() => test.close())

  const mails = (template: LetterTemplate) =>
    test.service.database.read
      .selectFrom('mail')
      .where('customerId', '=', fixture.customerId)
      .where('template', '=', template)
      .selectAll()
      .orderBy('createdAt')
      .execute()
  const links = () =>
    test.service.database.read
      .selectFrom('accessLink')
      .where('customerId', '=', fixture.customerId)
      .select(['purpose', 'tokenHash'])
      .orderBy('purpose')
      .execute()
  const secretOf = (mail: { id: string; sealedSecret: string | null } | undefined): unknown =>
    JSON.parse(test.service.secrets.unseal(mail?.sealedSecret ?? '', mail?.id ?? ''))

  it.each(['portal_invite', 'password_reset', 'team_invite'] as const)(
    'makes a new link for a %s and ends the first one',
    async (template) => {
      const [first] = await mails(template)
      const linksBefore = await links()
      await run(test.service, partner.partnerId, 'mail_resend', { mailId: first?.id })
      const [, second] = await mails(template)
      expect(second?.messageId).not.toBe(first?.messageId)
      expect(secretOf(second)).not.toEqual(secretOf(first))
      const linksAfter = await links()
      expect(linksAfter.map(({ purpose }) => purpose)).toEqual(linksBefore.map(({ purpose }) => purpose))
      const changed = linksAfter.filter(
        ({ tokenHash }) => !linksBefore.some((link) => link.tokenHash === tokenHash)
      )
      expect(changed.map(({ purpose }) => purpose)).toEqual([template])
    }
  )

  it('is refused for a forgotten password: whoever asked for it asks again', async () => {
    const { service } = test
    const { customerId } = fixture
    const customer = await run(service, partner.partnerId, 'customer_get', { customerId })
    await mailForgottenPassword(service, partner.partnerId, stringAt(customer, 'data', 'email'))
    const [mail] = await mails('password_forgotten')
    const before = await links()
    await expect(run(service, partner.partnerId, 'mail_resend', { mailId: mail?.id })).rejects.toMatchObject({
      code: 'mail_not_found'
    })
    expect(await links()).toEqual(before)
  })

  it('is refused for another partner’s mail, and nothing is sent', async () => {
    const stranger = await makePartner(test.service)
    const [mail] = await mails('portal_invite')
    const before = await links()
    await expect(
      run(test.service, stranger.partnerId, 'mail_resend', { mailId: mail?.id })
    ).rejects.toMatchObject({
      code: 'mail_not_found'
    })
    expect(await links()).toEqual(before)
  })

  it('never opens a portal that was blocked since', async () => {
    await run(test.service, partner.partnerId, 'customer_toggle_portal_block', {
      customerId: fixture.customerId
    })
    const [mail] = await mails('portal_invite')
    await expect(
      run(test.service, partner.partnerId, 'mail_resend', { mailId: mail?.id })
    ).rejects.toMatchObject({
      code: 'portal_access_missing'
    })
    const { data } = await run(test.service, partner.partnerId, 'customer_get', {
      customerId: fixture.customerId
    })
    expect(data).toMatchObject({ credentialStatus: 'suspended' })
    await run(test.service, partner.partnerId, 'customer_toggle_portal_block', {
      customerId: fixture.customerId
    })
  })

  it('is refused for a team member who was removed', async () => {
    const [mail] = await mails('team_invite')
    const { customerId, teamMemberId } = fixture
    await run(test.service, partner.partnerId, 'team_member_remove', { customerId, teamMemberId })
    await expect(
      run(test.service, partner.partnerId, 'mail_resend', { mailId: mail?.id })
    ).rejects.toMatchObject({
      code: 'team_member_not_found'
    })
  })
})
