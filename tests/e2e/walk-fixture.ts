// A running server whose mails arrive at a real SMTP server, and people with browsers of their own.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { Email } from 'postal-mime'
import { vi } from 'vitest'
import type { z } from 'zod'
import { startServer } from '../../servers/main.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import type { Service } from '../../src/service.ts'
import { openPostOffice, type PostOffice } from '../mail/post-office.ts'
import { answerOf, CreatedPartner, type Environment, environmentAt } from '../support/cli.ts'
import { leaveBrowser, openBrowser } from './support/browser.ts'

/** What everybody chooses for a password. */
export const PASSWORD = 'nine patient herons'

export interface Fixture {
  url: string
  service: Service
  browser: Browser
  /** Made by `mindgate partner create`. */
  partner: MadePartner
  makePartner(name: string): Promise<MadePartner>
  /** The next mail to that address that nobody has asked for yet. */
  nextMail(address: string): Promise<string>
  close(): Promise<void>
}

type MadePartner = z.output<typeof CreatedPartner>

const MAIL_WITHIN_MS = 30_000

export async function openFixture(more: Environment = {}): Promise<Fixture> {
  const postOffice = await openPostOffice()
  const dataDir = mkdtempSync(join(tmpdir(), 'mindgate-walk-'))
  const place = { dataDir, databaseUrl: undefined, remove: async () => undefined }
  const { url, service, stop } = await startServer(
    loadConfig(environmentAt(place, { MAIL_URL: postOffice.url, SIGN_IN_LIMIT: '3', ...more })),
    createLog('silent')
  )
  const env = environmentAt(place, { PORT: new URL(url).port })
  const makePartner = (name: string) =>
    answerOf(
      CreatedPartner,
      env,
      ...['partner', 'create', '--name', name, '--email', `ops@${name.toLowerCase()}.example`]
    )
  const browser = await openBrowser()
  return {
    url,
    service,
    browser,
    partner: await makePartner('Northwind'),
    makePartner,
    nextMail: async (address) => (await nextMail(postOffice, address)).text ?? '',
    async close() {
      await leaveBrowser(browser)
      await stop()
      await postOffice.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
}

/** Mails that somebody has asked for. */
const asked = new WeakSet<Email>()

/** The next mail to that address that nobody has asked for yet. */
export async function nextMail({ received }: Pick<PostOffice, 'received'>, address: string): Promise<Email> {
  const mail = await vi.waitUntil(() => received.find((it) => !asked.has(it) && isTo(it, address)), {
    timeout: MAIL_WITHIN_MS
  })
  asked.add(mail)
  return mail
}

const isTo = ({ to }: Email, address: string): boolean => to?.some((it) => it.address === address) ?? false

/** The one link of a mail. */
export function linkIn(mail: string): string {
  const [link] = mail.match(/https?:\/\/\S+token=\S+/) ?? []
  if (!link) throw new Error(`No link in ${mail}`)
  return link
}
