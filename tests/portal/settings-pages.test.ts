// The console's settings as pages: what a form does, what it says when it is refused, and what it never shows.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Fixture,
  makeFixture,
  makePartner,
  run,
  stringAt,
  type TestPartner
} from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { type ConsoleBrowser, enterConsole, formOn } from './console-visitor.ts'

describe('the settings’ pages', () => {
  let server: TestServer
  let mine: TestPartner
  let myFixture: Fixture
  let theirs: TestPartner
  let theirFixture: Fixture
  let browser: ConsoleBrowser

  beforeAll(async () => {
    server = await startTestServer('sqlite')
    mine = await makePartner(server.service)
    theirs = await makePartner(server.service)
    myFixture = await makeFixture(server.service, mine.partnerId)
    theirFixture = await makeFixture(server.service, theirs.partnerId)
    browser = await enterConsole(server, mine)
  })
  afterAll(() => server.close())

  const as = (partner: TestPartner, name: string, input: Record<string, unknown> = {}) =>
    run(server.service, partner.partnerId, name, input)

  it.each([
    ['/keys', 'API keys'],
    ['/keys?state=ended', 'No key has ended'],
    ['/keys/new', 'Make an API key'],
    ['/tokens', 'MCP tokens'],
    ['/tokens/new', 'Make a token: for whom?'],
    ['/tokens/new?search=nobody-at-all', 'No customer fits'],
    ['/plans', 'Plans'],
    ['/plans/new', 'Create a plan'],
    ['/brand', 'Brand'],
    ['/providers', 'Vapi'],
    ['/audit', 'Audit log'],
    ['/audit?target=nothing', 'Nothing fits'],
    ['/mail', 'Mail'],
    ['/mail?status=failed', 'No mail here']
  ])('%s says “%s”', async (path, title) => {
    const { status, text } = await browser.get(path)
    expect([status, text]).toEqual([200, expect.stringContaining(title)])
  })

  it.each([
    '/audit?page=0&action=nonsense',
    '/mail?status=nonsense&page=x',
    '/plans?page=99999999999',
    '/tokens?page=-1'
  ])('%s shows a list all the same', async (path) => {
    expect((await browser.get(path)).status).toBe(200)
  })

  it.each(['/keys', '/tokens/new', '/brand', '/audit'])(
    '%s needs somebody who is signed in',
    async (path) => {
      const answer = await fetch(`${server.url}/console${path}`, { redirect: 'manual' })
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        expect.stringContaining('/sign-in')
      ])
    }
  )

  describe('API keys', () => {
    const key = /pkt_[0-9A-Za-z]{49}/

    it('are made with what was ticked, shown once with what to paste, and work', async () => {
      const { action, fields } = formOn(await browser.get('/keys/new'), '/console/keys/new')
      const filled = {
        ...fields,
        name: 'Night batch',
        scopes: ['customers:read', 'plans:read'],
        expiry: '30'
      }
      const shown = await browser.post(action, filled)
      const made = key.exec(shown.text)?.[0] ?? ''
      expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect(shown.text).toContain('curl')
      expect((await server.api('GET', '/plans', { key: made })).status).toBe(200)
      expect((await server.api('GET', '/audit', { key: made })).status).toBe(403)

      const again = await browser.post(action, filled)
      expect([again.status, again.text]).toEqual([200, expect.stringContaining('shown already')])
      const list = await browser.get('/keys')
      expect(list.text).toMatch(/Night batch pkt_\w{8}… Read customers, Read plans now \d+ \w+ 20\d\d/)
      for (const page of [again, list]) expect(page.html).not.toContain(made)
      expect(server.logs.join()).not.toContain(made)
    })

    it('keep what was filled in when they are refused, and say at the field what is wrong', async () => {
      const before = await everyRow(server.service)
      const { status, html, text } = await browser.post('/keys/new', { name: ' ', scopes: ['credits:read'] })
      expect(status).toBe(400)
      expect(text).toMatch(/Name (is required|must not be)/)
      expect(html).toMatch(/value="credits:read" checked/)
      expect(await everyRow(server.service)).toEqual(before)
      const nothing = await browser.post('/keys/new', { name: 'Night batch' })
      expect([nothing.status, nothing.text]).toEqual([400, expect.stringContaining('Tick at least one.')])
      expect((await browser.post('/keys/new', { name: 'x', scopes: ['root'] })).status).toBe(400)
    })

    it('are revoked by one form that names them', async () => {
      const list = await browser.get('/keys')
      expect(list.text).toContain('Revoke test?')
      const { text } = await browser.submit(`/keys/${mine.keyId}/revoke`)
      expect(text).toContain('The key was revoked.')
      expect((await server.api('GET', '/plans', { key: mine.key })).status).toBe(401)
      expect((await browser.get('/keys?state=ended')).text).toMatch(/test .* Revoked/)
    })
  })

  describe('another partner’s', () => {
    it.each([
      ['key', () => `/keys/${theirs.keyId}/revoke`],
      [
        'token of a customer',
        async () => {
          const minted = await as(theirs, 'customer_token_mint', {
            customerId: theirFixture.customerId,
            name: 't'
          })
          return `/tokens/${theirFixture.customerId}/${stringAt(minted, 'tokenId')}/revoke`
        }
      ],
      [
        'token under a customer of one’s own',
        async () => {
          const minted = await as(theirs, 'customer_token_mint', {
            customerId: theirFixture.customerId,
            name: 't'
          })
          return `/tokens/${myFixture.customerId}/${stringAt(minted, 'tokenId')}/revoke`
        }
      ],
      ['customer', () => `/tokens/new/${theirFixture.customerId}`],
      [
        'mail',
        async () => {
          const { data } = await as(theirs, 'mail_list')
          return `/mail/${stringAt(data, 0, 'mailId')}/resend`
        }
      ],
      [
        'provider’s key',
        async () => {
          await as(theirs, 'provider_key_set', { provider: 'a', key: 'theirs' })
          return '/providers/a/remove'
        }
      ]
    ])('%s is a page that isn’t there, and nothing changes', async (_, pathOf) => {
      const path = await pathOf()
      const before = await everyRow(server.service)
      const { status } = await browser.post(path, { name: 'x', scopes: 'memory:read', expiry: '30' })
      expect(status).toBe(404)
      expect(await everyRow(server.service)).toEqual(before)
    })

    it('customer can’t even be looked at to mint for', async () => {
      expect((await browser.get(`/tokens/new/${theirFixture.customerId}`)).status).toBe(404)
    })

    it.each(['/keys', '/tokens', '/plans', '/audit', '/mail', '/brand', '/tokens/new'])(
      'things are not on %s',
      async (path) => {
        await as(theirs, 'customer_token_mint', { customerId: theirFixture.customerId, name: 'foreign' })
        const { html } = await browser.get(path)
        const { customerId, planId } = theirFixture
        for (const foreign of [theirs.keyId, theirs.slug, customerId, planId])
          expect(html).not.toContain(foreign)
      }
    )
  })

  describe('tokens', () => {
    it('are made for a chosen customer, shown once, listed with whose they are, and revoked', async () => {
      const choice = await browser.get('/tokens/new?search=Lovelace')
      expect(choice.html).toContain(`/console/tokens/new/${myFixture.customerId}`)
      const path = `/console/tokens/new/${myFixture.customerId}`
      const { action, fields } = formOn(await browser.get(path), path)
      const shown = await browser.post(action, { ...fields, name: 'Front desk' })
      const token = /mct_[0-9A-Za-z]{49}/.exec(shown.text)?.[0] ?? ''
      expect(token).not.toBe('')
      const list = await browser.get('/tokens')
      expect(list.text).toMatch(/Ada Lovelace Front desk/)
      expect(list.html).not.toContain(token)
      const revoke = /\/console\/tokens\/[^"]+\/revoke/.exec(list.html)?.[0] ?? ''
      expect((await browser.submit(revoke)).text).toMatch(/Front desk .* Revoked/)
    })
  })

  describe('plans', () => {
    it('set what is chosen and leave the rest as usual', async () => {
      const { action, fields } = formOn(await browser.get('/plans/new'), '/console/plans/new')
      const filled = {
        ...fields,
        name: 'Pro',
        enableAiMemory: 'true',
        showIntegration: 'false',
        maxTeamMembers: '25'
      }
      const { text } = await browser.submit(action, {
        ...filled,
        allowedApps: 'cli-agent',
        trialDays: '14'
      })
      expect(text).toContain('The plan Pro was created.')
      const { data } = await as(mine, 'plan_list', { limit: 1 })
      expect(data).toMatchObject([
        {
          name: 'Pro',
          kind: 'subscription',
          features: {
            enableAiMemory: true,
            showIntegration: false,
            maxTeamMembers: 25,
            allowedApps: ['cli-agent'],
            trialDays: 14
          }
        }
      ])
      expect(Object.keys(Object(Object(data)[0].features))).toHaveLength(5)
    })

    it.each([
      ['trialDays', 'two weeks', 'Trial days must be a number'],
      ['trialDays', '-1', 'Trial days must be at least 0'],
      ['maxTeamMembers', '2.5', 'Most team members must be an integer'],
      ['lowCreditThreshold', 'NaN', 'Low-credit threshold must be a number']
    ])('say at the field what is wrong: %s %s', async (name, value, words) => {
      const { status, text, html } = await browser.post('/plans/new', {
        name: 'P',
        kind: 'credit',
        [name]: value
      })
      expect([status, text]).toEqual([400, expect.stringContaining(words)])
      expect(html).toContain(`value="${value}"`)
    })

    it('refuse at the field an app that there isn’t', async () => {
      const forged = { name: 'P', kind: 'credit', allowedApps: 'other' }
      const { status, text } = await browser.post('/plans/new', forged)
      expect([status, text]).toEqual([400, expect.stringContaining('Apps must be one of cli-agent')])
    })
  })

  describe('mails', () => {
    it('are sent again, and a member who is gone is said to be', async () => {
      await server.service.database.transaction((tx) =>
        tx
          .updateTable('mail')
          .set({ status: 'failed', lastError: 'No such mailbox.', attempts: 2 })
          .where('partnerId', '=', mine.partnerId)
          .execute()
      )
      const failed = await browser.get('/mail?status=failed')
      expect(failed.text).toMatch(/Failed No such mailbox\. Tried 2 times\./)
      const { data } = await as(mine, 'mail_list', { status: 'failed' })
      const [member, owner] = Array.isArray(data) ? data : []
      const sent = await browser.submit(`/mail/${stringAt(owner, 'mailId')}/resend`)
      expect(sent.text).toContain('The mail is on its way again')
      await as(mine, 'team_member_remove', {
        customerId: myFixture.customerId,
        teamMemberId: myFixture.teamMemberId
      })
      const refused = await browser.submit(`/mail/${stringAt(member, 'mailId')}/resend`)
      expect(refused.text).toContain('was removed or is active already')
    })
  })

  describe('the audit log', () => {
    it('tells in words who did what, and keeps to one record', async () => {
      const { text, html } = await browser.get('/audit')
      expect(text).toMatch(/Revoke an API key/)
      expect(html).not.toMatch(/pkt_|mct_/)
      expect(html).toMatch(/<option value="instance_backup"[^>]*>Back up an agent</)
      const entered = await browser.get('/audit?action=console_sign_in')
      expect(entered.html).toMatch(/<b title="console_sign_in">Sign in to the console<\/b>/)
      expect(entered.text).not.toContain('console_sign_in')
      const one = await browser.get(`/audit?target=${myFixture.customerId}&action=customer_onboard`)
      expect(one.text).toMatch(/Onboard a customer/)
    })
  })
})
