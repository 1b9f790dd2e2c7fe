// A process whose clock ran ahead puts off what it fails at by that clock. Set right again, it leaves nothing waiting for hours.
import { setTimeout as later } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fromNow, HOUR_MS, MINUTE_MS } from '../../src/clock.ts'
import { startRightingTimes } from '../../src/jobs/clock.ts'
import { tell } from '../../src/webhooks/events.ts'
import { databases } from '../support/databases.ts'
import { makePartner } from '../support/fixture.ts'
import { moveClock } from '../support/moved-clock.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { HOOKS_ENV, hook } from '../webhooks/hooks.ts'
import { type Receiver, startReceiver } from '../webhooks/receiver.ts'

const FAST_MS = 7 * HOUR_MS

describe.each(databases)('a clock that was fast, on %s', (kind) => {
  let test: TestService
  let receiver: Receiver
  let partnerId: string
  beforeEach(async () => {
    test = await openTestService(kind, HOOKS_ENV)
    receiver = await startReceiver()
    partnerId = (await makePartner(test.service)).partnerId
    await hook(test.service, partnerId, receiver)
  })
  afterEach(async () => {
    await receiver.close()
    await test.close()
  })

  const happen = () =>
    test.service.database.transaction((tx) =>
      tell(tx, partnerId, 'mind.forgotten', { customerId: 'cus_1', mindId: 'mind_1' })
    )

  it('leaves nothing late once it is set right, while the process runs', async () => {
    receiver.answerWith(() => ({ status: 500 }))
    test.service.start('http://localhost')
    await test.service.webhooks.drain()
    const clock = moveClock(Date.now() + FAST_MS)
    try {
      await happen()
      // It is looked at every second.
      await later(1_500)
      expect(receiver.requests.length).toBeGreaterThan(2)
      clock.set(clock.now() - FAST_MS)
      receiver.answerWith(() => ({ status: 200 }))
      await expect.poll(() => receiver.taken.length, { timeout: 20_000 }).toBe(1)
    } finally {
      clock.restore()
    }
  })

  it('is told from waits that are long', async () => {
    const { database, config, log } = test.service
    const { read, transaction } = database
    await happen()
    const put = (deliveryAt: string, webhookAt: string) =>
      transaction(async (tx) => {
        await tx.updateTable('webhookDelivery').set({ nextAttemptAt: deliveryAt }).execute()
        await tx.updateTable('webhook').set({ lookAt: webhookAt }).execute()
      })
    const times = async () => ({
      delivery: (await read.selectFrom('webhookDelivery').select('nextAttemptAt').executeTakeFirstOrThrow())
        .nextAttemptAt,
      webhook: (await read.selectFrom('webhook').select('lookAt').executeTakeFirstOrThrow()).lookAt
    })
    const look = async () => {
      const looker = startRightingTimes(database, config, log)
      await looker.settled()
      await looker.stop()
    }
    const long = { delivery: fromNow(6 * HOUR_MS), webhook: fromNow(HOUR_MS) }
    await put(long.delivery, long.webhook)
    await look()
    expect(await times()).toEqual(long)
    await put(fromNow(6 * HOUR_MS + 2 * MINUTE_MS), fromNow(HOUR_MS + 2 * MINUTE_MS))
    await look()
    expect(Object.values(await times()).every((at) => at <= fromNow(0))).toBe(true)
  })

  it('leaves what somebody holds to them', async () => {
    const { database, config, log } = test.service
    const lookAt = fromNow(FAST_MS)
    const held = { lookAt, leaseOwner: 'somebody', leaseExpiresAt: fromNow(MINUTE_MS) }
    await database.transaction((tx) => tx.updateTable('webhook').set(held).execute())
    const looker = startRightingTimes(database, config, log)
    await looker.settled()
    await looker.stop()
    const rows = await database.read.selectFrom('webhook').select(['lookAt', 'leaseOwner']).execute()
    expect(rows).toEqual([{ lookAt, leaseOwner: 'somebody' }])
  })

  // On SQLite no other process goes by another clock.
  it.runIf(kind === 'postgres')('brings nothing forward by a clock that is slow', async () => {
    const { database, config, log } = test.service
    await happen()
    const waits = fromNow(HOUR_MS)
    await database.transaction((tx) => tx.updateTable('webhook').set({ lookAt: waits }).execute())
    const clock = moveClock(Date.now() - FAST_MS)
    const looker = startRightingTimes(database, config, log)
    try {
      await looker.settled()
    } finally {
      clock.restore()
      await looker.stop()
    }
    const { lookAt } = await database.read.selectFrom('webhook').select('lookAt').executeTakeFirstOrThrow()
    expect(lookAt).toBe(waits)
  })

  it('which another process has, too, moves nothing here', async () => {
    const { database, config, log } = test.service
    await happen()
    const looker = startRightingTimes(database, config, log)
    await looker.settled()
    const at = fromNow(FAST_MS)
    await database.transaction((tx) => tx.updateTable('webhook').set({ lookAt: at }).execute())
    looker.wake()
    await looker.settled()
    await looker.stop()
    const { lookAt } = await database.read.selectFrom('webhook').select('lookAt').executeTakeFirstOrThrow()
    expect(lookAt).toBe(at)
  })
})
