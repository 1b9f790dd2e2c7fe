// Where partners are told of what happens, and what they are told. What there is to deliver has a number, by which it is in
// order; a customer's outlives it, since that it was erased is told, too.
import { type Kysely, PostgresAdapter } from 'kysely'
import * as t from './statements.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const number = isPostgres
    ? 'bigint generated always as identity primary key'
    : 'integer primary key autoincrement'
  const queued = `where "status" = 'queued'`
  await t.running([
    t.table(
      'webhook',
      t.owned,
      t.text('url', 'name', 'types', 'sealedSecret', 'lookAt', 'createdAt'),
      t.textOrNull('formerSealed', 'formerSecretUntil', 'trouble', 'failingSince', 'fullSince'),
      t.textOrNull('leaseOwner', 'leaseExpiresAt'),
      t.integer('inOrder', 'isActive', 'isRemoved', 'failures'),
      t.goesWith('partner')
    ),
    t.index('webhookOfPartner', 'webhook', 'partnerId', 'createdAt'),
    t.index('webhookDue', 'webhook', 'lookAt'),
    t.leaseIndex('webhook'),
    t.table(
      'webhookDelivery',
      t.column('seq', number),
      t.text('eventId', 'webhookId', 'type', 'body', 'status', 'nextAttemptAt', 'queuedAt', 'createdAt'),
      t.textOrNull('customerId', 'lastError', 'finishedAt'),
      t.integer('attempts'),
      t.goesWith('webhook'),
      t.unique('webhookId', 'eventId')
    ),
    `${t.index('webhookDeliveryDue', 'webhookDelivery', 'webhookId', 'nextAttemptAt', 'seq')} ${queued}`,
    `${t.index('webhookDeliveryInOrder', 'webhookDelivery', 'webhookId', 'customerId', 'seq')} ${queued}`,
    t.index('webhookDeliveryListed', 'webhookDelivery', 'webhookId', 'seq'),
    t.index('webhookDeliveryByStatus', 'webhookDelivery', 'webhookId', 'status', 'seq'),
    t.index('webhookDeliveryFinished', 'webhookDelivery', 'finishedAt'),
    t.index('webhookDeliveryOfCustomer', 'webhookDelivery', 'customerId')
  ])(db)
}
