// What partners do with registered servers: list, look at, try out.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InstanceStatus } from '../../schemas/app.ts'
import { appPaths } from '../../src/catalog/paths.ts'
import {
  changeInstanceStatus,
  findInstance,
  type InstanceRow,
  listCustomerInstances
} from '../../src/instances/store.ts'
import { databases } from '../support/databases.ts'
import { makePartner, run, stringAt, unique, uniqueEmail } from '../support/fixture.ts'
import { HOST_KEY, makeInstance } from '../support/instances.ts'
import { type Sshd, startSshd } from '../support/openssh.ts'
import { openTestService, type TestService } from '../support/service.ts'

let sshd: Sshd

beforeAll(async () => {
  sshd = await startSshd()
})
afterAll(() => sshd.remove())

const UNCHECKED = {
  ...{ checkedAt: null, checkTrouble: null, unreachableSince: null },
  ...{ failedAt: null, failedStep: null }
}

describe.each(databases)('servers on %s', (kind) => {
  let test: TestService
  let partnerId: string

  beforeAll(async () => {
    test = await openTestService(kind)
    ;({ partnerId } = await makePartner(test.service))
  })
  afterAll(() => test.close())

  const act = (name: string, input: Record<string, unknown>, service = test.service) =>
    run(service, partnerId, name, input)
  const makeCustomer = async (companyName = unique('Company ')): Promise<string> => {
    const created = await act('customer_create', { email: uniqueEmail(), companyName })
    return stringAt(created, 'data', 'id')
  }
  const make = async (columns: Partial<InstanceRow> = {}): Promise<InstanceRow> =>
    makeInstance(test.service, partnerId, columns.customerId ?? (await makeCustomer()), columns)

  describe('a list', () => {
    it('has the newest first, with whose each is and nothing secret', async () => {
      const { partnerId: other } = await makePartner(test.service)
      const created = await run(test.service, other, 'customer_create', {
        email: uniqueEmail(),
        companyName: 'Sol'
      })
      const customerId = stringAt(created, 'data', 'id')
      const older = await makeInstance(test.service, other, customerId, {
        createdAt: '2026-01-01T00:00:00.000Z'
      })
      const newer = await makeInstance(test.service, other, customerId, {
        createdAt: '2026-01-02T00:00:00.000Z',
        status: 'cli-agent',
        agentName: 'Sol'
      })
      await make()
      expect(await run(test.service, other, 'instance_list', {})).toEqual({
        data: [newer, older].map((instance) => ({
          instanceId: instance.id,
          customerId,
          customerName: 'Sol',
          name: 'Front desk',
          host: '127.0.0.1',
          port: 1,
          status: instance.status,
          agentName: instance.agentName,
          ...UNCHECKED,
          createdAt: instance.createdAt
        })),
        pagination: expect.objectContaining({ totalCount: 2, totalPages: 1 })
      })
    })

    it('is of one customer where that is asked for, by id or short code, a page at a time', async () => {
      const customerId = await makeCustomer()
      await make()
      const mine = new Set([(await make({ customerId })).id, (await make({ customerId })).id])
      const code = stringAt(await act('customer_get', { customerId }), 'data', 'customerId')
      const seen = new Set<string>()
      for (const page of [1, 2]) {
        const listed = await act('instance_list', { customerId: code, limit: 1, page })
        expect(listed).toMatchObject({ pagination: { totalCount: 2, totalPages: 2 } })
        seen.add(stringAt(listed, 'data', 0, 'instanceId'))
      }
      expect(seen).toEqual(mine)
      await expect(act('instance_list', { customerId: 'cus_none' })).rejects.toMatchObject({
        code: 'customer_not_found'
      })
    })

    it('of a customer’s own is in the order of registration, for the portal', async () => {
      const customerId = await makeCustomer()
      const second = await make({ customerId, createdAt: '2026-01-02T00:00:00.000Z' })
      const first = await make({ customerId, createdAt: '2026-01-01T00:00:00.000Z' })
      const listed = await listCustomerInstances(test.service.database.read, partnerId, customerId)
      expect(listed.map(({ id }) => id)).toEqual([first.id, second.id])
      expect(await listCustomerInstances(test.service.database.read, 'ptr_other', customerId)).toEqual([])
    })
  })

  it('shows one with its keys, the private one left out', async () => {
    const instance = await make()
    const { id, customerId, privateKeySealed, ...rest } = instance
    const { name, host, port, username, root, status, hostKey, publicKey, createdAt, updatedAt } = rest
    const place = { name, host, port, username, root, status, hostKey, publicKey, createdAt, updatedAt }
    const got = await act('instance_get', { instanceId: id })
    const agent = {
      agentName: null,
      model: null,
      settings: {},
      lastTrouble: null,
      jump: null,
      jumpHostKey: null,
      ...UNCHECKED
    }
    expect(got).toEqual({ data: { instanceId: id, customerId, ...place, ...agent } })
    expect(JSON.stringify(got)).not.toContain(privateKeySealed)
  })

  it('answers another partner’s server as one that isn’t there, whatever is asked', async () => {
    const { partnerId: other } = await makePartner(test.service)
    const theirs = await makeInstance(
      test.service,
      other,
      stringAt(await run(test.service, other, 'customer_create', { email: uniqueEmail() }), 'data', 'id')
    )
    for (const name of ['instance_get', 'instance_test', 'instance_remove']) {
      for (const instanceId of [theirs.id, 'ins_none']) {
        await expect(act(name, { instanceId })).rejects.toMatchObject({ code: 'instance_not_found' })
      }
    }
    const moved = await test.service.database.transaction((tx) =>
      changeInstanceStatus(tx, partnerId, theirs.id, ['registered'], 'cli-agent')
    )
    expect(moved).toBe(false)
    expect(await findInstance(test.service.database.read, other, theirs.id)).toEqual(theirs)
  })

  describe('a try', () => {
    const onSshd = (columns: Partial<InstanceRow> = {}) =>
      make({
        host: sshd.host,
        port: sshd.port,
        username: sshd.username,
        hostKey: sshd.hostKey,
        root: join(sshd.root, unique('sandbox')),
        ...columns
      })
    const tried = ({ id }: InstanceRow) => act('instance_test', { instanceId: id })

    it('says that our key is not let in, then that it is, then that the agent is ready', async () => {
      const instance = await onSshd()
      expect(await tried(instance)).toEqual({
        reachable: false,
        fault: 'authentication_failed',
        message: expect.stringContaining('authorized_keys'),
        agentReady: false
      })

      // As the console tells to write it.
      sshd.authorize(`restrict ${instance.publicKey}`)
      expect(await tried(instance)).toEqual({
        reachable: true,
        fault: null,
        message: 'The server can be reached. No agent is deployed there yet.',
        agentReady: false
      })

      const { marker, stateDir } = appPaths(instance.root)
      mkdirSync(dirname(marker), { recursive: true })
      writeFileSync(marker, '')
      writeFileSync(`${stateDir}/instance`, `${instance.id} ${instance.customerId}\n`)
      expect(await tried(instance)).toMatchObject({ reachable: true, agentReady: true })
      rmSync(instance.root, { recursive: true })
    })

    it('says that another host key is shown than the one pinned', async () => {
      const instance = await onSshd({ hostKey: HOST_KEY })
      expect(await tried(instance)).toMatchObject({
        reachable: false,
        fault: 'host_key_mismatch',
        message: expect.stringContaining('another host key')
      })
    })

    it('says that nobody listens', async () => {
      expect(await tried(await make())).toMatchObject({
        reachable: false,
        fault: 'refused',
        message: expect.stringContaining('refuses connections')
      })
    })

    it('says that the account runs no commands', async () => {
      const instance = await onSshd()
      sshd.authorize(`command="exit 3" ${instance.publicKey}`)
      expect(await tried(instance)).toMatchObject({ reachable: false, agentReady: false })
    })
  })

  it('change their status only from one that is expected', async () => {
    const instance = await make()
    const change = (from: readonly InstanceStatus[], to: InstanceStatus, also = {}) =>
      test.service.database.transaction((tx) =>
        changeInstanceStatus(tx, partnerId, instance.id, from, to, also)
      )
    expect(await change(['cli-agent'], 'failed:cli-agent')).toBe(false)
    const two = await Promise.all([
      change(['registered'], 'deploying:cli-agent'),
      change(['registered'], 'deploying:cli-agent')
    ])
    expect(two.toSorted()).toEqual([false, true])
    expect(await change(['deploying:cli-agent'], 'cli-agent', { agentName: 'Sol', model: 'auto' })).toBe(true)
    expect(await findInstance(test.service.database.read, partnerId, instance.id)).toMatchObject({
      status: 'cli-agent',
      agentName: 'Sol',
      model: 'auto'
    })
  })
})
