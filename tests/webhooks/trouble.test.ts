// What one webhook, one customer or one stranger does wrong, and whom it doesn't keep from being told.

import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { fromNow, HOUR_MS, now } from '../../src/clock.ts'
import { fetchForeign } from '../../src/net/foreign-document.ts'
import { tell } from '../../src/webhooks/events.ts'
import { holdBack } from '../../src/webhooks/store.ts'
import { databases } from '../support/databases.ts'
import { at, makePartner, run } from '../support/fixture.ts'
import { listen } from '../support/listen.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { HOOKS_ENV, hook } from './hooks.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const TAKEN = { status: 200 }
const FAILS = { status: 500 }
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Until the test ends; then a look-up that nobody answered ends, too, which would keep its place. */
function answerNames() {
  const { lookup: real } = dns
  const waiting: (() => void)[] = []
  const lookup = (host: string) =>
    host.startsWith('silent')
      ? new Promise((_, reject) => waiting.push(() => reject(new Error('No answer'))))
      : Promise.resolve([{ address: '127.0.0.1', family: 4 }])
  Object.assign(dns, { lookup })
  syncBuiltinESMExports()
  return () => {
    for (const giveUp of waiting) giveUp()
    Object.assign(dns, { lookup: real })
    syncBuiltinESMExports()
  }
}

describe.each(databases)('with a webhook on %s', (kind) => {
  let test: TestService
  let receiver: Receiver
  let partnerId: string
  let webhookId = ''
  beforeAll(async () => {
    test = await openTestService(kind, HOOKS_ENV)
    test.service.webhooks.start()
  })
  beforeEach(async () => {
    receiver = await startReceiver()
    partnerId = (await makePartner(test.service)).partnerId
    return () => receiver.close()
  })
  afterAll(() => test.close())

  const act = (name: string, input: Record<string, unknown>) => run(test.service, partnerId, name, input)
  const happen = (...customerIds: string[]) =>
    test.service.database.transaction(async (tx) => {
      for (const customerId of customerIds)
        await tell(tx, partnerId, 'team_member.invited', { customerId, teamMemberId: 'tm_1' })
    })
  const one = async () => at((await act('webhook_list', {})).data, 0)
  const customersTold = () => receiver.taken.map(({ data }) => data.customerId)
  const columns = (set: { fullSince: string } | { lookAt: string }) =>
    test.service.database.transaction((tx) =>
      tx.updateTable('webhook').set(set).where('id', '=', webhookId).execute()
    )

  it.each([false, true])('what is never taken keeps nothing else (in order: %s)', async (inOrder) => {
    receiver.answerWith((_, { data }) => (data.customerId === 'cus_fine' ? TAKEN : FAILS))
    webhookId = await hook(test.service, partnerId, receiver, { inOrder })
    await happen(...Array.from({ length: 40 }, (_, nth) => `cus_${nth}`), 'cus_fine')
    await expect.poll(customersTold, { timeout: 8_000 }).toEqual(['cus_fine'])
    await act('webhook_remove', { webhookId })
  })

  it('many events of one customer keep no other’s, in order', async () => {
    receiver.answerWith(() => later(10).then(() => TAKEN))
    webhookId = await hook(test.service, partnerId, receiver, { inOrder: true })
    await happen(...Array(300).fill('cus_many'), 'cus_few')
    await expect.poll(customersTold, { timeout: 8_000 }).toContain('cus_few')
    expect(customersTold().indexOf('cus_few')).toBeLessThan(10)
    await act('webhook_remove', { webhookId })
  })

  it('many that are held back are so a part at a time', async () => {
    webhookId = await hook(test.service, partnerId, receiver, { inOrder: true })
    await columns({ lookAt: fromNow(HOUR_MS) })
    await happen(...Array(2_100).fill('cus_1'))
    const until = fromNow(HOUR_MS)
    const { database } = test.service
    const held = async () => {
      await database.transaction((tx) => holdBack(tx, webhookId, 'cus_1', until))
      const rows = await database.read.selectFrom('webhookDelivery').where('nextAttemptAt', '=', until)
      return (await rows.select('seq').execute()).length
    }
    expect([await held(), await held()]).toEqual([2_000, 2_100])
    await act('webhook_remove', { webhookId })
  })

  it('one that was changed while it answered that it is gone stays on, and the new address is told', async () => {
    const second = await startReceiver()
    let answer = () => {}
    receiver.answerWith(async () => {
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      return { status: 410 }
    })
    webhookId = await hook(test.service, partnerId, receiver)
    await happen('cus_1')
    await expect.poll(() => receiver.requests.length).toBe(1)
    second.secrets.push(...receiver.secrets)
    await act('webhook_update', { webhookId, url: second.url })
    answer()
    await expect.poll(() => second.taken.length, { timeout: 5_000 }).toBe(1)
    expect(await one()).toMatchObject({ isActive: true, url: second.url, trouble: null })
    await second.close()
  })

  it('one that was switched off and on while it was asked is told at once', async () => {
    let answer = () => {}
    receiver.answerWith(async (nth) => {
      if (nth > 0) return TAKEN
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      return FAILS
    })
    webhookId = await hook(test.service, partnerId, receiver)
    await happen('cus_1')
    await expect.poll(() => receiver.requests.length).toBe(1)
    await act('webhook_update', { webhookId, isActive: false })
    answer()
    await later(200)
    await act('webhook_update', { webhookId, isActive: true })
    await expect.poll(customersTold, { timeout: 5_000 }).toEqual(['cus_1'])
  })

  it('one that was full is told again where all that waited is gone', async () => {
    webhookId = await hook(test.service, partnerId, receiver)
    await columns({ fullSince: now() })
    await happen('cus_1')
    await expect.poll(customersTold).toEqual(['cus_1'])
    await expect.poll(one).toMatchObject({ fullSince: null })
  })

  it('an address that speaks another protocol is let go', async () => {
    const listener = await listen((socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
    })
    webhookId = await hook(test.service, partnerId, {
      ...receiver,
      url: `http://127.0.0.1:${listener.port}/`
    })
    await happen('cus_1')
    await expect.poll(one, { timeout: 5_000 }).toMatchObject({ trouble: 'It could not be reached.' })
    await act('webhook_remove', { webhookId })
    await listener.close()
  })

  it('a stranger whose name isn’t answered keeps no event', async () => {
    onTestFinished(answerNames())
    const leaving = new AbortController()
    const asked = {
      tenant: 'oauth',
      allowPrivate: true,
      timeoutMs: 60_000,
      maxBytes: 1,
      signal: leaving.signal
    }
    const gone = fetchForeign('http://silent.invalid/', asked).catch(() => undefined)
    const url = receiver.url.replace('127.0.0.1', 'hooks.invalid')
    webhookId = await hook(test.service, partnerId, { ...receiver, url })
    await happen('cus_1')
    await expect.poll(customersTold, { timeout: 5_000 }).toEqual(['cus_1'])
    leaving.abort()
    await gone
  })

  // On SQLite one writes at a time.
  it.runIf(kind === 'postgres')(
    'a transaction that tells of something keeps nothing told before',
    async () => {
      webhookId = await hook(test.service, partnerId, receiver)
      await happen('cus_1')
      let commit = () => {}
      const open = test.service.database.transaction(async (tx) => {
        await tell(tx, partnerId, 'credits.low', { customerId: 'cus_2', balance: '1' })
        await sql`select 1`.execute(tx)
        await new Promise<void>((resolve) => {
          commit = resolve
        })
      })
      await happen('cus_3')
      await expect
        .poll(customersTold, { timeout: 3_000 })
        .toContain('cus_3')
        .finally(() => commit())
      await open
    }
  )
})
