// Agents that are looked after by themselves: what is noted of one that stops answering, and what its partner is mailed.
import { rmSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { appPaths } from '../../src/catalog/paths.ts'
import { fromNow, HOUR_MS, MINUTE_MS, now } from '../../src/clock.ts'
import { SSH_FAULTS } from '../../src/instances/ssh/errors.ts'
import { changeInstanceStatus, type InstanceRow } from '../../src/instances/store.ts'
import { makeGate } from '../idempotency/gate.ts'
import { enterConsole } from '../portal/console-visitor.ts'
import { databases } from '../support/databases.ts'
import {
  type ChecksFixture,
  dueInMinutes,
  METRICS_TOKEN,
  PATIENT,
  startChecksFixture
} from './checks-fixture.ts'

describe.each(databases)('agents that are looked after, on %s', (kind) => {
  let fixture: ChecksFixture

  beforeAll(async () => {
    fixture = await startChecksFixture(kind)
  })
  afterEach(() => fixture.rest())
  afterAll(() => fixture.close())

  it('are signed in to, and nothing of it stays but when that was', async () => {
    const partner = await fixture.newPartner()
    const instance = await fixture.ready(partner)
    expect(await fixture.get(`/instances/${instance.id}`, partner)).toMatchObject({
      data: { checkedAt: null }
    })
    const seen = await fixture.lookAt(instance)
    expect(seen).toMatchObject({ checkTrouble: null, unreachableSince: null, updatedAt: instance.updatedAt })
    expect(dueInMinutes(seen)).toBeGreaterThan(53)
    expect(dueInMinutes(seen)).toBeLessThan(67)
    expect(fixture.server.service.ssh.has(instance.id)).toBe(false)
    const shown = { checkedAt: seen.checkedAt, checkTrouble: null, unreachableSince: null }
    expect(await fixture.get(`/instances/${instance.id}`, partner)).toMatchObject({ data: shown })
    expect(await fixture.get('/instances?limit=1', partner)).toMatchObject({ data: [shown] })
    expect(await fixture.mails(partner)).toEqual([])
  })

  it('are unreachable from the first of two looks in a row that failed, which is mailed once, and their return', async () => {
    const partner = await fixture.newPartner()
    const instance = await fixture.ready(partner, { name: 'Front desk' })
    await fixture.lookAt(instance)
    await fixture.sshd.stop()
    const doubtful = await fixture.lookAt(instance)
    expect(doubtful).toMatchObject({ checkTrouble: SSH_FAULTS.refused, unreachableSince: null })
    expect(dueInMinutes(doubtful)).toBeLessThanOrEqual(1)
    expect(await fixture.mails(partner)).toEqual([])

    const silent = await fixture.lookAt(instance)
    expect(silent.unreachableSince).toBe(doubtful.checkedAt)
    const told = {
      template: 'agent_unreachable',
      customerId: instance.customerId,
      instanceId: instance.id,
      serverName: 'Front desk',
      since: doubtful.checkedAt,
      why: SSH_FAULTS.refused,
      others: 0
    }
    expect(await fixture.mails(partner)).toMatchObject([told])
    await fixture.later(partner, 24 * HOUR_MS)
    await fixture.lookAt(instance)
    expect(await fixture.mails(partner)).toHaveLength(1)
    expect(await fixture.get('/instances', partner)).toMatchObject({
      data: [{ checkTrouble: SSH_FAULTS.refused, unreachableSince: doubtful.checkedAt }]
    })
    const console = await enterConsole(fixture.server, partner)
    expect((await console.get('/console')).text).toContain('The agent on Front desk stopped answering')
    expect((await console.get('/console/instances')).text).toContain('Doesn’t answer')
    const page = (await console.get(`/console/instances/${instance.id}`)).text
    expect(page).toContain('Doesn’t answer')
    expect(page).toContain(SSH_FAULTS.refused)
    const authorization = `Bearer ${METRICS_TOKEN}`
    const metrics = await fetch(`${fixture.server.url}/metrics`, { headers: { authorization } })
    expect(await metrics.text()).toContain('mindgate_agents_unreachable 1')

    await fixture.sshd.start()
    expect(await fixture.lookAt(instance)).toMatchObject({ checkTrouble: null, unreachableSince: null })
    const [, back] = await fixture.mails(partner)
    expect(back).toMatchObject({ template: 'agent_answers', instanceId: instance.id, others: 0 })
    expect(back.why).toBeUndefined()
    await fixture.later(partner, 24 * HOUR_MS)
    await fixture.lookAt(instance)
    expect(await fixture.mails(partner)).toHaveLength(2)
    expect((await console.get('/console')).text).not.toContain('stopped answering')
  })

  it('have failed once where the second look gets through', async () => {
    const partner = await fixture.newPartner()
    const instance = await fixture.ready(partner)
    await fixture.sshd.stop()
    await fixture.lookAt(instance)
    await fixture.sshd.start()
    expect(await fixture.lookAt(instance)).toMatchObject({ checkTrouble: null, unreachableSince: null })
    await fixture.sshd.stop()
    expect(await fixture.lookAt(instance)).toMatchObject({ unreachableSince: null })
    expect(await fixture.mails(partner)).toEqual([])
  })

  it('are looked at by whoever tests the connection or looks in the console, too, where they are ready', async () => {
    const partner = await fixture.newPartner()
    const instance = await fixture.ready(partner)
    const test = () => fixture.server.api('POST', `/instances/${instance.id}/test`, { key: partner.key })
    const away = { unreachableSince: now(), toldSince: now(), checkTrouble: SSH_FAULTS.refused }
    await fixture.set(away, [instance])
    expect((await test()).body).toMatchObject({ agentReady: true })
    const looked = { checkTrouble: null, unreachableSince: null, checkedAt: expect.any(String) }
    expect(await fixture.rowOf(instance)).toMatchObject(looked)
    await fixture.lookAt(instance)
    expect(await fixture.mails(partner)).toMatchObject([{ template: 'agent_answers' }])

    await fixture.set(away, [instance])
    const page = await (await enterConsole(fixture.server, partner)).get(`/instances/${instance.id}?look`)
    expect(page.text).not.toContain('stopped answering')
    expect(await fixture.rowOf(instance)).toMatchObject(looked)

    rmSync(appPaths(instance.root).marker)
    await fixture.set({ checkedAt: null }, [instance])
    expect((await test()).body).toMatchObject({ agentReady: false })
    expect(await fixture.rowOf(instance)).toMatchObject({ checkedAt: null })
  })

  it('don’t answer either where the server does, without them', async () => {
    const partner = await fixture.newPartner()
    const instance = await fixture.ready(partner)
    rmSync(appPaths(instance.root).marker)
    await fixture.lookAt(instance)
    expect((await fixture.lookAt(instance)).checkTrouble).toContain('the agent isn’t on it any more')
    expect(await fixture.mails(partner)).toMatchObject([{ why: expect.stringContaining('Deploy it again.') }])
  })

  it('are one mail however many are away at once, and one when they are back', async () => {
    const partner = await fixture.newPartner()
    const instances = await fixture.readies(4, partner)
    const [first, second] = instances
    if (!first || !second) throw new Error('none')
    await fixture.sshd.stop()
    await fixture.look(...instances)
    await fixture.lookAt(first)
    await fixture.look(...instances)
    expect(await fixture.mails(partner)).toMatchObject([{ instanceId: first.id, others: 0 }])
    await fixture.later(partner, 31 * MINUTE_MS)
    await fixture.lookAt(second)
    expect((await fixture.mails(partner)).slice(1)).toMatchObject([{ instanceId: second.id, others: 2 }])
    await fixture.look(...instances)
    await fixture.later(partner, 31 * MINUTE_MS)
    await fixture.look(...instances)
    expect(await fixture.mails(partner)).toHaveLength(2)

    await fixture.sshd.start()
    await fixture.lookAt(first)
    await fixture.look(...instances)
    expect((await fixture.mails(partner)).slice(2)).toMatchObject([
      { template: 'agent_answers', instanceId: first.id, others: 0 }
    ])
    await fixture.later(partner, 31 * MINUTE_MS)
    await fixture.lookAt(second)
    expect((await fixture.mails(partner)).slice(3)).toMatchObject([{ instanceId: second.id, others: 2 }])
  })

  it('are mailed of once in six hours where they come and go', async () => {
    const partner = await fixture.newPartner()
    const instance = await fixture.ready(partner)
    const goes = async () => {
      await fixture.sshd.stop()
      await fixture.lookAt(instance)
      await fixture.lookAt(instance)
      await fixture.sshd.start()
      await fixture.lookAt(instance)
    }
    await goes()
    expect(await fixture.mails(partner)).toHaveLength(2)
    await fixture.later(partner, 5 * HOUR_MS)
    await goes()
    expect(await fixture.mails(partner)).toHaveLength(2)
    await fixture.later(partner, 7 * HOUR_MS)
    await goes()
    expect(await fixture.mails(partner)).toHaveLength(4)
  })

  it('are looked at by one of two processes, which mail once', async () => {
    const partner = await fixture.newPartner()
    await fixture.startAnother()
    const instances = await fixture.readies(8, partner)
    const before = fixture.sshd.handshakes()
    await fixture.look(...instances)
    expect(fixture.sshd.handshakes() - before).toBe(instances.length)
    await fixture.sshd.stop()
    await fixture.look(...instances)
    await fixture.look(...instances)
    expect(await fixture.mails(partner)).toHaveLength(1)
  })

  it('are no other partner’s news', async () => {
    const other = await fixture.newPartner()
    const partner = await fixture.newPartner()
    const [mine, theirs] = [await fixture.ready(partner), await fixture.ready(other)]
    await fixture.sshd.stop()
    await fixture.look(mine, theirs)
    // As it is where a mail of theirs is still to come.
    await fixture.set({ unreachableSince: now() }, [theirs])
    await fixture.look(mine)
    expect(await fixture.rowOf(theirs)).toMatchObject({ toldSince: null, noticedAt: null })
    await fixture.look(theirs)
    expect(await fixture.mails(partner)).toMatchObject([{ instanceId: mine.id, others: 0 }])
    expect(await fixture.mails(other)).toMatchObject([{ instanceId: theirs.id, others: 0 }])
    expect(await fixture.get(`/instances/${theirs.id}`, partner)).toMatchObject({
      code: 'instance_not_found'
    })
    const { data } = await fixture.get('/instances', partner)
    expect(data).toMatchObject([{ instanceId: mine.id }])
    const { html } = await (await enterConsole(fixture.server, partner)).get('/console')
    expect([html.includes(mine.id), html.includes(theirs.id)]).toEqual([true, false])
  })

  it('are looked at a minute after a deploy has got through, and never while one is under way', async () => {
    const partner = await fixture.newPartner()
    const silent = await fixture.startSilentServer()
    const instance = await fixture.ready(partner, {
      host: '127.0.0.1',
      port: silent.port,
      checkTrouble: 'Earlier.',
      checkedAt: now()
    })
    const change = (from: InstanceRow['status'], to: InstanceRow['status']) =>
      fixture.server.service.database.transaction((tx) =>
        changeInstanceStatus(tx, instance.partnerId, instance.id, [from], to)
      )
    await fixture.set({ checkDueAt: now() }, [instance])
    await vi.waitFor(() => expect(silent.sockets.size).toBe(1), PATIENT)
    await change('cli-agent', 'deploying:cli-agent')
    const begun = await fixture.rowOf(instance)
    for (const socket of silent.sockets) socket.destroy()
    // Another one that is due comes after it.
    await fixture.lookAt(await fixture.ready(partner))
    expect(await fixture.rowOf(instance)).toEqual(begun)
    expect(begun).toMatchObject({ checkDueAt: null, checkTrouble: null, checkedAt: null, leaseOwner: null })
    await change('deploying:cli-agent', 'cli-agent')
    expect(dueInMinutes(await fixture.rowOf(instance))).toBeGreaterThan(0.5)
    await change('cli-agent', 'deploying:cli-agent')
    await change('deploying:cli-agent', 'failed:cli-agent')
    expect(await fixture.rowOf(instance)).toMatchObject({ checkDueAt: null })
  })

  it('are three of one partner at once at most, and others’ don’t wait for them', async () => {
    const silent = await fixture.startSilentServer()
    const stuck = await fixture.readies(5, fixture.server.partner, { host: '127.0.0.1', port: silent.port })
    await fixture.set({ checkDueAt: fromNow(-MINUTE_MS) }, stuck)
    await vi.waitFor(() => expect(silent.sockets.size).toBe(3), PATIENT)
    const partner = await fixture.newPartner()
    await fixture.lookAt(await fixture.ready(partner))
    expect(silent.sockets.size).toBe(3)
    await fixture.set({ checkDueAt: null }, stuck)
  })

  it('are given back by a process that ends, with nothing noted of them', async () => {
    const silent = await fixture.startSilentServer()
    const partner = await fixture.newPartner()
    const stuck = await fixture.readies(6, partner, { host: '127.0.0.1', port: silent.port })
    const endOther = await fixture.startAnother()
    const checkDueAt = now()
    await fixture.set({ checkDueAt }, stuck)
    await vi.waitFor(() => expect(silent.sockets.size).toBe(6), PATIENT)
    await endOther()
    await vi.waitFor(() => expect(silent.sockets.size).toBe(3), PATIENT)
    const rows = await Promise.all(stuck.map(fixture.rowOf))
    const givenBack = rows.filter(({ leaseOwner }) => leaseOwner === null)
    expect(givenBack).toHaveLength(3)
    for (const row of givenBack)
      expect(row).toMatchObject({ checkDueAt, checkedAt: null, checkTrouble: null })
    await fixture.set({ checkDueAt: null }, stuck)
  })

  it.runIf(kind === 'postgres')('are mailed of while another one of them is written', async () => {
    const partner = await fixture.newPartner()
    const [looked, written] = [await fixture.ready(partner), await fixture.ready(partner)]
    await fixture.sshd.stop()
    await fixture.look(looked, written)
    await fixture.set({ unreachableSince: now() }, [written])
    const [begun, over] = [makeGate(), makeGate()]
    const writing = fixture.server.service.database.transaction(async (tx) => {
      await tx.updateTable('instance').set({ updatedAt: now() }).where('id', '=', written.id).execute()
      begun.open()
      await over.opened
    })
    await begun.opened
    await fixture.lookAt(looked).finally(over.open)
    await writing
    expect(await fixture.mails(partner)).toMatchObject([{ instanceId: looked.id, others: 0 }])
    expect(await fixture.rowOf(written)).toMatchObject({ toldSince: null })
  })
})
