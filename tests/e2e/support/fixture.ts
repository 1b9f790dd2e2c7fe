// A running server with people on it: SQLite in a temporary folder, mails to a real SMTP server.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { startServer } from '../../../servers/main.ts'
import { loadConfig } from '../../../src/config.ts'
import { createLog } from '../../../src/log.ts'
import { beginSession, type NewSession } from '../../../src/portal-access/sessions.ts'
import type { Service } from '../../../src/service.ts'
import { openPostOffice, type PostOffice, refusal } from '../../mail/post-office.ts'
import { type Seeded, seed } from './seed.ts'

/** As whom a page is opened. */
export type Visitor =
  | 'nobody'
  | 'owner' // of the customer Clínica Sol
  | 'newcomer' // came in by a temporary password and must choose one
  | 'halfway' // has given the password, and a second factor has yet to follow
  | 'several' // may enter two portals and has to choose one
  | 'console'
  /** In the console, by the role that only looks. */
  | 'reader'

export interface Fixture extends Seeded {
  url: string
  service: Service
  postOffice: PostOffice
  /** Every log line so far. */
  logs: string[]
  /** Signs the browser's context in as that visitor, without the sign-in page. */
  enter(context: BrowserContext, visitor: Visitor): Promise<void>
  close(): Promise<void>
}

/** Starts the real server on a seeded database. One mailbox refuses its mails, so that there is a failed one. */
export async function openFixture(overrides: Record<string, string> = {}): Promise<Fixture> {
  const postOffice = await openPostOffice({
    onRcptTo: ({ address }, _session, callback) =>
      address.startsWith('sean@') ? callback(refusal(550, 'No such mailbox')) : callback()
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'mindgate-fixture-'))
  const logs: string[] = []
  const { url, service, stop } = await startServer(
    loadConfig({
      DATA_DIR: dataDir,
      PORT: '0',
      MAIL_URL: postOffice.url,
      LOG_LEVEL: 'info',
      CREDITS_INITIAL: '20000',
      ...overrides
    }),
    createLog('info', (line) => logs.push(line))
  )
  const seeded = await seed(service)
  const tokens = new Map<Visitor, string>()
  return {
    ...seeded,
    url,
    service,
    postOffice,
    logs,
    enter: (context, visitor) => enter({ ...seeded, url, service }, tokens, context, visitor),
    async close() {
      await stop()
      await postOffice.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
}

async function enter(
  fixture: Pick<Fixture, 'url' | 'service' | keyof Seeded>,
  /** Of those who came before: another browser doesn't make another session. */
  tokens: Map<Visitor, string>,
  context: BrowserContext,
  visitor: Visitor
): Promise<void> {
  const session = sessionOf(fixture, visitor)
  if (!session) return
  const value =
    tokens.get(visitor) ?? (await fixture.service.database.transaction((tx) => beginSession(tx, session)))
  tokens.set(visitor, value)
  await context.addCookies([
    { name: `mindgate_${session.site}`, value, url: fixture.url, httpOnly: true, sameSite: 'Lax' }
  ])
}

function sessionOf(
  { partner, reader, customer, newcomer, several }: Seeded,
  visitor: Visitor
): NewSession | undefined {
  const { partnerId, partnerUserId } = partner
  const common = { partnerId, userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chromium' }
  const owner = (customerId: string) => ({ customerId, teamMemberId: null })
  switch (visitor) {
    case 'nobody':
      return undefined
    case 'console':
      return { ...common, site: 'console', partnerUserId }
    case 'reader':
      return { ...common, site: 'console', ...reader }
    case 'owner':
      return {
        ...common,
        site: 'portal',
        identityId: customer.identityId,
        membership: owner(customer.customerId),
        mustChangePassword: false
      }
    case 'halfway':
      return {
        ...common,
        site: 'portal',
        identityId: customer.identityId,
        membership: owner(customer.customerId),
        pending: 'factor'
      }
    case 'newcomer':
      return {
        ...common,
        site: 'portal',
        identityId: newcomer.identityId,
        membership: owner(newcomer.customerId),
        mustChangePassword: true
      }
    case 'several':
      return {
        ...common,
        site: 'portal',
        identityId: several.identityId,
        membership: undefined,
        mustChangePassword: false
      }
  }
}
