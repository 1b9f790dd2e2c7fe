// An operator’s first hour: from the commands of the README to the first customer, whose calls are charged. The built
// command and its service are processes, as they are for an operator.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startVapi } from '../../calls/providers/vapi.ts'
import { HOUR, MINUTE, type WorldCall } from '../../calls/providers/world.ts'
import { openPostOffice, type PostOffice } from '../../mail/post-office.ts'
import {
  type Ended,
  type Environment,
  environmentAt,
  mindgateProcess,
  type RunningService,
  startService
} from '../../support/cli.ts'
import { PROVIDER_KEY } from '../../voice-agents/stand-in.ts'
import { leaveBrowser, openBrowser } from '../support/browser.ts'
import { inWords, setOut, type Way } from '../support/journey.ts'
import { nextMail, PASSWORD } from '../walk-fixture.ts'

const AGENT = { id: randomUUID(), name: 'Front desk' }

let dataDir: string
let postOffice: PostOffice
let provider: Awaited<ReturnType<typeof startVapi>>
let service: RunningService
let env: Environment
let browser: Browser

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'mindgate-first-hour-'))
  postOffice = await openPostOffice()
  provider = await startVapi({
    ...{ seed: 1, clock: Date.now, agents: { a: [AGENT], b: [] } },
    calls: { a: [callEnded(3 * HOUR), callEnded(5 * HOUR)], b: [] }
  })
  env = environmentAt(
    { dataDir, databaseUrl: undefined, remove: async () => undefined },
    { MAIL_URL: postOffice.url, PROVIDER_A_URL: provider.url }
  )
  service = await startService(env)
  env = { ...env, PORT: new URL(service.url).port }
  browser = await openBrowser()
})
afterAll(async () => {
  await leaveBrowser(browser)
  await service?.stop()
  await Promise.all([postOffice.close(), provider.close()])
  rmSync(dataDir, { recursive: true, force: true })
})

function callEnded(agoMs: number): WorldCall {
  const endedAt = Date.now() - agoMs
  const createdAt = endedAt - 4 * MINUTE
  const versions: WorldCall['versions'] = [{ at: endedAt, endedAt, cost: '0.42' }]
  return { id: randomUUID(), agentId: AGENT.id, createdAt, startedAt: createdAt, versions, messageBytes: 100 }
}

const WAYS: [Way, { clicks: number; fields: number }][] = [
  [
    { width: 1280, colorScheme: 'light', language: 'en', script: true },
    { clicks: 15, fields: 10 }
  ],
  [
    { width: 390, colorScheme: 'dark', language: 'en', script: false },
    { clicks: 19, fields: 10 }
  ]
]

it.each(WAYS.map(([way, most]) => ({ how: inWords(way), way, most })))(
  'an operator’s first hour: $how',
  { timeout: 240_000 },
  async ({ way, most }) => {
    const name = `Harbour ${way.width}`
    const slug = name.toLowerCase().replace(' ', '-')
    const journey = setOut(browser, 'first-hour', way)
    const created = await mindgate('partner', 'create', '--name', name, '--email', `ops@${slug}.example`)
    const [, link = ''] = /Set password +(http\S+)/.exec(created) ?? []

    const owner = await journey.join()
    await owner.follow(link)
    await owner.fill({ 'New password': PASSWORD })
    await owner.go('Save and sign in')
    await owner.sees('Your customers will be here')

    await owner.go('Set your name, logo and colour')
    await owner.fill({ Name: 'Harbour Voice', Colour: '#0f766e', 'Support e-mail': `help@${slug}.example` })
    await owner.go('Save brand')
    await owner.sees('The brand was changed.')

    await owner.menu('Providers')
    const vapi = owner.page.locator('section.card', { hasText: 'Vapi' })
    await owner.fill({ Key: PROVIDER_KEY }, vapi)
    await owner.go(vapi.getByRole('button', { name: 'Set key' }))
    await owner.go(vapi.getByRole('button', { name: 'Test key' }))
    await owner.sees(vapi.getByText('Works', { exact: true }))

    await owner.menu('Dashboard')
    await owner.go('Onboard your first customer')
    const email = `ada@${slug}.example`
    await owner.fill({ 'E-mail': email, 'First name': 'Ada', 'Last name': 'Byron', Company: 'Engines' })
    await owner.go('Onboard customer')
    await owner.sees(owner.page.getByRole('heading', { level: 1, name: 'Engines' }))
    expect(await nextMail(postOffice, email)).toMatchObject({ from: { name: 'Harbour Voice' } })

    // Its calls are read by themselves; nobody waits for that who asks, unless that is at this moment.
    const sync = () => mindgateProcess(env, ['usage', 'sync', '--partner', slug])
    let synced = await sync()
    while (synced.stderr.includes('being read already')) synced = await sync()
    expect(synced).toMatchObject({ code: 0, stderr: '' })
    await owner.menu('Dashboard')
    await owner.sees(owner.page.getByRole('heading', { name: 'Needs attention' }))
    await owner.go('2 calls that no customer is charged for')
    await owner.go('Assign')
    await owner.go('Engines')
    await owner.fill({ Multiplier: '1.5' })
    await owner.go('Map agent')
    // Calls of the past are charged in the background.
    await owner.menu('Dashboard')
    await owner.comesToSee('All is well')
    await mindgate('doctor')
    await journey.end(most)
  }
)

async function mindgate(...args: string[]): Promise<string> {
  const { code, stdout, stderr }: Ended = await mindgateProcess(env, args)
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}
