// A process that takes one of everything that can be held, for long, and then waits to be killed. Configured by the
// environment like the service.
import { beginSync } from '../../src/calls/sync-store.ts'
import { fromNow, now } from '../../src/clock.ts'
import { loadConfig } from '../../src/config.ts'
import { reserve } from '../../src/credits/reservations.ts'
import { claimFor, claimKey, withLease } from '../../src/idempotency/idempotency.ts'
import { claimExchange } from '../../src/instances/chat/store.ts'
import { takeDue } from '../../src/jobs/leases.ts'
import { newOwner } from '../../src/jobs/owner.ts'
import { createLog } from '../../src/log.ts'
import { openHoncho } from '../../src/memory/honcho/api.ts'
import { putInLine, startRemovals } from '../../src/memory/honcho/removals.ts'
import { openService } from '../../src/service.ts'
import { writeEvent } from '../../src/webhooks/events.ts'
import { makePayer, payingIn } from '../credits/payers.ts'
import { writeLetter } from '../mail/letters.ts'
import { tellMind } from '../memory/told-mind.ts'
import { makeInstance } from '../support/instances.ts'
import { makeWebhookRow } from '../support/webhooks.ts'

const LONG_MS = 3_600_000

const service = await openService(loadConfig(process.env), createLog('silent'))
const { config, database, deploys, log, secrets } = service
const payer = await makePayer(service, { credits: 10 })
const { partnerId, customer } = payer
const lease = { owner: newOwner() }
const { mindKey } = await tellMind(service, ['Dana lives in Rome.'])
const instance = await makeInstance(service, partnerId, customer.id)

await database.transaction(async (tx) => {
  const priced = {
    operation: 'memory_ask',
    priceMicros: 1_000_000,
    mindId: 'mind_1',
    expiresAt: fromNow(LONG_MS)
  }
  await reserve(payingIn(service), tx, payer, priced)
  await claimExchange(tx, instance, { key: 'key', message: 'hello', model: 'auto', timeoutMs: LONG_MS })
  const claim = claimFor(partnerId, 'test_outside', 'key', {})
  await claimKey(tx, withLease(claim, { deadlineMs: LONG_MS, busyDeadlineMs: 0 }))
  const wanted = { instance, businessName: 'Acme', telegram: undefined, memoryScopes: [] }
  await deploys.enqueue(tx, wanted)
  await takeDue(tx, database.kind, { table: 'deploy', leaseMs: LONG_MS }, lease)
  await tx
    .insertInto('mindJob')
    .values({
      ...{ kind: 'embed', mindKey, watermark: 0, waiting: 1, waitingSince: now(), dueAt: now(), attempts: 0 },
      ...{ refusals: 0, failures: 0, isUnsure: 0 }
    })
    .execute()
  await takeDue(tx, database.kind, { table: 'mindJob', leaseMs: LONG_MS }, lease)
  await beginSync(tx, { partnerId, provider: 'a' })
  await takeDue(tx, database.kind, { table: 'usageSync', leaseMs: LONG_MS }, lease)
  await tx.updateTable('instance').set({ checkDueAt: now() }).where('id', '=', instance.id).execute()
  await takeDue(tx, database.kind, { table: 'instance', leaseMs: LONG_MS }, lease)
  const webhookId = await makeWebhookRow(tx, secrets, partnerId)
  const leadsNowhere = { isActive: 1, url: 'https://127.0.0.1/' } as const
  await tx.updateTable('webhook').set(leadsNowhere).where('id', '=', webhookId).execute()
  await writeEvent(tx, partnerId, 'webhook.test', {}, webhookId)
  await takeDue(tx, database.kind, { table: 'webhook', leaseMs: LONG_MS }, lease)
})

await writeLetter(service, { partnerId, customerId: customer.id, email: customer.email })
service.outbox.start('https://mindgate.example')

if (!config.honcho.server) throw new Error('There is no Honcho configured')
const honcho = openHoncho(config.honcho.server)
const place = { serverUrl: honcho.url, workspaceId: 'mind_1', sessionId: '' }
await database.transaction((tx) => putInLine(tx, place, 0))
void startRemovals({ database, log, honcho }).drain()
setInterval(() => undefined, 1_000)
