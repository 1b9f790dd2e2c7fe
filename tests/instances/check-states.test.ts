// How the console tells what the looks at an agent found, wherever its server is shown.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { fromNow, HOUR_MS, MINUTE_MS } from '../../src/clock.ts'
import { SSH_FAULTS } from '../../src/instances/ssh/errors.ts'
import type { InstanceRow } from '../../src/instances/store.ts'
import { type ConsoleBrowser, enterConsole } from '../portal/console-visitor.ts'
import { databases } from '../support/databases.ts'
import type { TestPartner } from '../support/fixture.ts'
import { type ChecksFixture, startChecksFixture } from './checks-fixture.ts'

describe.each(databases)('a server in the console, on %s', (kind) => {
  let fixture: ChecksFixture
  let partner: TestPartner
  let console: ConsoleBrowser

  beforeAll(async () => {
    fixture = await startChecksFixture(kind)
    partner = await fixture.newPartner()
    console = await enterConsole(fixture.server, partner)
  })
  afterEach(() => fixture.rest())
  afterAll(() => fixture.close())

  const said = async (path: string) => (await console.get(path)).text
  const pagesOf = ({ id, customerId }: InstanceRow) => [
    '/instances',
    `/instances/${id}`,
    `/customers/${customerId}`
  ]
  const SILENT = '/instances?trouble=unreachableSince'

  it('didn’t answer once, then doesn’t answer, with since when and why, and answers again', async () => {
    const instance = await fixture.ready(partner, { name: 'Front desk' })
    await fixture.lookAt(instance)
    for (const page of pagesOf(instance)) expect(await said(page)).toContain('Answers checked now')

    await fixture.sshd.stop()
    await fixture.lookAt(instance)
    for (const page of pagesOf(instance))
      expect(await said(page)).toContain(`Didn’t answer tried once, now ${SSH_FAULTS.refused}`)
    expect(await said('')).not.toContain('stopped answering')

    await fixture.lookAt(instance)
    await fixture.set({ unreachableSince: fromNow(-2 * HOUR_MS) }, [instance])
    for (const page of [...pagesOf(instance), SILENT])
      expect(await said(page)).toContain(
        `Doesn’t answer stopped 2 hours ago , tried now ${SSH_FAULTS.refused}`
      )
    const matter = `The agent on Front desk stopped answering. ${SSH_FAULTS.refused} Doesn’t answer 2 hours ago`
    expect(await said('')).toContain(matter)

    await fixture.sshd.start()
    await fixture.lookAt(instance)
    for (const page of pagesOf(instance)) expect(await said(page)).toContain('Answers checked now')
    expect(await said('')).not.toContain('stopped answering')
    expect(await said(SILENT)).toContain('No server in that state')
  })

  it('is unchecked where nobody has looked for an hour, or ever', async () => {
    const instance = await fixture.ready(partner)
    const page = `/instances/${instance.id}`
    expect(await said(page)).toContain('Not checked yet')
    await fixture.set({ checkedAt: fromNow(-59 * MINUTE_MS) }, [instance])
    expect(await said(page)).toContain('Answers checked 59 minutes ago')
    await fixture.set({ checkedAt: fromNow(-61 * MINUTE_MS) }, [instance])
    expect(await said(page)).toContain('Not checked lately answered 1 hour ago')
  })

  it('is no other partner’s matter', async () => {
    const theirs = await fixture.ready(await fixture.newPartner(), { name: 'Not yours' })
    await fixture.set({ unreachableSince: fromNow(-HOUR_MS), failedAt: fromNow(-HOUR_MS) }, [theirs])
    for (const page of ['', SILENT, '/instances?trouble=failedAt'])
      expect(await said(page)).not.toContain('Not yours')
  })

  it('that doesn’t answer is in the dashboard with the way to all of them', async () => {
    const others = await fixture.newPartner()
    const silent = await fixture.readies(7, others, { name: 'Desk' })
    await fixture.set({ unreachableSince: fromNow(-HOUR_MS) }, silent)
    const browser = await enterConsole(fixture.server, others)
    const dashboard = await browser.get('')
    expect(dashboard.text.match(/The agent on Desk stopped answering/g)).toHaveLength(5)
    expect(dashboard.text).toContain('and 2 more Doesn’t answer')
    expect(dashboard.html).toContain(`href="/console${SILENT}"`)
    expect((await browser.get(SILENT)).text.match(/Doesn’t answer stopped 1 hour ago/g)).toHaveLength(7)
  })
})
