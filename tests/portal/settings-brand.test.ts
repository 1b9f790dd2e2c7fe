// The brand's page, its logo as it is served, and providers' keys: what comes from outside and what is shown of it.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { beginSession } from '../../src/portal-access/sessions.ts'
import { noisyPng, png } from '../brand/images.ts'
import { makePartner, run, type TestPartner } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { openRaw } from '../support/raw-socket.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { PROVIDER_KEY, type StandIn, startStandIn } from '../voice-agents/stand-in.ts'
import { type ConsoleBrowser, enterConsole, formOn, textOf } from './console-visitor.ts'

const LOGO = /\/logos\/prt_[0-9a-z]{20}\/[0-9a-f]{32}\.webp/

describe('the brand’s page', () => {
  let server: TestServer
  let mine: TestPartner
  let browser: ConsoleBrowser

  beforeAll(async () => {
    server = await startTestServer('sqlite', {}, { alone: 'each process has its own places' })
    mine = await makePartner(server.service)
    browser = await enterConsole(server, mine)
  })
  afterAll(() => server.close())

  /** The cookie of somebody who is signed in to the partner's console. */
  const openSession = async ({ partnerId }: TestPartner) => {
    const { database } = server.service
    const { id: partnerUserId } = await database.read
      .selectFrom('partnerUser')
      .where('partnerId', '=', partnerId)
      .select('id')
      .executeTakeFirstOrThrow()
    const token = await database.transaction((tx) =>
      beginSession(tx, { site: 'console', partnerId, partnerUserId, userAgent: 'test' })
    )
    return `mindgate_console=${token}`
  }

  /** Chooses a file on the brand's page and sends it. */
  const upload = async (
    file: Uint8Array<ArrayBuffer>,
    { name = 'logo.png', type = 'image/png', by = mine } = {}
  ) => {
    const body = new FormData()
    body.append('logo', new File([file], name, { type }))
    const answer = await fetch(`${server.url}/console/brand/logo`, {
      method: 'POST',
      headers: { cookie: await openSession(by), 'sec-fetch-site': 'same-origin', accept: 'text/html' },
      body,
      redirect: 'manual'
    })
    const retryAfter = answer.headers.get('retry-after')
    return { status: answer.status, retryAfter, text: textOf(await answer.text()) }
  }

  it('changes what customers meet at the site, and empty fields take values away', async () => {
    const { action, fields } = formOn(await browser.get('/brand'), '/console/brand/update')
    const filled = {
      ...fields,
      name: 'Acme Voice',
      accentColor: '#0f766e',
      supportEmail: 'help@acme.example'
    }
    await browser.submit(action, filled)
    const site = await fetch(`${server.url}/portal/${mine.slug}/sign-in`)
    const html = await site.text()
    expect(html).toContain('Acme Voice')
    expect(html).toContain('help@acme.example')
    expect(html).toMatch(/-0f766e\.css/)
    await browser.submit(action, { ...filled, supportEmail: '' })
    expect(await run(server.service, mine.partnerId, 'brand_get', {})).toMatchObject({
      data: { name: 'Acme Voice', supportEmail: null }
    })
  })

  it('shows what a brand would look like before it is saved', async () => {
    const before = await everyRow(server.service)
    const fields = { name: 'Globex', accentColor: '#facc15', act: 'preview' }
    const { status, html, text } = await browser.post('/brand/update', fields)
    expect(status).toBe(200)
    expect(html).toMatch(/<svg[^>]*aria-label="Sign-in of Globex in dark colours"/)
    expect(html).toContain('value="#facc15"')
    expect(text).toContain('#facc15 with black on it')
    expect(await everyRow(server.service)).toEqual(before)
  })

  it.each([
    ['accentColor', 'teal', 'Colour must be a colour such as #1d4ed8'],
    ['supportEmail', 'nobody', 'Support e-mail is not a valid e-mail address'],
    ['supportUrl', 'javascript:alert(1)', 'Support page must be a web address']
  ])(
    'says at the field what is wrong with %s, keeps it, and previews without it',
    async (name, value, words) => {
      const { status, text, html } = await browser.post('/brand/update', { name: 'Kept', [name]: value })
      expect([status, text]).toEqual([400, expect.stringContaining(words)])
      expect(html).toContain('value="Kept"')
      expect(html).not.toContain('href="javascript:')
    }
  )

  it('shows names as text, whatever they hold', async () => {
    const hostile = '<script>alert(1)</script>"\' onload=x'
    const { html: before } = await browser.get('/brand')
    const { html } = await browser.post('/brand/update', { name: hostile, act: 'preview' })
    expect(html).not.toContain('<script>alert')
    expect(html.match(/<script/g)).toEqual(before.match(/<script/g))
  })

  describe('a logo', () => {
    it('is served for ever under its hash, as a picture and nothing else, and shown at the site', async () => {
      expect(await upload(new Uint8Array(await noisyPng(960, 200)))).toMatchObject({ status: 303 })
      const site = await (await fetch(`${server.url}/portal/${mine.slug}/sign-in`)).text()
      const url = LOGO.exec(site)?.[0] ?? ''
      expect(site).toMatch(/<img class="logo"[^>]*width="480" height="100"/)
      const logo = await fetch(server.url + url)
      expect(Object.fromEntries(logo.headers)).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'same-origin'
      })
      expect(Buffer.from(await logo.arrayBuffer()).toString('latin1', 8, 12)).toBe('WEBP')
      expect((await browser.get('/brand')).html).toContain(url)

      const other = await makePartner(server.service)
      for (const gone of [
        url.replace(mine.partnerId, other.partnerId),
        url.replace('.webp', '.svg'),
        url.replace(/[0-9a-f]{32}/, '0'.repeat(32))
      ]) {
        expect((await fetch(server.url + gone)).status).toBe(404)
      }
      const { text } = await browser.submit('/brand/logo/remove')
      expect(text).toContain('The logo was removed.')
      expect((await fetch(server.url + url)).status).toBe(404)
    })

    it.each([
      [
        'an SVG',
        () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
        400,
        'no PNG, JPEG or WebP'
      ],
      ['a bomb', () => png({ width: 60_000, height: 60_000, pixels: Buffer.alloc(9) }), 400, 'at most 2048'],
      [
        'a file that is too large',
        () => png({ width: 9, height: 9, after: Buffer.alloc(513 * 1024) }),
        413,
        'larger than 512 kB'
      ],
      ['one far too large', () => Buffer.alloc(3 * 1024 * 1024), 413, 'larger than 512 kB']
    ])('is refused at its field, whatever it calls itself: %s', async (_, make, status, words) => {
      const rows = async () => ({ ...(await everyRow(server.service)), session: 'a new one for each upload' })
      const before = await rows()
      const answer = await upload(new Uint8Array(make()))
      expect(answer).toMatchObject({ status, text: expect.stringContaining(words) })
      expect(await rows()).toEqual(before)
    })

    it('waits unread for those before it, up to three of one partner', async () => {
      const slow = await openRaw(server.url)
      const head = [
        'POST /console/brand/logo HTTP/1.1',
        'Host: localhost',
        'Sec-Fetch-Site: same-origin',
        'Content-Type: multipart/form-data; boundary=x',
        'Content-Length: 1000',
        'Expect: 100-continue',
        `Cookie: ${await openSession(mine)}`
      ]
      slow.send(`${head.join('\r\n')}\r\n\r\n`)
      await expect.poll(slow.received).toContain('100 Continue')
      const file = new Uint8Array(png({ width: 40, height: 40 }))
      const answers: unknown[] = []
      const uploads = Array.from({ length: 5 }, async () => {
        const { status, retryAfter } = await upload(file)
        answers.push([status, retryAfter])
      })
      await expect
        .poll(() => answers)
        .toEqual([
          [429, '2'],
          [429, '2']
        ])
      expect(await upload(file, { by: await makePartner(server.service) })).toMatchObject({ status: 303 })
      expect(answers).toHaveLength(2)
      slow.socket.destroy()
      await Promise.all(uploads)
      expect(answers.slice(2)).toEqual(Array(3).fill([303, null]))
    })

    it('has to be chosen', async () => {
      const { status, text } = await browser.post('/brand/logo')
      expect([status, text]).toEqual([400, expect.stringContaining('Choose a file first.')])
    })
  })
})

describe('the providers’ page', () => {
  let server: TestServer
  let vapi: StandIn
  let mine: TestPartner
  let browser: ConsoleBrowser

  beforeAll(async () => {
    vapi = await startStandIn('a', [
      { id: 'one', name: 'Front desk', createdAt: '2026-01-01T00:00:00.000Z' },
      { id: 'two', name: 'Sales', createdAt: '2026-01-02T00:00:00.000Z' }
    ])
    server = await startTestServer('sqlite', { PROVIDER_A_URL: vapi.url })
    mine = await makePartner(server.service)
    browser = await enterConsole(server, mine)
  })
  afterAll(async () => {
    await server.close()
    await vapi.close()
  })

  it('sets a key, tests it at the provider and removes it, and never shows it', async () => {
    const { action, fields } = formOn(await browser.get('/providers'), '/console/providers/a/key')
    const set = await browser.submit(action, { ...fields, key: PROVIDER_KEY })
    expect(set.text).toContain('The key is kept, sealed.')
    const tested = await browser.submit('/providers/a/test')
    expect(tested.text).toContain('The key works: the account has 2 agents.')
    const asked = vapi.requests.filter((request) => !request.startsWith('GET /call'))
    expect(asked).toEqual(['GET /assistant?limit=100'])
    const removed = await browser.submit('/providers/a/remove')
    expect(removed.text).toContain('The key was removed.')
    for (const { html } of [set, tested, removed]) expect(html).not.toContain(PROVIDER_KEY)
    const kept = JSON.stringify([await everyRow(server.service), server.logs])
    expect(kept).not.toContain(PROVIDER_KEY)
  })

  it.each([
    ['silent', 'did not answer in time'],
    ['refuses-key', 'refused your key'],
    ['limits', 'limits your account’s requests'],
    ['fails', 'gave an answer that can’t be used'],
    ['hangs-up', 'could not be reached'],
    ['wrong-shape', 'gave an answer that can’t be used']
  ] as const)('says in words what is wrong when the provider is %s', async (behaviour, words) => {
    await run(server.service, mine.partnerId, 'provider_key_set', { provider: 'a', key: PROVIDER_KEY })
    vapi.behave(behaviour)
    // Nobody else is waited for so briefly: a busy machine isn't a silent provider.
    const { config } = server.service
    const patience = config.providerTimeoutMs
    if (behaviour === 'silent') Object.assign(config, { providerTimeoutMs: 200 })
    const { text, html } = await browser.submit('/providers/a/test')
    Object.assign(config, { providerTimeoutMs: patience })
    expect(text).toContain(`Vapi ${words}`)
    expect(html).not.toContain(PROVIDER_KEY)
  })

  it('says at the field of its own card what is wrong with a key', async () => {
    const { status, html, text } = await browser.post('/providers/b/key', { key: 'two words' })
    expect([status, text]).toEqual([400, expect.stringContaining('The key must be one line of letters')])
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(1)
    expect(html).not.toContain('two words')
  })

  it('leads to how far calls are read, and shows the webhook when it is asked for', async () => {
    vapi.behave('good')
    await run(server.service, mine.partnerId, 'provider_key_set', { provider: 'a', key: PROVIDER_KEY })
    await run(server.service, mine.partnerId, 'provider_key_set', { provider: 'b', key: PROVIDER_KEY })
    await vi.waitFor(async () => {
      const { text } = await browser.get('/usage')
      expect(text).toMatch(/Vapi\s+Up to date\s+now\s+now/)
    }, 10_000)
    const before = await browser.get('/providers')
    expect(before.html).toContain('href="/console/usage">See how far calls are read')
    expect(before.html).not.toContain('/api/hooks/')
    const hookIn = (html: string) => /\/api\/hooks\/calls\/\w+/g.exec(html)?.[0]
    const [shown, again] = [await browser.post('/providers/a/hook'), await browser.post('/providers/a/hook')]
    expect(hookIn(shown.html)).toBeDefined()
    expect(hookIn(again.html)).toBe(hookIn(shown.html))
    expect(shown.text).toContain('Webhook secret')
    expect((await browser.post('/providers/b/hook')).text).not.toContain('Webhook secret')
  })

  it('knows no third provider', async () => {
    expect((await browser.post('/providers/c/test')).status).not.toBe(200)
    expect((await browser.post('/providers/c/key', { key: 'x' })).status).toBe(400)
  })
})
