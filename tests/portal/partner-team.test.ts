// The people of a partner itself: who may invite, change, remove and sign out whom, and what is gone then.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PARTNER_ROLES, type PartnerRole } from '../../schemas/partner-user.ts'
import { execute } from '../../src/execute.ts'
import { operations } from '../../src/operations.ts'
import { databases } from '../support/databases.ts'
import { at, makePartner, stringAt, type TestPartner, uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { nextInstant } from '../support/next-instant.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { CONSOLE_PASSWORD, makeColleague, signInAt } from './console-visitor.ts'
import { refused } from './settings-acts.ts'
import { mailedSecret, siteClient } from './site-client.ts'
import { startSites } from './sites.ts'

interface Person {
  id: string
  email: string
}

describe.each(databases)('a partner’s team on %s', (kind) => {
  let server: TestServer
  let partner: TestPartner
  let owner: Person
  beforeAll(async () => {
    server = await startSites(kind, { SIGN_IN_ADDRESS_LIMIT: '0' })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    partner = await makePartner(server.service)
    owner = await join('owner')
  })

  const join = (role: PartnerRole, { partnerId } = partner): Promise<Person> =>
    makeColleague(server.service, partnerId, role)

  /** As somebody of that role who is signed in, whatever became of them since. */
  const act = async (who: Person, role: PartnerRole, name: string, input: Record<string, unknown> = {}) => {
    const operation = operations.find((one) => one.name === `partner_user_${name}`)
    if (!operation) throw new Error(`There is no ${name}`)
    await nextInstant()
    const { partnerId } = partner
    const caller = { partnerId, actor: who.id, role, scopes: PARTNER_ROLES[role].scopes }
    return (await execute(operation, server.service, { caller, requestId: 'req_test' }, input)).output
  }
  const asOwner = (name: string, input?: Record<string, unknown>) => act(owner, 'owner', name, input)
  const team = async (): Promise<unknown[]> => Object(await asOwner('list')).data
  const found = async ({ id }: Person) => (await team()).find((user) => at(user, 'partnerUserId') === id)
  const roleOf = async (person: Person) => at(await found(person), 'role')
  const newcomer = (role: PartnerRole = 'support') => ({ name: 'Grace', email: uniqueEmail(), role })
  const passwordBy = (token: string) =>
    siteClient(server.url).post('/console/set-password', { form: { token, password: CONSOLE_PASSWORD } })

  it('invites somebody, who chooses a password by the mail’s link and is what the invite says', async () => {
    const invited = newcomer()
    await asOwner('invite', invited)
    const open = (await team()).find((user) => at(user, 'email') === invited.email)
    expect(open).toMatchObject({ name: 'Grace', role: 'support', isActive: false, lastSignInAt: null })
    const days = (Date.parse(stringAt(open, 'invitedUntil')) - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(7)
    const { linkToken } = await mailedSecret(server.service, invited.email, 'console_invite')
    expect((await passwordBy(linkToken)).location).toBe('/console')
    const browser = await signInAt(server.url, invited.email)
    expect((await browser.get('/account')).text).toContain('Role Support: Looks after customers')
    const accepted = (await team()).find((user) => at(user, 'email') === invited.email)
    expect(accepted).toMatchObject({ isActive: true, invitedUntil: null, lastSignInAt: expect.any(String) })
    expect((await passwordBy(linkToken)).status).toBe(404)
  })

  it('is changed on its page, which says what was done and why something wasn’t', async () => {
    const browser = await signInAt(server.url, owner.email)
    const invited = newcomer()
    const invite = await browser.submit('/team/invite', invited)
    expect(invite.text).toContain(`The invite to ${invited.email} is on its way.`)
    expect(invite.text).toMatch(/Support Invited ends in 7 days/)
    const again = await browser.post('/team/invite', invited)
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('already has this e-mail')])
    const id = stringAt((await team()).at(-1), 'partnerUserId')
    const changed = await browser.submit(`/team/${id}/update`, { name: 'Ida', role: 'billing' })
    expect(changed.text).toMatch(/The changes are saved\..* Ida .* Billing Invited/)
    const removed = await browser.submit(`/team/${id}/remove`)
    expect(removed.text).toContain(`${invited.email} was removed`)
    expect((await browser.post(`/team/${owner.id}/remove`)).status).toBe(403)
  })

  it('sends an invite again with a new link, and the first one ends', async () => {
    const invited = newcomer()
    await asOwner('invite', invited)
    const first = await mailedSecret(server.service, invited.email, 'console_invite')
    const partnerUserId = at((await team()).at(-1), 'partnerUserId')
    await asOwner('resend', { partnerUserId })
    const second = await mailedSecret(server.service, invited.email, 'console_invite')
    expect((await passwordBy(first.linkToken)).status).toBe(404)
    expect((await passwordBy(second.linkToken)).status).toBe(303)
    await expect(asOwner('resend', { partnerUserId })).rejects.toEqual(refused('partner_user_not_found'))
  })

  it('invites no address that signs in to any console, and doesn’t say to whose', async () => {
    const stranger = await join('owner', await makePartner(server.service))
    const before = await everyRow(server.service)
    const messages: unknown[] = []
    for (const { email } of [owner, stranger]) {
      const attempt = asOwner('invite', { ...newcomer(), email: email.toUpperCase() })
      messages.push(
        await attempt.catch((error: unknown) => [Reflect.get(Object(error), 'code'), String(error)])
      )
    }
    expect(messages).toEqual([['email_exists', expect.any(String)], messages[0]])
    expect(await everyRow(server.service)).toEqual(before)
  })

  it('has at most 50 people, however many are invited at once', async () => {
    for (let count = (await team()).length; count < 48; count += 1) await join('read_only')
    const attempts = [1, 2, 3, 4].map(() => asOwner('invite', newcomer()))
    const outcomes = await Promise.allSettled(attempts)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await team()).toHaveLength(50)
    await expect(asOwner('invite', newcomer())).rejects.toEqual(refused('team_limit_reached'))
  })

  it('changes name and role, which counts from the next request on', async () => {
    const colleague = await join('admin')
    const browser = await signInAt(server.url, colleague.email)
    expect((await browser.get('/keys')).status).toBe(200)
    await asOwner('update', { partnerUserId: colleague.id, name: 'Ada', role: 'billing' })
    expect(await found(colleague)).toMatchObject({ name: 'Ada', role: 'billing' })
    const answer = await browser.get('/keys')
    expect([answer.status, answer.text]).toEqual([
      403,
      expect.stringContaining('Your role, Billing, doesn’t')
    ])
  })

  it('ends every session of somebody, and of nobody else', async () => {
    const [colleague, bystander] = [await join('support'), await join('support')]
    const [first, second] = [
      await signInAt(server.url, colleague.email),
      await signInAt(server.url, colleague.email)
    ]
    const other = await signInAt(server.url, bystander.email)
    await asOwner('sign_out', { partnerUserId: colleague.id })
    const statuses = [first, second, other].map(async (browser) => (await browser.get('/account')).status)
    expect(await Promise.all(statuses)).toEqual([303, 303, 200])
    await signInAt(server.url, colleague.email)
  })

  it('removes somebody with session, invite, and the way back in', async () => {
    const colleague = await join('admin')
    const browser = await signInAt(server.url, colleague.email)
    await asOwner('remove', { partnerUserId: colleague.id })
    expect((await browser.get('/account')).status).toBe(303)
    await expect(signInAt(server.url, colleague.email)).rejects.toThrow('401')
    const invited = newcomer()
    await asOwner('invite', invited)
    const { linkToken } = await mailedSecret(server.service, invited.email, 'console_invite')
    await asOwner('remove', { partnerUserId: at((await team()).at(-1), 'partnerUserId') })
    expect((await passwordBy(linkToken)).status).toBe(404)
    await asOwner('invite', invited)
  })

  it('keeps from another partner that there is anybody', async () => {
    const stranger = await join('support', await makePartner(server.service))
    expect(JSON.stringify(await team())).not.toContain(stranger.id)
    const before = await everyRow(server.service)
    for (const name of ['update', 'remove', 'resend', 'sign_out'])
      for (const partnerUserId of [stranger.id, 'usr_nobody'])
        await expect(asOwner(name, { partnerUserId })).rejects.toEqual(
          refused('partner_user_not_found', 'partnerUserId')
        )
    expect(await everyRow(server.service)).toEqual(before)
  })

  it('leaves it to owners who is one', async () => {
    const [admin, colleague] = [await join('admin'), await join('support')]
    const asAdmin = (name: string, input: Record<string, unknown>) => act(admin, 'admin', name, input)
    const escalations: [name: string, input: Record<string, unknown>][] = [
      ['invite', newcomer('owner')],
      ['update', { partnerUserId: colleague.id, role: 'owner' }],
      ['update', { partnerUserId: owner.id, role: 'read_only' }],
      ['remove', { partnerUserId: owner.id }]
    ]
    const before = await everyRow(server.service)
    for (const [name, input] of escalations)
      await expect(asAdmin(name, input), name).rejects.toEqual(refused('missing_scope'))
    expect(await everyRow(server.service)).toEqual(before)
    await asAdmin('update', { partnerUserId: colleague.id, role: 'admin' })
    await asOwner('update', { partnerUserId: colleague.id, role: 'owner' })
    expect(await roleOf(colleague)).toBe('owner')
  })

  it('lets nobody change their own role or remove themselves: the last owner stays', async () => {
    const before = await everyRow(server.service)
    for (const [name, change] of [['update', { role: 'admin' }] as const, ['remove', {}] as const])
      await expect(asOwner(name, { partnerUserId: owner.id, ...change })).rejects.toEqual(
        refused('missing_scope')
      )
    expect(await everyRow(server.service)).toEqual(before)
    await asOwner('update', { partnerUserId: owner.id, name: 'Ada', role: 'owner' })
  })

  it.each(['remove', 'lower'] as const)('keeps one of two owners who %s each other at once', async (how) => {
    const other = await join('owner')
    const against = (who: Person, whom: Person) =>
      how === 'remove'
        ? act(who, 'owner', 'remove', { partnerUserId: whom.id })
        : act(who, 'owner', 'update', { partnerUserId: whom.id, role: 'admin' })
    const outcomes = await Promise.allSettled([against(owner, other), against(other, owner)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const left = await server.service.database.read
      .selectFrom('partnerUser')
      .where('partnerId', '=', partner.partnerId)
      .where('role', '=', 'owner')
      .where('passwordHash', 'is not', null)
      .select('id')
      .execute()
    expect(left).toHaveLength(1)
  })

  it('lets nobody act by a role that was taken away since their request began', async () => {
    const admin = await join('admin')
    await asOwner('update', { partnerUserId: admin.id, role: 'support' })
    await expect(act(admin, 'admin', 'invite', newcomer())).rejects.toEqual(refused('missing_scope'))
    await asOwner('remove', { partnerUserId: admin.id })
    await expect(act(admin, 'admin', 'invite', newcomer())).rejects.toEqual(refused('unauthorized'))
  })

  it('notes who did what to whom', async () => {
    const colleague = await join('support')
    await asOwner('update', { partnerUserId: colleague.id, role: 'billing' })
    await asOwner('sign_out', { partnerUserId: colleague.id })
    await asOwner('remove', { partnerUserId: colleague.id })
    const noted = await server.service.database.read
      .selectFrom('audit')
      .where('partnerId', '=', partner.partnerId)
      .where('targetId', '=', colleague.id)
      .orderBy('createdAt')
      .select(['actor', 'action', 'targetType', 'fields'])
      .execute()
    const by = { actor: owner.id, targetType: 'partner_user' }
    expect(noted).toEqual([
      { ...by, action: 'partner_user_update', fields: '["role"]' },
      { ...by, action: 'partner_user_sign_out', fields: '[]' },
      { ...by, action: 'partner_user_remove', fields: '[]' }
    ])
  })
})
