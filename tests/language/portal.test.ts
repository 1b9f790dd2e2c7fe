// In which language a portal speaks, and that it does so throughout.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES, type Language } from '../../schemas/language.ts'
import { mintLink } from '../../src/portal-access/links.ts'
import { makePortalCustomer, makeTeamMate, type PortalCustomer } from '../portal/customer-visitors.ts'
import { run, stringAt, unique } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { englishIn } from './spoken.ts'

const PATHS = [
  '',
  '/memory',
  '/memory/ask',
  '/memory/minds',
  '/team',
  '/usage',
  '/usage?from=2020-01-01&to=2020-01-02',
  '/statements',
  '/statements?status=void',
  '/agents',
  '/agents/setup',
  '/packs',
  '/account',
  '/chat/ins_gone',
  '/no-such-page'
]
const OUTSIDE = ['/sign-in', '/forgot', '/accept?token=none', '/reset?token=none']

/** Each with what is refused in it. */
const REFUSED: [path: string, fields: Record<string, string>][] = [
  ['/memory/remember', { content: '' }],
  ['/memory/remember', { content: 'x'.repeat(40_000) }],
  ['/memory/remember', { content: '今日', occurredAt: '2999-01-01' }],
  ['/memory/ask/answer', { question: '' }],
  ['/memory/minds/create', { name: '' }],
  ['/memory/minds/mnd_none/forget', {}],
  ['/team/invite', { name: '', email: '' }],
  ['/team/invite', { name: '太郎', email: 'nothing' }],
  ['/team/members/tm_none/remove', {}],
  ['/agents/mint', { name: '' }],
  ['/agents/mint', { name: '電話', scopes: 'memory:read', expiry: 'yesterday' }],
  ['/agents/test', { token: 'mct_none' }],
  ['/agents/tokens/tok_none/revoke', {}],
  ['/account/password', { current: 'wrong', password: 'short' }],
  ['/packs/buy', { planId: 'pln_none', version: '1' }]
]

async function packOf({ service, partner }: TestServer): Promise<string> {
  const pack = { name: '五百', kind: 'credit', features: {}, price: 49, credits: 500 }
  return stringAt(await run(service, partner.partnerId, 'plan_create', pack), 'data', 'planId')
}

describe('the portal’s language', () => {
  let server: TestServer
  let ada: PortalCustomer

  beforeAll(async () => {
    server = await startTestServer('sqlite')
    ada = await makePortalCustomer(server, server.partner, {
      firstName: '花子',
      lastName: '山田',
      companyName: '山田医院',
      aiCreditsEnabled: true,
      creditPlanIds: [await packOf(server)],
      enableAdvancedAnalytics: true
    })
    const { customerId } = ada
    const { partnerId } = server.partner
    await run(server.service, partnerId, 'brand_update', { name: '日の出' })
    await run(server.service, partnerId, 'credits_grant', { customerId, amount: 50 })
    await run(server.service, partnerId, 'memory_remember', { customerId, content: '花子：紅茶が好きです。' })
    await makeTeamMate(server, server.partner, customerId, 'member')
  })
  afterAll(() => server.close())

  const portal = () => `${server.url}/portal/${server.partner.slug}`
  async function ask(
    path: string,
    wanted: string,
    fields?: Record<string, string>,
    cookie = ada.owner.identity.cookie
  ) {
    const answer = await fetch(portal() + path, {
      headers: { accept: 'text/html', 'accept-language': wanted, cookie, 'sec-fetch-site': 'same-origin' },
      redirect: 'manual',
      ...(fields ? { method: 'POST', body: new URLSearchParams(fields) } : {})
    })
    return { status: answer.status, headers: answer.headers, html: await answer.text() }
  }
  const outside = (path: string, wanted: string, fields?: Record<string, string>) =>
    ask(path, wanted, fields, '')
  const languageOf = ({ html }: { html: string }) =>
    /<html lang="(\w+)" dir="(\w+)"/.exec(html)?.slice(1).join(' ')
  const change = (portalLanguage: Language | null) =>
    run(server.service, server.partner.partnerId, 'customer_update', {
      customerId: ada.customerId,
      portalLanguage
    })
  const brand = (language: Language | null) =>
    run(server.service, server.partner.partnerId, 'brand_update', { language })

  it('is the browser’s first that is spoken, whatever else it asks for', async () => {
    for (const [wanted, spoken] of [
      ['de-CH, de;q=0.9, en;q=0.8', 'de ltr'],
      ['en;q=0.5, ar-EG;q=0.9', 'ar rtl'],
      ['PT-br', 'pt ltr'],
      ['es;q=0, fr', 'fr ltr'],
      ['tlh, nl;q=0.9, ja;q=0.1', 'ja ltr'],
      ['tlh', 'en ltr'],
      ['*', 'en ltr'],
      ['', 'en ltr'],
      ['__proto__, constructor;q=0.9', 'en ltr'],
      ['de;q=abc;;,,=,;q=1,fr', 'de ltr'],
      [`${'x-'.repeat(2_000)}, es`, 'es ltr']
    ] as const) {
      const answer = await outside('/sign-in', wanted)
      expect([wanted.slice(0, 40), languageOf(answer)]).toEqual([wanted.slice(0, 40), spoken])
    }
  })

  it('is the partner’s where the browser says none, and the customer’s before both', async () => {
    await brand('fr')
    expect(languageOf(await outside('/sign-in', ''))).toBe('fr ltr')
    expect(languageOf(await outside('/sign-in', 'tlh'))).toBe('fr ltr')
    expect(languageOf(await outside('/sign-in', 'es'))).toBe('es ltr')
    await change('ar')
    expect(languageOf(await ask('', 'es'))).toBe('ar rtl')
    expect(languageOf(await outside('/sign-in', 'es'))).toBe('es ltr')
    expect((await ask('/team/invite', 'es', { name: '', email: 'x' })).html).toContain(
      '<html lang="ar" dir="rtl"'
    )
    await change(null)
    expect(languageOf(await ask('', 'es'))).toBe('es ltr')
    await brand(null)
    expect(languageOf(await ask('', ''))).toBe('en ltr')
  })

  it('is each request’s own, however many there are at once', async () => {
    const asked = Array.from({ length: 42 }, (_, index) => LANGUAGES[index % LANGUAGES.length] ?? 'en')
    const spoken = await Promise.all(
      asked.map(async (one) => languageOf(await ask(PATHS[asked.indexOf(one)] ?? '', one))?.split(' ')[0])
    )
    expect(spoken).toEqual(asked)
  })

  it.each(LANGUAGES)('says every page in %s, with nothing left to fill in', async (language) => {
    for (const path of [...PATHS, ...OUTSIDE]) {
      const { status, html } = await (OUTSIDE.includes(path) ? outside : ask)(path, language)
      expect([path, status]).toEqual([path, /no-such|gone|token=none/.test(path) ? 404 : 200])
      expect(languageOf({ html })).toMatch(new RegExp(`^${language} `))
      expect([
        path,
        html.replaceAll(/<(script|style|pre|code)[\s\S]*?<\/\1>/g, '').match(/\{\w+[,}]|undefined|NaN/g)
      ]).toEqual([path, null])
    }
  })

  it('leaves no English word on any page', async () => {
    for (const path of [...PATHS, ...OUTSIDE]) {
      const { html } = await (OUTSIDE.includes(path) ? outside : ask)(path, 'ja')
      expect(`${path}: ${englishIn(html)}`).toBe(`${path}: `)
    }
    // Forms whose answer is the page itself.
    const made = await ask('/agents/mint', 'ja', { name: '電話', scopes: 'memory:read', expiry: '30' })
    expect(englishIn(made.html)).toEqual([])
    const answered = await ask('/memory/ask/answer', 'ja', {
      question: '花子は何が好きですか',
      reasoningLevel: 'standard'
    })
    expect([answered.status, englishIn(answered.html)]).toEqual([200, []])
    const unknown = await ask('/memory/ask/answer', 'ja', {
      question: '車は何色ですか',
      reasoningLevel: 'standard'
    })
    expect([unknown.status, englishIn(unknown.html)]).toEqual([200, []])
  })

  it('leaves no English word in what is refused', async () => {
    for (const [path, fields] of REFUSED) {
      const answer = await ask(path, 'ja', fields)
      const html =
        answer.status === 303
          ? (
              await ask(
                new URL(answer.headers.get('location') ?? '', server.url).pathname.replace(
                  /^\/portal\/[^/]+/,
                  ''
                ),
                'ja'
              )
            ).html
          : answer.html
      expect(`${path}: ${englishIn(html)}`).toBe(`${path}: `)
    }
    for (const fields of [{}, { email: 'a@example.com' }, { email: 'a@example.com', password: 'wrong' }]) {
      expect(englishIn((await outside('/sign-in', 'ja', fields)).html)).toEqual([])
    }
    expect(englishIn((await outside('/forgot', 'ja', {})).html)).toEqual([])
  })

  it('is that of whom a link is for, also where it is refused', async () => {
    await change('ar')
    const { partnerId } = server.partner
    const email = `${unique('hana')}@example.com`
    await run(server.service, partnerId, 'team_member_add', {
      customerId: ada.customerId,
      email,
      name: 'هناء'
    })
    const token = await server.service.database.transaction(async (tx) => {
      const { id } = await tx
        .selectFrom('teamMember')
        .where('email', '=', email)
        .select('id')
        .executeTakeFirstOrThrow()
      return mintLink(tx, partnerId, 'team_invite', { customerId: ada.customerId, teamMemberId: id })
    })
    expect(languageOf(await outside(`/accept?token=${token}`, 'es'))).toBe('ar rtl')
    const refused = await outside('/accept', 'es', { token, password: 'short' })
    expect([refused.status, languageOf(refused)]).toEqual([400, 'ar rtl'])
    const alert = /role="alert"[\s\S]*?<p>([^<]*)/.exec(refused.html)?.[1]
    expect(alert).toMatch(/\p{Script=Arabic}/u)
    await change(null)
  })

  it('stays English in the console and the API', async () => {
    const console = await fetch(`${server.url}/console/sign-in`, { headers: { 'accept-language': 'ja' } })
    expect(await console.text()).toContain('<html lang="en" dir="ltr"')
    const refused = await fetch(`${server.url}/api/v1/mcp/customers/none`, {
      headers: { 'accept-language': 'ja', authorization: `Bearer ${server.partner.key}` }
    })
    expect(await refused.text()).toContain('You have no customer with this id or short code.')
  })

  it('is refused as a customer’s where it isn’t spoken', async () => {
    const refusal = run(server.service, server.partner.partnerId, 'customer_update', {
      customerId: ada.customerId,
      portalLanguage: 'tlh'
    })
    await expect(refusal).rejects.toThrow('portalLanguage must be one of en, es, de, fr, pt, ar, ja.')
    expect(
      stringAt(
        await run(server.service, server.partner.partnerId, 'customer_get', { customerId: ada.customerId }),
        'data',
        'currency'
      )
    ).toBe('USD')
  })
})
