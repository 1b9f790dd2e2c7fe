// Memories, Minds and names are written by anybody: whatever they say, a page shows it as text.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type Browser, makePortalCustomer } from './customer-visitors.ts'

const TEXTS: [name: string, text: string][] = [
  ['a script', '<script>alert(1)</script>'],
  ['a broken attribute', `"><img src=x onerror=alert(1)>'"><svg/onload=alert(2)>`],
  ['an end of what it stands in', '</textarea></summary></dialog></table></main><h1>Owned</h1>'],
  ['entities', '&lt;b&gt; &#60;b&#62; &amp;'],
  ['a template', '{{7*7}} <%= 7*7 %> #{7*7}'],
  ['text that turns around', '\u202egnp.exe \u2066isolated\u2069 مرحبا بالعالم'],
  ['a link', '<a href="javascript:alert(1)">Click</a> [x](javascript:alert(1))']
]

/** Markup that only a text of ours could have brought into a page. */
const LIVE = /<(script|img|svg)\b[^>]*(alert|onerror|onload)|<h1>Owned|href="javascript:|<script>alert/i

describe('hostile texts', () => {
  let server: TestServer
  let owner: Browser
  let customerId: string

  beforeAll(async () => {
    server = await startTestServer('sqlite')
    ;({ owner, customerId } = await makePortalCustomer(server, server.partner, { maxTeamMembers: 100 }))
  })
  afterAll(() => server.close())

  const as = (name: string, input: object) =>
    run(server.service, server.partner.partnerId, name, { customerId, ...input })
  const escaped = (text: string) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')

  it.each(TEXTS)('stay text in memories, facts and answers: %s', async (_, text) => {
    const created = await as('memory_create_mind', { name: 'Hostile' })
    const mindId = stringAt(created, 'mindId')
    await as('memory_remember', { mindId, content: `Ada: I live in ${text}. Zanzibar is ${text}.` })
    const mind = await owner.get(`/memory/minds/${mindId}`)
    expect(mind.html).toContain(escaped(text))
    expect(mind.html).not.toMatch(LIVE)
    const question = `Zanzibar ${text}`
    const answer = await owner.post('/memory/ask/answer', { question, mind: mindId })
    expect(answer.html).toContain(escaped(question))
    expect(answer.html).toContain('<q')
    expect(answer.html).not.toMatch(LIVE)
    const home = await owner.get('')
    expect(home.html).toContain(escaped(text))
    expect(home.html).not.toMatch(LIVE)
  })

  it.each(TEXTS)('stay text in names and in forms that come back: %s', async (_, text) => {
    const mind = await owner.submit('/memory/minds/create', { name: text, description: text })
    expect(mind.html).toContain(escaped(text))
    const minds = await owner.get('/memory/minds')
    const team = await owner.submit('/team/invite', { name: text, email: uniqueEmail() })
    const token = await owner.post('/agents/mint', { name: text, scopes: 'memory:read' })
    const tokens = await owner.get('/agents')
    const refused = await owner.post('/team/invite', { name: text, email: text })
    const unasked = await owner.post('/memory/ask/answer', { question: text, reasoningLevel: text })
    expect([refused.status, unasked.status]).toEqual([400, 400])
    for (const { html } of [mind, minds, team, token, tokens, refused, unasked]) {
      expect(html).toContain(escaped(text))
      expect(html).not.toMatch(LIVE)
    }
  })

  it('fold where they are long', async () => {
    const mindId = stringAt(await as('memory_create_mind', { name: 'Long' }), 'mindId')
    const oneLine = 'x'.repeat(7_000)
    await as('memory_remember', { mindId, content: oneLine })
    const { status, html } = await owner.get(`/memory/minds/${mindId}`)
    expect(status).toBe(200)
    expect(html).toContain(`>${'x'.repeat(400)}</p><details>`)
    expect(html).toContain(`>${'x'.repeat(1_200)}…</p>`)
  })

  it('make no page too heavy: twenty memories of the longest length', async () => {
    const mindId = stringAt(await as('memory_create_mind', { name: 'Full' }), 'mindId')
    for (let i = 0; i < 20; i += 1) {
      await as('memory_remember', { mindId, content: `${i} ${'word '.repeat(6_500)}` })
    }
    const { status, html } = await owner.get(`/memory/minds/${mindId}`)
    expect(status).toBe(200)
    // With style and script that is under 100 KB.
    expect(Buffer.byteLength(html)).toBeLessThan(64_000)
  })
})
