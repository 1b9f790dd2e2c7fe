// Support finds a server that stopped answering and mends it: the machine was set up anew, so that neither our key nor the
// agent is on it any more. Real OpenSSH, the real scripts, the stand-in agent.
import { rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { now } from '../../../src/clock.ts'
import { getInstance, type InstanceRow } from '../../../src/instances/store.ts'
import { insertPartnerUser } from '../../../src/partners/users.ts'
import { mintLink } from '../../../src/portal-access/links.ts'
import { type DeployFixture, makeServer, startDeployFixture } from '../../instances/deploy-fixture.ts'
import { CONSOLE_PASSWORD } from '../../portal/console-visitor.ts'
import { entitle, noDeployUnderWay } from '../../support/deploys.ts'
import { makePartner, run, uniqueEmail } from '../../support/fixture.ts'
import { leaveBrowser, openBrowser } from '../support/browser.ts'
import { HOSTILE } from '../support/hostile.ts'
import { inWords, setOut, type Taken, type Way } from '../support/journey.ts'

let ground: DeployFixture
let browser: Awaited<ReturnType<typeof openBrowser>>

beforeAll(async () => {
  ground = await startDeployFixture('sqlite', {
    // Nothing is looked at but what is made due, and a doubt is cleared up at once.
    checks: { everyMs: 3_600_000, againMs: 50, lookMs: 50 }
  })
  browser = await openBrowser()
})
afterAll(async () => {
  await leaveBrowser(browser)
  await ground?.close()
})

const WAYS: [Way, Taken][] = [
  [
    { width: 1280, colorScheme: 'dark', language: 'en', script: true },
    { clicks: 10, fields: 1 }
  ],
  [
    { width: 390, colorScheme: 'light', language: 'en', script: true },
    { clicks: 11, fields: 1 }
  ],
  [
    { width: 390, colorScheme: 'dark', language: 'en', script: false },
    { clicks: 12, fields: 1 }
  ]
]

it.each(WAYS.map(([way, most]) => ({ how: inWords(way), way, most })))(
  'support finds a dead server and mends it: $how',
  { timeout: 240_000 },
  async ({ way, most }) => {
    const { partnerId } = await makePartner(ground.server.service)
    const instance = await readyServer(partnerId)
    await dies(instance)
    const journey = setOut(browser, 'dead-server', way)
    const support = await journey.join()
    const { page } = support

    await support.follow(await linkForSupport(partnerId))
    await support.fill({ 'New password': CONSOLE_PASSWORD })
    await support.go('Save and sign in')
    await support.sees(page.getByRole('heading', { name: 'Needs attention' }))
    const matter = page.getByRole('link', { name: /stopped answering/ })
    // What is in a name turns nothing around but itself.
    expect(await matter.locator('bdi').textContent()).toBe(instance.name)
    await support.go(matter)
    const state = page.locator('dl.facts').first()
    await support.sees(state.getByText(/Doesn’t answer/))
    await support.sees(state.getByText(/stopped .* ago|stopped now/))

    await support.go('Look at it now')
    await support.sees(page.locator('#care .notice.bad'))
    await comesBack(instance)
    await support.go('Test the connection')
    await support.sees(state.getByText(/doesn’t accept the instance’s key/))
    const [line = ''] = /restrict ssh-ed25519 \S+/.exec(await page.locator('main').innerText()) ?? []
    ground.sshd.authorize(line)
    await support.go('Test the connection')
    await support.sees(state.getByText(/the agent isn’t on it any more/))

    await support.go('Install again')
    await support.touch(page.getByLabel('Install it again over the agent that runs there'))
    await support.go('Deploy agent')
    if (way.script) await page.locator('.notice.good').waitFor()
    else {
      await noDeployUnderWay(ground.server.service)
      await support.go('Look again')
    }
    await support.sees('agent is ready')
    await support.go('Back to the server')
    await support.sees(state.getByText(/Answers/))
    await support.menu('Dashboard')
    await support.sees('1 customer without portal access')
    expect(await page.getByText('stopped answering').count()).toBe(0)
    expect(await rowOf(instance)).toMatchObject({ unreachableSince: null, checkTrouble: null })
    await journey.end(most)
  }
)

/** Somebody whose name is as bad as names get is invited by that. */
const linkForSupport = (partnerId: string): Promise<string> =>
  ground.server.service.database.transaction(async (tx) => {
    const invited = { name: `<i>${HOSTILE.slice(30)}`, email: uniqueEmail(), role: 'support' } as const
    const { id: partnerUserId } = await insertPartnerUser(tx, partnerId, invited)
    const token = await mintLink(tx, partnerId, 'console_password', { partnerUserId })
    return `${ground.server.url}/console/set-password?token=${token}`
  })

const rowOf = ({ partnerId, id }: InstanceRow) =>
  getInstance(ground.server.service.database.read, partnerId, id)

/** With an agent on it, of a customer whose name is as bad as names get. */
async function readyServer(partnerId: string): Promise<InstanceRow> {
  const { service } = ground.server
  await entitle(service, partnerId)
  const instance = await makeServer(service, partnerId, ground.sshd, { name: `Front ${HOSTILE.slice(130)}` })
  const { id: instanceId, customerId } = instance
  const companyName = `<b>${HOSTILE.slice(30)}`
  await run(service, partnerId, 'customer_update', { customerId, companyName, firstName: '<i>Ada' })
  await run(service, partnerId, 'instance_deploy', { instanceId, businessName: 'Engines' })
  await noDeployUnderWay(service)
  return instance
}

/** Two looks in a row find nothing. */
async function dies(instance: InstanceRow): Promise<void> {
  const { service } = ground.server
  await ground.sshd.kill()
  service.ssh.end(instance.id)
  await service.database.transaction((tx) =>
    tx.updateTable('instance').set({ checkDueAt: now() }).where('id', '=', instance.id).execute()
  )
  await vi.waitUntil(async () => (await rowOf(instance)).unreachableSince !== null, { timeout: 60_000 })
}

/** Set up anew, with its host key kept: nothing of ours is on it. */
async function comesBack({ root }: InstanceRow): Promise<void> {
  rmSync(root, { recursive: true, force: true })
  truncateSync(join(ground.sshd.root, 'authorized_keys'))
  await ground.sshd.start()
}
