// What the console tells of mails, tokens and acts: the partner’s own, a page at a time.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ALL_SCOPES } from '../../schemas/api-key.ts'
import { connectApp } from '../../src/connected-apps/store.ts'
import { execute } from '../../src/execute.ts'
import { operations } from '../../src/operations.ts'
import { databases } from '../support/databases.ts'
import { at, type Fixture, makeFixture, makePartner, stringAt, type TestPartner } from '../support/fixture.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { refused, settingsActs } from './settings-acts.ts'

describe.each(databases)('the settings’ histories on %s', (kind) => {
  let opened: TestService
  let mine: TestPartner
  let theirs: TestPartner
  const { act, listed, lastAct } = settingsActs(() => opened)

  beforeAll(async () => {
    opened = await openTestService(kind)
  })
  afterAll(() => opened.close())
  beforeEach(async () => {
    mine = await makePartner(opened.service)
    theirs = await makePartner(opened.service)
  })

  describe('on mails', () => {
    let fixture: Fixture
    beforeEach(async () => {
      fixture = await makeFixture(opened.service, mine.partnerId)
    })

    it('list the partner’s own by state, a page at a time, without what is in them', async () => {
      const mails = await listed(mine, 'mail_list')
      expect(mails).toMatchObject([
        { template: 'team_invite', status: 'queued', canResend: true, customerId: fixture.customerId },
        { template: 'portal_invite', status: 'queued', canResend: true }
      ])
      expect(Object.keys(Object(mails[0])).toSorted()).toEqual(
        'attempts canResend createdAt customerId finishedAt lastError mailId recipient status template'.split(
          ' '
        )
      )
      expect(await act(mine, 'mail_list', { limit: 1, page: 2 })).toMatchObject({
        data: [{ template: 'portal_invite' }],
        pagination: { totalCount: 2 }
      })
      expect(await listed(mine, 'mail_list', { status: 'failed' })).toEqual([])
      expect(await listed(theirs, 'mail_list')).toEqual([])
    })

    it('send an invite again with another link, once for a form that is sent twice', async () => {
      const [, invite] = await listed(mine, 'mail_list')
      const mailId = stringAt(invite, 'mailId')
      await act(mine, 'mail_resend', { mailId }, 'form-1')
      await act(mine, 'mail_resend', { mailId }, 'form-1')
      const mails = await listed(mine, 'mail_list')
      expect(mails.map((mail) => at(mail, 'template'))).toEqual([
        'portal_invite',
        'team_invite',
        'portal_invite'
      ])
      expect(await lastAct(mine)).toMatchObject({
        action: 'mail_resend',
        targetType: 'mail',
        targetId: mailId
      })
    })

    it('send nothing of another partner’s', async () => {
      const [mail] = await listed(mine, 'mail_list')
      const before = await everyRow(opened.service)
      for (const mailId of [stringAt(mail, 'mailId'), 'mail_nothing']) {
        const attempt = act(theirs, 'mail_resend', { mailId })
        await expect(attempt).rejects.toEqual(refused('mail_not_found', 'mailId'))
      }
      expect(await everyRow(opened.service)).toEqual(before)
    })

    it('offer no notice and no forgotten password to be sent again', async () => {
      const { database } = opened.service
      for (const template of ['low_credit', 'password_forgotten'] as const) {
        await database.transaction((tx) =>
          tx.updateTable('mail').set({ template }).where('partnerId', '=', mine.partnerId).execute()
        )
        const [mail] = await listed(mine, 'mail_list')
        expect(mail).toMatchObject({ canResend: false })
        const attempt = act(mine, 'mail_resend', { mailId: stringAt(mail, 'mailId') })
        await expect(attempt).rejects.toEqual(refused('mail_not_found'))
      }
    })
  })

  describe('on all customers’ tokens', () => {
    it('list them with whose they are, newest first, and nobody else’s', async () => {
      const fixture = await makeFixture(opened.service, mine.partnerId)
      const other = await makeFixture(opened.service, theirs.partnerId)
      const mint = (partner: TestPartner, customerId: string, name: string) =>
        act(partner, 'customer_token_mint', { customerId, name })
      const first = await mint(mine, fixture.customerId, 'one')
      await mint(mine, fixture.customerId, 'two')
      await mint(theirs, other.customerId, 'foreign')
      const page = await act(mine, 'customer_token_list_all', { limit: 1, page: 2 })
      expect(page).toMatchObject({
        data: [
          {
            tokenId: first.tokenId,
            name: 'one',
            customerId: fixture.customerId,
            customerName: 'Ada Lovelace'
          }
        ],
        pagination: { totalCount: 2 }
      })
      expect(JSON.stringify(page)).not.toContain(stringAt(first, 'token'))
    })
  })

  describe('on the audit log', () => {
    it('name a key, a token, a console user, somebody of a portal and an app', async () => {
      const fixture = await makeFixture(opened.service, mine.partnerId)
      const { database } = opened.service
      const token = await act(mine, 'customer_token_mint', {
        customerId: fixture.customerId,
        name: 'Front desk'
      })
      const tokenId = stringAt(token, 'tokenId')
      const oneOf = (table: 'partnerUser' | 'identity', { partnerId }: TestPartner) =>
        database.read
          .selectFrom(table)
          .where('partnerId', '=', partnerId)
          .select(['id', 'email'])
          .executeTakeFirstOrThrow()
      const user = await oneOf('partnerUser', mine)
      const identity = await oneOf('identity', mine)
      const appOf = async (partner: TestPartner) => {
        const person = { partnerUserId: (await oneOf('partnerUser', partner)).id }
        const client = { clientId: 'https://app.example/client.json', clientName: 'Assistant' }
        const scopes = ['customers:read'] as const
        const app = { person, client, scopes, requestId: 'req_test' }
        return database.transaction((tx) => connectApp(tx, partner.partnerId, app))
      }
      const [app, theirApp] = [await appOf(mine), await appOf(theirs)]
      const operation = operations.find(({ name }) => name === 'plan_create')
      if (!operation) throw new Error('There is no plan_create')
      const input = { name: 'P', kind: 'credit', features: {} }
      for (const actor of [mine.keyId, tokenId, user.id, identity.id, app, theirs.keyId, theirApp]) {
        const caller = { partnerId: mine.partnerId, actor, scopes: new Set(ALL_SCOPES) }
        await execute(operation, opened.service, { caller, requestId: 'req_test' }, input)
      }
      const acts = await listed(mine, 'audit_list', { action: 'plan_create' })
      const names = new Map(acts.map((one) => [at(one, 'actor'), at(one, 'actorName')]))
      expect(names).toEqual(
        new Map([
          [mine.keyId, 'test'],
          [tokenId, 'Front desk'],
          [user.id, user.email],
          [identity.id, identity.email],
          [app, `${user.email} by Assistant`],
          // Another partner's key and app are nobody here.
          [theirs.keyId, null],
          [theirApp, null]
        ])
      )
    })

    it('keep to one record or one action, and to the partner’s own', async () => {
      const fixture = await makeFixture(opened.service, mine.partnerId)
      await act(mine, 'customer_update', { customerId: fixture.customerId, companyName: 'Engines' })
      const ofCustomer = await listed(mine, 'audit_list', { targetId: fixture.customerId })
      expect(ofCustomer.map((one) => at(one, 'action'))).toEqual([
        'customer_update',
        'customer_update',
        'customer_onboard'
      ])
      expect(ofCustomer[0]).toMatchObject({ fields: ['companyName'], requestId: 'req_test' })
      expect(JSON.stringify(ofCustomer)).not.toContain('Engines')
      expect(await listed(mine, 'audit_list', { action: 'team_member_add' })).toHaveLength(1)
      expect(await listed(theirs, 'audit_list', { targetId: fixture.customerId })).toEqual([])
    })

    it('come in pages that neither repeat nor leave out', async () => {
      for (let index = 0; index < 5; index += 1) {
        await act(mine, 'plan_create', { name: `Plan ${index}`, kind: 'credit', features: {} })
      }
      const pages = await Promise.all([1, 2, 3].map((page) => act(mine, 'audit_list', { page, limit: 2 })))
      const ids = pages.flatMap(({ data }) => (Array.isArray(data) ? data : []).map((one) => at(one, 'id')))
      expect(new Set(ids).size).toBe(5)
      expect(pages[2]).toMatchObject({ pagination: { totalPages: 3, hasNextPage: false } })
    })
  })
})
