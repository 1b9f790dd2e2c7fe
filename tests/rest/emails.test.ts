// E-mail addresses of every script, and what only looks like one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Email } from '../../schemas/primitives.ts'
import { emailKey } from '../../src/customers/email.ts'
import { insertPartner } from '../../src/partners/store.ts'
import { onboardOwner, PASSWORD, siteClient } from '../portal/site-client.ts'
import { startSites } from '../portal/sites.ts'
import { databases } from '../support/databases.ts'
import { stringAt, unique } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { customersOf } from './customers.ts'

/** Each line is one address in several spellings. */
const SAME = [
  [
    'josé@bücher.example',
    'JOSÉ@BÜCHER.EXAMPLE',
    'jose\u0301@bu\u0308cher.example',
    'josé@xn--bcher-kva.example'
  ],
  ['ada@bücher.example', 'Ada@XN--BCHER-KVA.example', 'ada@ｂücher.example'],
  ['用户@例え.テスト', '用户@xn--r8jz45g.xn--zckzah'],
  ['वेद@उदाहरण.भारत', 'वेद@xn--p1b6ci4b4b3a.xn--h2brj9c']
] as const

describe('an e-mail address', () => {
  it.each(SAME.flat())('may be %s', (email) => {
    expect(Email.safeParse(email).success).toBe(true)
  })

  it.each(SAME)('is one account as %s, however it is spelled', (...spellings) => {
    expect(new Set(spellings.map((spelling) => emailKey(String(spelling)))).size).toBe(1)
  })

  it('is two accounts where letters differ', () => {
    const different = [
      'josé@a.example',
      'jose@a.example',
      'straße@a.example',
      'strasse@a.example',
      'josé@b.example'
    ]
    expect(new Set(different.map(emailKey)).size).toBe(different.length)
  })

  it('is kept as it was spelled, in composed letters', () => {
    expect(Email.parse('Jose\u0301@BÜCHER.example')).toBe('José@BÜCHER.example')
  })

  it.each([
    'josé@bücher.example\nBcc: eve@evil.example',
    'josé\r@bücher.example',
    'josé @bücher.example',
    'jo\u00a0sé@bücher.example',
    'josé@bü cher.example',
    'josé,eve@bücher.example',
    'josé;eve@bücher.example',
    '<josé@bücher.example>',
    'José <josé@bücher.example>',
    '"josé"@bücher.example',
    'josé@eve@bücher.example',
    'jo\u202esé@bücher.example',
    'jo\u200bsé@bücher.example',
    'josé\u3164@bücher.example',
    'josé@bücher\u200b.example',
    'josé@bücher.example\u0000',
    'josé＠bücher.example',
    'josé@bücher。example',
    'josé@bücher',
    'josé@.example',
    'josé@bücher..example',
    'josé@127.0.0.1',
    'josé@[127.0.0.1]',
    'josé@%62ücher.example',
    'josé@bücher.example/x',
    'josé@bücher.example:25',
    'josé@xn--a.example',
    `josé@${'ü'.repeat(60)}.example`,
    '.josé@bücher.example',
    'jo..sé@bücher.example',
    'josé.@bücher.example',
    '@bücher.example',
    'josé@',
    'josé',
    ''
  ])('can’t be %j', (email) => {
    expect(Email.safeParse(email).success).toBe(false)
  })

  it('has at most 254 octets, as it is spelled and as DNS spells it', () => {
    const fits = `${'é'.repeat(121)}@xx.example`
    expect(Buffer.byteLength(fits)).toBe(253)
    expect(Email.safeParse(fits).success).toBe(true)
    expect(Email.safeParse(`é${fits}`).success).toBe(false)
    const grows = `${'a'.repeat(233)}@bücher.example`
    expect(Buffer.byteLength(grows)).toBeLessThanOrEqual(254)
    expect(Email.safeParse(grows).success).toBe(false)
    expect(Email.safeParse(`a@${'ü.'.repeat(500_000)}example`).success).toBe(false)
  })
})

describe.each(databases)('an international address on %s', (kind) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startSites(kind, { SIGN_IN_LIMIT: '0', SIGN_IN_ADDRESS_LIMIT: '0' })
  })
  afterAll(() => server.close())
  const { post, patch, create, get } = customersOf(
    () => server,
    () => server.partner
  )
  /** The same address in each of its spellings, new each time. */
  const spellings = () => {
    const name = unique('josé')
    return ['bücher.example', 'BÜCHER.example', 'xn--bcher-kva.example'].map((domain) => `${name}@${domain}`)
  }

  it('is one customer of the partner', async () => {
    const [email = '', ...others] = spellings()
    const id = await create({ email })
    for (const other of [...others, email.toUpperCase(), email.normalize('NFD')]) {
      const body = { code: 'email_exists' }
      expect(await post('/customers', { email: other })).toMatchObject({ status: 400, body })
      expect(await post('/customers/onboard', { basic: { email: other } })).toMatchObject({
        status: 400,
        body
      })
      expect(await patch(await create(), { email: other })).toMatchObject({ status: 400, body })
      expect(await patch(id, { email: other })).toMatchObject({ status: 200 })
    }
    expect((await get(`/customers?search=${encodeURIComponent(email.slice(0, 8))}`)).status).toBe(200)
  })

  it('is one member of a team', async () => {
    const path = `/customers/${await create()}/team-members`
    const [email, ...others] = spellings()
    expect((await post(path, { email, name: 'José' })).body).toMatchObject({ data: { email } })
    for (const other of others) {
      expect(await post(path, { email: other, name: 'José' })).toMatchObject({
        body: { code: 'email_exists' }
      })
    }
  })

  it('is one user of the console', async () => {
    const [email = '', ...others] = spellings()
    const insert = (address: string) =>
      server.service.database.transaction((tx) => insertPartner(tx, { name: unique('P'), email: address }))
    await insert(email)
    for (const other of others) await expect(insert(other)).rejects.toMatchObject({ code: 'email_exists' })
  })

  it('signs in to the portal in any spelling, and is mailed a forgotten password at the one that is kept', async () => {
    const [email = '', ...others] = spellings()
    await onboardOwner(server.service, server.partner, email)
    const base = `/portal/${server.partner.slug}`
    for (const other of others) {
      const form = { email: ` ${other} `, password: PASSWORD }
      expect((await siteClient(server.url).post(`${base}/sign-in`, { form })).status).toBe(303)
    }
    const sent = () =>
      server.service.database.read
        .selectFrom('mail')
        .where('template', '=', 'password_forgotten')
        .where('recipient', '=', email)
        .select('id')
        .execute()
    const [, other = ''] = others
    expect((await siteClient(server.url).post(`${base}/forgot`, { form: { email: other } })).status).toBe(200)
    await expect.poll(sent).toHaveLength(1)
  })

  // The rest is the same whatever the database.
  if (kind !== 'sqlite') return

  it('is refused by its field’s name where it is none', async () => {
    for (const email of [
      'josé@bücher.example\nBcc: eve@evil.example',
      'jo sé@bücher.example',
      'é'.repeat(300)
    ]) {
      expect(await post('/customers', { email })).toMatchObject({ status: 400, body: { field: 'email' } })
      expect(await post('/customers/onboard', { basic: { email } })).toMatchObject({
        status: 400,
        body: { field: 'basic.email' }
      })
      expect(await patch(await create(), { email })).toMatchObject({ status: 400, body: { field: 'email' } })
    }
  })

  it('is asked for in fields that browsers let it into', async () => {
    for (const page of ['sign-in', 'forgot']) {
      const { text } = await siteClient(server.url).get(`/portal/${server.partner.slug}/${page}`)
      expect(text).toContain('inputmode="email"')
      expect(text).not.toContain('type="email"')
    }
  })

  it('is searched for as it is spelled', async () => {
    const [email = ''] = spellings()
    const id = await create({ email })
    const { body } = await get(`/customers?search=${encodeURIComponent(email.toUpperCase())}`)
    expect(stringAt(body, 'data', 0, 'id')).toBe(id)
  })
})
