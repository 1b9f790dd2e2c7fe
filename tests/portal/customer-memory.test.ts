// Memory in the portal: what is remembered there is what agents know, and the other way round.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, run, stringAt } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { makePortalCustomer, type PortalCustomer, textOf } from './customer-visitors.ts'

describe('a customer’s memory pages', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer('sqlite')
  })
  afterAll(() => server.close())

  const as = (name: string, input: Record<string, unknown>) =>
    run(server.service, server.partner.partnerId, name, input)
  const make = (changes: Record<string, unknown> = {}) => makePortalCustomer(server, server.partner, changes)

  /** The customer with one memory; `mind` is the path of its Mind's page. */
  async function makeRemembering(content: string, changes: Record<string, unknown> = {}) {
    const customer = await make(changes)
    const answer = await as('memory_remember', { customerId: customer.customerId, content })
    const mindId = stringAt(answer, 'mindId')
    return { ...customer, mindId, memoryId: stringAt(answer, 'memoryId'), mind: `/memory/minds/${mindId}` }
  }
  const newest = async ({ customerId }: Pick<PortalCustomer, 'customerId'>) => {
    const { messages } = await as('memory_recall', { customerId })
    return messages
  }

  it('opens before anything was remembered, and makes nothing by that', async () => {
    const { owner, customerId } = await make()
    const { status, html } = await owner.get('/memory')
    expect(status).toBe(200)
    expect(textOf(html)).toContain('Nothing is remembered yet')
    expect(await as('memory_list_minds', { customerId })).toEqual({ minds: [] })
  })

  it('remembers what is written, line ends as they were typed, and shows it', async () => {
    const { owner, customerId } = await make()
    const fields = { content: 'Ada: I live in Lisbon.\r\nSince May.', occurredAt: '2026-05-03' }
    const { html } = await owner.submit('/memory/remember', fields)
    expect(textOf(html)).toContain('Remembered.')
    expect(textOf(html)).toContain('Ada: I live in Lisbon. Since May.')
    expect(await newest({ customerId })).toMatchObject([
      { content: 'Ada: I live in Lisbon.\nSince May.', occurredAt: '2026-05-03T12:00:00.000Z' }
    ])
  })

  it('shows the profile as facts with their days', async () => {
    const { owner, mind } = await makeRemembering('Ada: I live in Lisbon.')
    const text = textOf((await owner.get(mind)).html)
    expect(text).toContain('About Ada')
    expect(text).toMatch(/Place Lisbon \d+ \w{3} \d{4}/)
    expect(text).not.toContain('mem_')
  })

  it('marks what was corrected, and nothing else', async () => {
    const { owner, mind, customerId, memoryId } = await makeRemembering('Ada: I live in Porto.')
    await as('memory_remember', { customerId, content: 'Ada: I live in Lisbon.', supersedes: memoryId })
    for (const page of [mind, `${mind}/memories`]) {
      const rows = (await owner.get(page)).html.split('<tr').filter((row) => row.includes('I live in'))
      expect(rows.map((row) => /Porto/.test(row) === />Corrected</.test(row))).toEqual([true, true])
    }
  })

  it('remembers once when the same form is sent twice', async () => {
    const { owner, customerId } = await make({ aiCreditsEnabled: true })
    await as('credits_grant', { customerId, amount: 5 })
    const fields = { content: 'Ada: I like tea.', idempotencyKey: 'form-1' }
    await owner.submit('/memory/remember', fields)
    await owner.submit('/memory/remember', fields)
    expect(await newest({ customerId })).toHaveLength(1)
    expect(at(await as('customer_credits_balance', { customerId }), 'data', 'balance')).toBe(4)
  })

  it('says what is wrong with a memory, and keeps what was typed', async () => {
    const { owner } = await make()
    const blank = await owner.post('/memory/remember', { content: '  ' })
    expect(blank.status).toBe(400)
    expect(textOf(blank.html)).toContain('What to remember must not be blank')
    const tomorrow = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    const early = await owner.post('/memory/remember', { content: 'Ada: tea', occurredAt: tomorrow })
    expect(early.status).toBe(400)
    expect(textOf(early.html)).toContain('The day lies more than a day ahead')
    expect(early.html).toContain('Ada: tea</textarea>')
    expect(early.html).toContain(`value="${tomorrow}"`)
  })

  it('takes a memory of the longest length in any letters', async () => {
    const { owner, customerId } = await make()
    const content = '漢'.repeat(32_768)
    await owner.submit('/memory/remember', { content })
    const { mindId } = await as('memory_recall', { customerId })
    expect(await as('memory_export', { customerId, mindId })).toMatchObject({ memories: [{ content }] })
  })

  it('answers a question with the passages and their days', async () => {
    const { owner } = await makeRemembering('Ada: The spare key lies under the blue pot.')
    const { status, html } = await owner.post('/memory/ask/answer', { question: 'Where is the spare key?' })
    expect(status).toBe(200)
    expect(textOf(html)).toMatch(/Answer Where is the spare key\?.*The spare key lies under the blue pot/)
    expect(html).toMatch(/<time datetime="\d{4}-/)
  })

  it('says so when the memory holds nothing on a question', async () => {
    const { owner } = await makeRemembering('Ada: The spare key lies under the blue pot.')
    const { status, html } = await owner.post('/memory/ask/answer', { question: 'Who won in Reykjavik?' })
    expect(status).toBe(200)
    expect(textOf(html)).toContain('The memory holds nothing on that')
  })

  it('asks the Mind that was chosen, and takes the price once of the level that its answer rests on', async () => {
    const { owner, customerId } = await makeRemembering('Ada: tea')
    await as('customer_update', { customerId, aiCreditsEnabled: true })
    await as('credits_grant', { customerId, amount: 10 })
    const mindId = stringAt(await as('memory_create_mind', { customerId, name: 'Contracts' }), 'mindId')
    await as('memory_remember', { customerId, mindId, content: 'The notice period is three months.' })
    const form = textOf((await owner.get(`/memory/ask?mind=${mindId}`)).html)
    expect(form).toContain('Standard: the best passages (1 credit)')
    expect(form).toContain('Enhanced: more passages (3 credits)')
    const asked = {
      question: 'How long is the notice period?',
      mind: mindId,
      reasoningLevel: 'enhanced',
      idempotencyKey: 'ask-1'
    }
    for (let i = 0; i < 2; i += 1) {
      const { html } = await owner.post('/memory/ask/answer', asked)
      expect(textOf(html)).toContain('The notice period is three months.')
    }
    expect(at(await as('customer_credits_balance', { customerId }), 'data', 'balance')).toBe(8)
  })

  it('says nothing of prices to a customer that pays by no credits', async () => {
    const { owner, mind } = await makeRemembering('Ada: The spare key lies under the blue pot.')
    const remembered = await owner.submit('/memory/remember', { content: 'Ada: tea' })
    const asked = await owner.post('/memory/ask/answer', { question: 'Where is the spare key?' })
    for (const { html } of [await owner.get(mind), await owner.get('/memory/ask'), remembered, asked]) {
      expect(textOf(html)).not.toMatch(/credit|\bcosts?\b/i)
    }
  })

  it('says in words that the credits are used up, and keeps the question', async () => {
    const { owner } = await make({ aiCreditsEnabled: true })
    const { status, html } = await owner.post('/memory/ask/answer', { question: 'What does Ada drink?' })
    expect(status).toBe(402)
    expect(textOf(html)).toContain('The credits are used up')
    expect(html).toContain('What does Ada drink?</textarea>')
    const remembered = await owner.post('/memory/remember', { content: 'Ada: tea' })
    expect(remembered.status).toBe(402)
    expect(textOf(remembered.html)).toContain('nothing was charged')
  })

  it('has what is known and a search over all before the form that remembers', async () => {
    const { owner, mind } = await makeRemembering('Ada: I live in Lisbon.')
    const { html } = await owner.get('/memory')
    const places = [
      `action="/portal/${server.partner.slug}${mind}/memories"`,
      '>Profile<',
      '>All memories<',
      'id="remember"'
    ]
    const found = places.map((place) => html.indexOf(place))
    expect(found).toEqual(found.toSorted((a, b) => a - b))
    expect(found).not.toContain(-1)
    const refused = await owner.post(`${mind}/remember`, { content: ' ' })
    expect(refused.html.indexOf('id="remember"')).toBeLessThan(refused.html.indexOf('>Profile<'))
  })

  it('lists all memories page by page, the newest first', async () => {
    const { owner, mind, customerId } = await makeRemembering('Ada: memory 0')
    for (let i = 1; i < 45; i += 1) await as('memory_remember', { customerId, content: `Ada: memory ${i}` })
    const seen: string[] = []
    let address = linkIn((await owner.get(mind)).html, 'All memories')
    for (let pages = 0; address !== undefined && pages < 5; pages += 1) {
      const { status, html } = await owner.get(address)
      expect(status).toBe(200)
      seen.push(...[...html.matchAll(/<p dir="auto">(Ada: memory \d+)<\/p>/g)].map(([, text = '']) => text))
      address = linkIn(html, 'Next')
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, i) => `Ada: memory ${44 - i}`))
  })

  it('finds memories by words, by who said it and by day', async () => {
    const { owner, mind, customerId } = await makeRemembering('Ada: I drink green tea.')
    await as('memory_remember', {
      customerId,
      content: 'Bob: Tea is for Ada.',
      occurredAt: '2026-01-02T10:00:00Z'
    })
    await as('memory_remember', { customerId, content: 'Bob: The gate is locked.' })
    const listed = async (query: string) => {
      const { status, html } = await owner.get(`${mind}/memories?${query}`)
      return { status, html, text: textOf(html) }
    }
    const tea = await listed('query=tea&author=&since=&until=')
    expect(tea.text).toContain('green tea')
    expect(tea.text).toContain('Tea is for Ada')
    expect(tea.text).not.toContain('locked')
    expect((await listed('query=tea&author=bob')).text).not.toContain('green tea')
    expect((await listed('since=2026-01-01&until=2026-01-02')).text).not.toContain('locked')
    expect((await listed('author=Carol')).text).toContain('No memory fits this search')
    expect((await listed('since=nonsense')).status).toBe(200)
    const refused = await listed('since=2026-02-01&until=2026-01-01')
    expect([refused.status, refused.text.includes('must be earlier')]).toEqual([400, true])
    expect((await listed('cursor=forged')).status).toBe(400)
    expect((await listed(`query=${'x'.repeat(4_097)}`)).status).toBe(400)
  })

  it('exports a Mind as the API does, page after page', async () => {
    const { owner, mind, customerId, mindId } = await makeRemembering('Ada: memory 0')
    for (let i = 1; i < 105; i += 1) await as('memory_remember', { customerId, content: `Ada: memory ${i}` })
    const { status, headers, html: file } = await owner.get(`${mind}/export`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/x-ndjson')
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${mindId}.jsonl"`)
    expect(headers.get('cache-control')).toBe('no-store')
    const contents = file
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).content)
    expect(contents).toEqual(Array.from({ length: 105 }, (_, i) => `Ada: memory ${i}`))
  })

  it('creates a Mind, and forgets one with all in it', async () => {
    const { owner, customerId } = await makeRemembering('Ada: tea')
    const created = await owner.submit('/memory/minds/create', {
      name: 'Contracts',
      description: 'Terms and dates'
    })
    expect(textOf(created.html)).toContain('The part “Contracts” was added.')
    expect(textOf(created.html)).toContain('Terms and dates')
    const { minds } = await as('memory_list_minds', { customerId })
    const mindId = stringAt(minds, 1, 'mindId')
    await owner.submit(`/memory/minds/${mindId}/remember`, { content: 'The notice period is three months.' })
    const forgotten = await owner.submit(`/memory/minds/${mindId}/forget`)
    expect(textOf(forgotten.html)).toContain('It was forgotten, with all that was in it.')
    expect(await as('memory_list_minds', { customerId })).toMatchObject({ minds: [{ name: 'Primary' }] })
    expect((await owner.get(`/memory/minds/${mindId}`)).status).toBe(404)
    expect((await owner.post('/memory/minds/create', { name: ' ' })).status).toBe(400)
  })
})

/** Where the link of that text leads, below the portal. */
function linkIn(html: string, text: string): string | undefined {
  const link = [...html.matchAll(/<a class="button plain"[^>]* href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].find(
    ([, , inside = '']) => textOf(inside).trim() === text
  )
  return link?.[1]?.replaceAll('&amp;', '&').replace(/^\/portal\/[^/]+/, '')
}
