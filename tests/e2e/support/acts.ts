// What people do in a browser.
import type { Browser, Locator, Page } from 'playwright-core'

/** A page of somebody who has not been here before. */
export async function newVisitor(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(20_000)
  return page
}

/** Fills in the fields by their labels and presses the button. */
export async function submit(page: Page, fields: Record<string, string>, button: string): Promise<void> {
  for (const [label, value] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(value)
  await press(page, button)
}

export async function press(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click()
}

/** Presses a button that asks first, and says yes. */
export async function confirm(page: Page, button: string | RegExp, yes: string): Promise<void> {
  await page.getByRole('button', { name: button }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: yes, exact: true }).click()
}

/** Waits until the page has that heading. */
export async function arrivedAt(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
}

/** A device that keeps passkeys and asks nobody. */
export async function giveAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true
    }
  })
}

/** The replies of a chat that are whole: one still being written is in the log, too, and while it is nothing new is sent. */
export const repliesOf = (page: Page): Locator => page.getByRole('log').locator('.reply:has(.after) .prose')
