// A webhook that was switched off after some trouble, with what it was told.
import { fromNow, HOUR_MS } from '../../../src/clock.ts'
import { newId } from '../../../src/ids.ts'
import type { Service } from '../../../src/service.ts'
import { run, stringAt } from '../../support/fixture.ts'

export async function seedWebhook(service: Service, partnerId: string, customerId: string): Promise<string> {
  // No name server knows it.
  const input = {
    url: 'https://hooks.invalid/mindgate',
    name: 'CRM',
    types: ['customer.created', 'customer.updated']
  }
  const webhookId = stringAt(await run(service, partnerId, 'webhook_add', input), 'webhookId')
  const trouble = 'It answered 503.'
  const log = [
    { type: 'customer.created', status: 'sent', attempts: 1, lastError: null },
    { type: 'customer.updated', status: 'failed', attempts: 21, lastError: trouble },
    { type: 'customer.updated', status: 'queued', attempts: 3, lastError: trouble }
  ] as const
  await service.database.transaction(async (tx) => {
    const failing = { isActive: 0 as const, trouble, failingSince: fromNow(-80 * HOUR_MS), failures: 3 }
    await tx.updateTable('webhook').set(failing).where('id', '=', webhookId).execute()
    for (const [nth, told] of log.entries()) {
      const at = fromNow((nth - 4) * 24 * HOUR_MS)
      const body = JSON.stringify({ type: told.type, timestamp: at, data: { customerId } })
      const times = { createdAt: at, queuedAt: at, finishedAt: told.status === 'queued' ? null : at }
      await tx
        .insertInto('webhookDelivery')
        .values({
          ...told,
          ...times,
          eventId: newId('evt'),
          webhookId,
          customerId,
          body,
          nextAttemptAt: fromNow(HOUR_MS)
        })
        .execute()
    }
  })
  return webhookId
}
