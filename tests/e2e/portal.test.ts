// A customer and its agent, on one memory: the customer in a real browser, with script and without, the agent over MCP.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unmarked } from '../mcp/messages.ts'
import { at, unique } from '../support/fixture.ts'
import { faultsOf } from './support/axe.ts'
import { leaveBrowser, openBrowser } from './support/browser.ts'
import { type Fixture, openFixture } from './support/fixture.ts'

const MARKUP = '<script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'">'

/** Pages that only a form answers with, by how one gets there. */
const ANSWERS: [
  name: string,
  from: string,
  fields: Record<string, string>,
  button: string,
  heading: string
][] = [
  ['an answer', '/memory/ask', { Question: 'When does Dr. Ferrer work?' }, 'Ask', 'Answer'],
  [
    'no answer',
    '/memory/ask',
    { Question: 'Who won the chess match in Reykjavik?' },
    'Ask',
    'Ask something else'
  ],
  ['a refused memory', '/memory', { 'What to remember': ' ' }, 'Remember', 'Remember something'],
  ['a refused token', '/agents', { Name: ' ' }, 'Make token', 'Make a token'],
  ['a new token', '/agents', { Name: 'Cursor' }, 'Make token', 'Your new token'],
  ['a refused test', '/agents', { Token: 'mct_nothing' }, 'Test connection', 'Which token?']
]

let fixture: Fixture
let browser: Browser
beforeAll(async () => {
  fixture = await openFixture()
  browser = await openBrowser()
})
afterAll(async () => {
  await leaveBrowser(browser)
  await fixture?.close()
})

describe('pages that a form answers with', () => {
  let page: Page

  beforeAll(async () => {
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    await fixture.enter(context, 'owner')
    page = await context.newPage()
    page.setDefaultTimeout(20_000)
  })
  afterAll(() => page.context().close())

  it.each(ANSWERS)('are accessible in light and dark: %s', async (_, from, fields, button, heading) => {
    await page.goto(`${fixture.url}/portal/${fixture.partner.slug}${from}`)
    for (const [label, value] of Object.entries(fields)) {
      // A password field has no role.
      const field = label === 'Token' ? page.locator('[name=token]') : page.getByLabel(label, { exact: true })
      await field.fill(value)
    }
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    expect(await faultsOf(page)).toEqual([])
  })

  it('are accessible in light and dark: what a test found, and a question before forgetting, and undoing it', async () => {
    await page.goto(`${fixture.url}/portal/${fixture.partner.slug}/agents`)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Tested')
    await page.getByRole('button', { name: 'Make token', exact: true }).click()
    await page.getByRole('button', { name: 'Test connection', exact: true }).click()
    await page.getByRole('heading', { name: 'The connection works' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.goto(`${fixture.url}/portal/${fixture.partner.slug}/memory`)
    await page
      .getByRole('button', { name: /^Forget: / })
      .first()
      .click()
    await page.getByRole('dialog').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Forget it', exact: true }).click()
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('It is remembered again.').waitFor()
  })
})

describe.each([
  { how: 'with script', javaScriptEnabled: true },
  { how: 'without script', javaScriptEnabled: false }
])('a customer’s portal $how', ({ javaScriptEnabled }) => {
  let page: Page

  beforeAll(async () => {
    const context = await browser.newContext({ javaScriptEnabled, acceptDownloads: true })
    await fixture.enter(context, 'owner')
    page = await context.newPage()
    page.setDefaultTimeout(20_000)
  })
  afterAll(() => page.context().close())

  const open = (path: string) => page.goto(`${fixture.url}/portal/${fixture.partner.slug}${path}`)
  const mind = () => `/memory/minds/${fixture.customer.mindId}`

  /** Fills the fields in by their labels and presses the button. */
  const send = async (fields: Record<string, string>, button: string) => {
    for (const [label, value] of Object.entries(fields)) {
      await page.getByLabel(label, { exact: true }).fill(value)
    }
    await page.getByRole('button', { name: button, exact: true }).click()
  }
  const confirm = async (question: string, answer: string) => {
    await page.getByRole('button', { name: question }).click()
    await page.getByRole('dialog').getByRole('button', { name: answer, exact: true }).click()
  }

  /** Makes a token as the customer does, and connects an agent with it. */
  async function connectAgent(name: string): Promise<Client> {
    await open('/agents')
    await send({ Name: name }, 'Make token')
    const token = await page.getByRole('region', { name: 'Token', exact: true }).locator('code').innerText()
    const agent = new Client({ name: 'agent', version: '1.0.0' })
    const requestInit = { headers: { Authorization: `Bearer ${token}` } }
    await agent.connect(new StreamableHTTPClientTransport(new URL(`${fixture.url}/api/mcp`), { requestInit }))
    return agent
  }
  async function recalled(agent: Client): Promise<unknown[]> {
    const answer = await agent.callTool({ name: 'internal_memory_recall', arguments: {} })
    const messages = at(unmarked(at(answer, 'structuredContent')), 'messages')
    return Array.isArray(messages) ? messages.map((message) => at(message, 'content')) : []
  }

  it('shows what an agent remembered, finds it, and forgets it for the agent too', async () => {
    const agent = await connectAgent('Reception')
    const word = unique('quetzal')
    const content = `Lucía: The alarm code word is ${word}.`
    await agent.callTool({ name: 'internal_memory_remember', arguments: { content } })

    await open(mind())
    await page.getByRole('table', { name: 'Newest memories' }).getByText(content).first().waitFor()

    await open('/memory/ask')
    await send({ Question: 'What is the alarm code word?' }, 'Ask')
    await page.getByRole('table', { name: 'Passages' }).getByText(word).waitFor()

    await open(mind())
    const row = page.getByRole('row').filter({ hasText: word })
    await row.getByRole('button', { name: /^Forget/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(word).waitFor()
    await dialog.getByRole('button', { name: 'Forget it', exact: true }).click()
    await page.getByText('The memory was forgotten.').waitFor()
    expect(await page.getByText(word).count()).toBe(0)
    expect(await recalled(agent)).not.toContain(content)
    if (javaScriptEnabled) expect(page.url()).toMatch(new RegExp(`${mind()}$`))
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('It is remembered again.').waitFor()
    expect(await recalled(agent)).toContain(content)
    await agent.close()
  })

  it('loads the page anew after a memory was forgotten, and not the form', async () => {
    await open(mind())
    const word = unique('passing')
    await send({ 'What to remember': `Lucía: ${word}.` }, 'Remember')
    const row = page.getByRole('row').filter({ hasText: word })
    await row.getByRole('button', { name: /^Forget/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Forget it', exact: true }).click()
    await page.getByText('The memory was forgotten.').waitFor()
    if (!javaScriptEnabled) return
    await page.reload()
    await page.getByRole('heading', { name: 'Newest memories' }).waitFor()
    expect(await page.getByText('The memory was forgotten.').count()).toBe(0)
  })

  it('tells an agent what the customer wrote', async () => {
    const agent = await connectAgent('Night shift')
    await open(mind())
    const content = `Lucía: ${unique('The lift code is ')}.`
    await send({ 'What to remember': content }, 'Remember')
    await page.getByText(/^Remembered\./).waitFor()
    expect(await recalled(agent)).toContain(content)
    await agent.close()
  })

  it('tests a token that was just made by really connecting', async () => {
    const agent = await connectAgent('Tested')
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByRole('heading', { name: 'The connection works' }).waitFor()
    await page.getByText('internal_memory_recall').waitFor()
    await agent.close()
  })

  it('shuts an agent out whose token is revoked', async () => {
    const agent = await connectAgent('Former')
    expect((await agent.listTools()).tools).toHaveLength(6)
    await open('/agents')
    await confirm('Revoke: Revoke the token “Former”?', 'Revoke')
    await page.getByText('The token was revoked.').waitFor()
    await expect(agent.callTool({ name: 'internal_memory_recall', arguments: {} })).rejects.toThrow(
      /401|revoked/i
    )
    await agent.close()
  })

  it('shows markup as text, and runs none of it', async () => {
    const agent = await connectAgent('Hostile')
    await agent.callTool({ name: 'internal_memory_remember', arguments: { content: `Ada: ${MARKUP}` } })
    await open(mind())
    await page.getByRole('table', { name: 'Newest memories' }).getByText(MARKUP).first().waitFor()
    expect(await page.title()).not.toBe('owned')
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    await agent.close()
  })

  it('hands a Mind out as a file', async () => {
    await open(mind())
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe(`${fixture.customer.mindId}.jsonl`)
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk)
    const lines = Buffer.concat(chunks).toString('utf8').trimEnd().split('\n')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ content: expect.stringContaining('Lucía Álvarez') })
  })

  it('creates a Mind, and forgets it after one question', async () => {
    await open('/memory/minds')
    const name = unique('Contracts ')
    await send({ Name: name }, 'Add part')
    await page.getByText(`The part “${name}” was added.`).waitFor()
    await confirm(`Forget all of it: Forget all of “${name}”?`, 'Forget all of it')
    await page.getByText('It was forgotten').waitFor()
    expect(await page.getByRole('table', { name: 'Parts of the memory' }).getByText(name).count()).toBe(0)
  })
})
