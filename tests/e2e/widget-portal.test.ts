// A customer in the portal and the agent on its server: the real page, the real route, real OpenSSH, the stand-in agent.
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChatFixture, type Sandbox, startChatFixture } from '../instances/chat-fixture.ts'
import { repliesOf } from './support/acts.ts'
import { axeViolations } from './support/axe.ts'
import { leaveBrowser, openBrowser } from './support/browser.ts'
import { complaintsOf } from './support/watch.ts'

let fixture: ChatFixture
let browser: Browser
beforeAll(async () => {
  fixture = await startChatFixture('sqlite')
  browser = await openBrowser()
})
afterAll(async () => {
  await leaveBrowser(browser)
  await fixture?.close()
})

async function open({ chat }: Sandbox): Promise<Page> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 800 }
  })
  const [name = '', value = ''] = chat.cookie.split('=')
  await context.addCookies([{ name, value, url: fixture.server.url, httpOnly: true, sameSite: 'Lax' }])
  const page = await context.newPage()
  page.setDefaultTimeout(40_000)
  return page
}

const portal = () => `${fixture.server.url}/portal/${fixture.server.partner.slug}`

async function say(page: Page, message: string): Promise<void> {
  await page.getByRole('textbox').fill(message)
  await page.getByRole('textbox').press('Enter')
}

describe('a customer in the portal', () => {
  it('chats with the agent, which remembers, and finds the conversation again', async () => {
    const sandbox = await fixture.sandbox({ agentName: 'Sol' })
    const page = await open(sandbox)
    const complaints = complaintsOf(page)
    await page.goto(portal())
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await page.getByRole('heading', { name: 'Sol', level: 1 }).waitFor()
    const replies = repliesOf(page)
    await say(page, 'My name is Lucía.')
    await replies.nth(0).waitFor()
    await say(page, 'What did I tell you?')
    await replies.nth(1).waitFor()
    expect(await replies.nth(1).textContent()).toContain('My name is Lucía.')
    const said = await replies.allTextContents()
    expect(await axeViolations(page)).toEqual([])
    await page.reload()
    await replies.nth(1).waitFor()
    expect(await replies.allTextContents()).toEqual(said)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('begins a new conversation, of which the agent knows nothing else, and reads the one before', async () => {
    const sandbox = await fixture.sandbox({ agentName: 'Sol' })
    const page = await open(sandbox)
    const complaints = complaintsOf(page)
    await page.goto(`${portal()}/chat`)
    const replies = repliesOf(page)
    await say(page, 'My name is Lucía.')
    await replies.nth(0).waitFor()
    await page.getByRole('button', { name: 'New conversation' }).click()
    await page.getByText('Start a conversation with Sol').waitFor()
    await say(page, 'What did I tell you?')
    await replies.nth(0).waitFor()
    expect(await replies.nth(0).textContent()).not.toContain('Lucía')
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Earlier conversations' }).click()
    await page.getByRole('button', { name: /^My name is Lucía/ }).click()
    await page.getByRole('log').getByText('My name is Lucía.', { exact: true }).waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Back to the current conversation' }).click()
    await page.getByRole('log').getByText('What did I tell you?', { exact: true }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('sends the agent a file, and downloads what it wrote', async () => {
    const sandbox = await fixture.sandbox({ agentName: 'Sol' })
    const page = await open(sandbox)
    const complaints = complaintsOf(page)
    await page.goto(`${portal()}/chat`)
    const attach = page.getByLabel('Attach files')
    await attach.setInputFiles({
      name: 'Oferta nº 1.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.alloc(3_000_000)
    })
    await page.getByText('The files are there').waitFor({ state: 'attached' })
    await say(page, 'Sol reads files and writes a file')
    await page.getByRole('log').getByText('3000000 bytes').waitFor()
    await page.getByRole('log').getByText('Oferta nº 1.pdf', { exact: true }).waitFor()
    const link = page.getByRole('link', { name: /^report\.txt/ })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect(download.suggestedFilename()).toBe('report.txt')
    expect(readFileSync(await download.path(), 'utf8')).toContain('A report on: Sol reads files')
    expect(await axeViolations(page)).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('stops a message, and reads of an agent that fails', async () => {
    const sandbox = await fixture.sandbox({ agentName: 'Sol' })
    const page = await open(sandbox)
    sandbox.fault('hang')
    await page.goto(`${portal()}/chat`)
    await say(page, 'Count to infinity')
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('log').getByText('Stopped', { exact: true }).waitFor()
    sandbox.fault('exit 3')
    await say(page, 'Count to three')
    await page.getByRole('log').getByText('Sol couldn’t answer').waitFor()
    sandbox.fault()
    await page.getByRole('button', { name: 'Try again' }).click()
    await repliesOf(page).waitFor()
    await page.context().close()
  })
})
