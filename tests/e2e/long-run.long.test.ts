// A reply that takes three minutes, seen in a real browser through a reload and a broken line, with real OpenSSH and the
// real scripts.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ChatFixture, startChatFixture } from '../instances/chat-fixture.ts'
import { leaveBrowser, openBrowser } from './support/browser.ts'

const SECONDS_PER_WORD = 9
const MESSAGE =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen'

let ground: ChatFixture
let browser: Browser
beforeAll(async () => {
  ground = await startChatFixture('sqlite', { CHAT_TIMEOUT_MS: 55_000 })
  browser = await openBrowser()
})
afterAll(async () => {
  await leaveBrowser(browser)
  await ground?.close()
})

it('a reply of three minutes is seen as it comes, through a reload and a broken line', {
  timeout: 600_000
}, async () => {
  const sandbox = await ground.sandbox({ agentName: 'Clínica Sol' })
  sandbox.fault(`speaks ${SECONDS_PER_WORD}`)
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const [name = '', value = ''] = sandbox.chat.cookie.split('=')
  await context.addCookies([{ name, value, url: ground.server.url, httpOnly: true, sameSite: 'Lax' }])
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(`${ground.server.url}/portal/${ground.server.partner.slug}`)
  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  const log = page.getByRole('log')
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1_000
  await page.getByRole('textbox').fill(MESSAGE)
  await page.getByRole('textbox').press('Enter')
  await log.getByText('You said: one').waitFor()
  expect(seconds()).toBeLessThan(55)
  await log.getByText('You said: one two three four five six').waitFor({ timeout: 120_000 })
  // By now the route has answered 504 to who asked.
  expect(seconds()).toBeGreaterThan(55)
  await page.reload()
  await log.getByText('You said: one two three four five six').waitFor()
  await page.getByRole('button', { name: 'Stop' }).waitFor()
  await context.setOffline(true)
  await new Promise((resolve) => setTimeout(resolve, 2 * SECONDS_PER_WORD * 1_000))
  await context.setOffline(false)
  await log.getByText(`You said: ${MESSAGE}`).waitFor({ timeout: 240_000 })
  await log.getByText('Turn 1.').waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' })
  expect(seconds()).toBeGreaterThan(180)
})
