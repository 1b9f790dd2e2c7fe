// What each role may at the console: every operation and every page of it, from the lists themselves.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONSOLE_SCOPES, SCOPES } from '../../schemas/api-key.ts'
import { PARTNER_ROLE_NAMES, PARTNER_ROLES, type PartnerRole } from '../../schemas/partner-user.ts'
import { CONSOLE_PAGES } from '../../servers/portal/console.tsx'
import { scopeToOpen } from '../../servers/portal/rights.ts'
import { now } from '../../src/clock.ts'
import { execute } from '../../src/execute.ts'
import { operations } from '../../src/operations.ts'
import { beginSession } from '../../src/portal-access/sessions.ts'
import { consoleGuest } from '../../src/portal-access/visitors.ts'
import { offeredAt } from '../security/examples.ts'
import { type Fixture, makeFixture, makePartner, run, type TestPartner } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type ConsoleBrowser, makeColleague, type PageAnswer, signInAt } from './console-visitor.ts'

const OFFERED = offeredAt('console')

let server: TestServer
beforeAll(async () => {
  // Nobody listens there: no provider is asked.
  const nowhere = 'http://127.0.0.1:9'
  server = await startTestServer('sqlite', {
    RATE_LIMIT: '0',
    SIGN_IN_ADDRESS_LIMIT: '0',
    PROVIDER_A_URL: nowhere,
    PROVIDER_B_URL: nowhere
  })
})
afterAll(() => server.close())

/** Who somebody of that role is to the service, as their session’s token tells it. */
async function callerOf(partnerId: string, role: PartnerRole) {
  const { database } = server.service
  const { id: partnerUserId } = await makeColleague(server.service, partnerId, role)
  const token = await database.transaction((tx) =>
    beginSession(tx, { site: 'console', partnerId, partnerUserId, userAgent: 'test' })
  )
  const guest = await consoleGuest(database.read, token)
  if (guest?.state !== 'inside') throw new Error('nobody is signed in')
  return guest.caller
}

it('the roles are sets of scopes, each spelled out here', () => {
  const lacks = (role: PartnerRole) =>
    [...SCOPES, ...CONSOLE_SCOPES].filter((scope) => !PARTNER_ROLES[role].scopes.has(scope))
  expect(lacks('owner')).toEqual([])
  expect(lacks('admin')).toEqual([])
  expect([...PARTNER_ROLES.support.scopes].toSorted()).toEqual([
    ...['audit:read', 'credits:read', 'customers:read', 'customers:write', 'instances:read'],
    ...['instances:write', 'memory:read', 'memory:write', 'plans:read']
  ])
  expect([...PARTNER_ROLES.billing.scopes].toSorted()).toEqual([
    ...['audit:read', 'billing:read', 'billing:write', 'credits:read', 'credits:write', 'customers:read'],
    'plans:read'
  ])
  expect([...PARTNER_ROLES.read_only.scopes].toSorted()).toEqual([
    ...['audit:read', 'billing:read', 'credits:read', 'customers:read', 'instances:read', 'plans:read'],
    'settings:read'
  ])
})

it('keys, apps and portals reach nothing that is held by a scope of the console’s own', () => {
  const held = operations.filter(({ scope }) => CONSOLE_SCOPES.some((own) => own === scope))
  expect(held.map(({ name }) => name).toSorted()).toEqual([
    ...['api_key_list', 'api_key_mint', 'api_key_revoke'],
    ...['brand_get', 'brand_logo_remove', 'brand_logo_set', 'brand_update'],
    ...['call_hook_get', 'mail_text_list', 'mail_text_send', 'mail_text_set'],
    ...['partner_app_end', 'partner_app_list'],
    ...[
      'partner_user_invite',
      'partner_user_list',
      'partner_user_recover',
      'partner_user_remove',
      'partner_user_resend'
    ],
    ...[
      'partner_user_reset_factors',
      'partner_user_sign_out',
      'partner_user_update',
      'plan_create',
      'plan_update'
    ],
    ...['provider_key_remove', 'provider_key_set', 'security_get', 'security_update'],
    ...['webhook_add', 'webhook_delivery_list', 'webhook_list', 'webhook_remove'],
    ...['webhook_secret_rotate', 'webhook_send_again', 'webhook_test', 'webhook_update']
  ])
  const channels = new Set(held.flatMap((operation) => operation.channels))
  expect([...channels].toSorted()).toEqual(['console', 'operator'])
})

describe.each(PARTNER_ROLE_NAMES)('somebody whose role is %s', (role) => {
  it('may call just the operations that are held by its scopes', async () => {
    const { partnerId } = await makePartner(server.service)
    const caller = await callerOf(partnerId, role)
    for (const operation of OFFERED) {
      const call = execute(operation, server.service, { caller, requestId: 'req_test' }, {})
      const code = await call.then(
        () => undefined,
        (error: unknown) => Reflect.get(Object(error), 'code')
      )
      const isRefused = code === 'missing_scope'
      expect([operation.name, isRefused]).toEqual([
        operation.name,
        !PARTNER_ROLES[role].scopes.has(operation.scope)
      ])
    }
  })

  describe('at the console’s pages', () => {
    let partner: TestPartner
    let fixture: Fixture
    let owner: ConsoleBrowser
    let visitor: ConsoleBrowser
    let own: { id: string; email: string }
    beforeAll(async () => {
      const { service, url } = server
      partner = await makePartner(service)
      fixture = await makeFixture(service, partner.partnerId)
      for (const provider of ['a', 'b'])
        await run(service, partner.partnerId, 'provider_key_set', { provider, key: 'secret-key' })
      owner = await signInAt(url, (await makeColleague(service, partner.partnerId, 'owner')).email)
      own = await makeColleague(service, partner.partnerId, role)
      visitor = await signInAt(url, own.email)
    })

    /** The page’s address, with ids of the partner’s. */
    const filled = (path: string): string => {
      const values: Record<string, string> = {
        ...fixture,
        agent: `a:${fixture.agentA}`,
        since: now(),
        deployId: 'dep_none',
        eventId: 'evt_none',
        uid: 'none'
      }
      return path.replaceAll(/:(\w+)/g, (_, name: string) => {
        const value = values[name]
        if (value === undefined) throw new Error(`What is ${name} of ${path}?`)
        return encodeURIComponent(value)
      })
    }
    const pages = Object.keys(CONSOLE_PAGES)

    it('opens just the pages that are held by its scopes', async () => {
      const opened: [path: string, status: number][] = []
      const expected: [path: string, status: number][] = []
      for (const path of pages) {
        const scope = scopeToOpen(path)
        const mayOpen = scope === undefined || PARTNER_ROLES[role].scopes.has(scope)
        // There is no such request to connect, and no such deploy.
        const isThere = !/:uid|:deployId/.test(path)
        expected.push([path, mayOpen ? (isThere ? 200 : 404) : 403])
        opened.push([path, (await visitor.get(filled(path))).status])
      }
      expect(opened).toEqual(expected)
    })

    it('is led by no page to one that it may not open', async () => {
      const seen = new Set<string>()
      const refused: string[] = []
      for (const path of pages) {
        const { html, status } = await visitor.get(filled(path))
        if (status !== 200) continue
        for (const [, href = ''] of html.matchAll(/<a[^>]* href="(\/console[^"]*)"/g)) {
          const target = href.replaceAll('&amp;', '&')
          if (seen.has(target)) continue
          seen.add(target)
          if ((await visitor.get(target)).status === 403) refused.push(`${path} → ${target}`)
        }
      }
      expect(refused).toEqual([])
      expect(seen).toContain('/console/account')
    })

    it('is shown just the forms that it may send', async () => {
      const shown = new Set<string>()
      const hidden = new Set<string>()
      for (const path of pages) {
        const mine = await visitor.get(filled(path))
        if (mine.status !== 200) continue
        for (const action of formsOn(mine)) shown.add(action)
        for (const action of formsOn(await owner.get(filled(path)))) hidden.add(action)
      }
      // What is one’s own is everybody’s, and decided without a role.
      for (const action of [...shown, ...hidden])
        if (action.includes(own.id)) for (const actions of [shown, hidden]) actions.delete(action)
      for (const action of shown) hidden.delete(action)
      expect(shown.size + hidden.size).toBeGreaterThan(20)
      for (const [actions, isHidden] of [[hidden, true] as const, [shown, false] as const]) {
        for (const action of actions) {
          const { status, text } = await visitor.post(action)
          const isRefused = status === 403 && /Your role, |Only owners decide/.test(text)
          expect([action, status < 500, isRefused]).toEqual([action, true, isHidden])
        }
      }
    })
  })
})

/** Where the page’s forms go, but for those of everybody’s own account, and one that takes a file before anything else. */
const formsOn = ({ html }: PageAnswer): string[] =>
  [...html.matchAll(/<form[^>]* action="([^"]*)"[^>]*method="post"[^>]*>/g)]
    .filter(([tag]) => !tag.includes('multipart'))
    .map(([, action = '']) => action)
    .filter((action) => !/^\/console\/(account|sign-out)\b/.test(action))
