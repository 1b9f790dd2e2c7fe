// Tables with very many rows, made by one statement each: those that are due for a sweep, those that aren't yet, and
// those that are old but still needed.
import { sql } from 'kysely'
import { fromNow } from '../../src/clock.ts'
import type { WriteHandle } from '../../src/database/database.ts'
import { makePayer } from '../credits/payers.ts'
import { makeInstance } from '../support/instances.ts'
import type { TestService } from '../support/service.ts'

/** Long ago, in the order of the rows' coming. */
const OLD = `'2020-' || (10000000 + i)`
/** Random as ids are, and no two alike. */
const ID = `'x' || ((cast(i as bigint) * 7919) % 100000007)`

/** SQL of a column's value; `i` is the row's number. */
type Columns = Record<string, string | number | null>

export interface Crowd {
  table: string
  /** What every row has. */
  columns: Columns
  due: Columns
  /** Rows that stay. */
  stay: Columns
  /** Whether what is due stays as well, as something else. */
  isChanged?: true
}

/** One for each thing that is swept; the rows belong to a partner, a customer and an instance that are there. */
export async function crowdsOf({ service }: TestService): Promise<Crowd[]> {
  const { partnerId, customer } = await makePayer(service, { credits: 10 })
  const customerId = customer.id
  const { id: instanceId } = await makeInstance(service, partnerId, customerId)
  const fresh = `'${fromNow(3_600_000)}'`
  const id = ID
  const owned = { id, partnerId: text(partnerId) }
  const words = `substr('${'abcdefgh '.repeat(200)}', 1, 200 + i % 1500)`
  const reservation = {
    ...owned,
    customerId: text(customerId),
    mindId: `'mind'`,
    operation: `'memory_ask'`,
    partnerMicros: 1,
    customerMicros: 1,
    usageMicros: 0,
    answerErasedAt: null
  }
  const exchange = {
    ...owned,
    instanceId: text(instanceId),
    seq: 'i',
    key: id,
    message: words,
    sessionId: null,
    model: `'auto'`,
    cancelRequestedAt: null
  }
  const answered = { state: `'answered'`, reply: words, deadlineAt: OLD, answeredAt: OLD }
  const waiting = { state: `'waiting'`, reply: null, deadlineAt: fresh, answeredAt: null }
  return [
    {
      table: 'idempotency',
      columns: {
        partnerId: text(partnerId),
        operation: `'memory_ask'`,
        key: id,
        inputHash: `'hash'`,
        answer: words,
        createdAt: OLD
      },
      due: { expiresAt: OLD },
      stay: { expiresAt: fresh }
    },
    {
      table: 'rateLimit',
      columns: { key: id, points: 1 },
      due: { expire: 'i' },
      stay: { expire: Date.now() + 3_600_000 }
    },
    {
      table: 'signInFailure',
      columns: { key: id, count: 1 },
      due: { endsAt: OLD },
      stay: { endsAt: fresh }
    },
    {
      table: 'session',
      columns: {
        ...owned,
        site: `'portal'`,
        tokenHash: id,
        customerId: text(customerId),
        mustChangePassword: 0,
        userAgent: `'Firefox'`,
        createdAt: OLD,
        lastSeenAt: OLD,
        expiresAt: OLD
      },
      due: { idleExpiresAt: OLD },
      stay: { idleExpiresAt: fresh }
    },
    {
      table: 'accessLink',
      columns: {
        ...owned,
        purpose: `'team_invite'`,
        tokenHash: id,
        customerId: text(customerId),
        createdAt: OLD
      },
      due: { expiresAt: OLD },
      stay: { expiresAt: fresh }
    },
    {
      table: 'audit',
      columns: {
        ...owned,
        actor: `'key_1'`,
        action: `'customer_update'`,
        targetType: `'customer'`,
        targetId: text(customerId),
        fields: `'["lastName"]'`,
        requestId: id
      },
      due: { createdAt: OLD },
      stay: { createdAt: fresh }
    },
    {
      table: 'mail',
      columns: {
        ...owned,
        customerId: text(customerId),
        template: `'team_invite'`,
        recipient: `'ada@example.com'`,
        messageId: id,
        params: `'{}'`,
        nextAttemptAt: OLD,
        createdAt: OLD
      },
      due: { status: `'sent'`, finishedAt: OLD },
      stay: { status: `'queued'`, finishedAt: null }
    },
    {
      table: 'deploy',
      columns: {
        ...owned,
        instanceId: text(instanceId),
        number: 'i',
        phase: `'succeeded'`,
        statusBefore: `'registered'`,
        isReinstall: 1,
        businessName: `'Front desk'`,
        attempt: 1,
        keyAlias: id,
        steps: `'[]'`,
        log: words,
        logOffset: 0,
        message: `''`,
        createdAt: OLD,
        finishedAt: OLD,
        supersededAt: OLD
      },
      due: { keyRevokedAt: OLD },
      stay: { keyRevokedAt: null }
    },
    {
      table: 'aiSpending',
      columns: {
        ownerId: id,
        period: `'2020-01-01'`,
        partnerId: text(partnerId),
        customerId: text(customerId),
        tokens: 1
      },
      due: { endsAt: OLD },
      stay: { endsAt: fresh }
    },
    {
      table: 'aiUsage',
      columns: {
        ...owned,
        instanceId: text(instanceId),
        keyId: `'aik_1'`,
        model: `'auto'`,
        durationMs: 1,
        status: 200
      },
      due: { createdAt: OLD },
      stay: { createdAt: fresh }
    },
    { table: 'chatExchange', columns: { ...exchange, createdAt: OLD }, due: answered, stay: waiting },
    {
      table: 'chatExchange',
      columns: { ...exchange, createdAt: fresh },
      due: { ...waiting, deadlineAt: OLD },
      stay: waiting,
      isChanged: true
    },
    {
      table: 'creditReservation',
      columns: { ...reservation, status: `'held'`, createdAt: fresh },
      due: { expiresAt: OLD },
      stay: { expiresAt: fresh },
      isChanged: true
    },
    {
      table: 'creditReservation',
      columns: { ...reservation, status: `'settled'`, createdAt: fresh, expiresAt: OLD, answer: words },
      due: { settledAt: OLD },
      stay: { settledAt: fresh },
      isChanged: true
    },
    {
      table: 'creditReservation',
      columns: { ...reservation, status: `'settled'`, createdAt: OLD, expiresAt: OLD, settledAt: fresh },
      due: { answer: null },
      stay: { answer: words }
    }
  ]
}

const text = (value: string): string => `'${value}'`

/** Adds rows numbered from `first` on. */
export async function fill(
  tx: WriteHandle,
  { table }: Pick<Crowd, 'table'>,
  columns: Columns,
  { first, count }: { first: number; count: number }
): Promise<void> {
  const names = Object.keys(columns).map((name) => `"${name}"`)
  const values = Object.values(columns).map((value) => (value === null ? 'null' : String(value)))
  await sql
    .raw(
      `with recursive "number" (i) as (
        select ${first} union all select i + 1 from "number" where i < ${first + count - 1}
      ) insert into "${table}" (${names.join(', ')}) select ${values.join(', ')} from "number"`
    )
    .execute(tx)
}
