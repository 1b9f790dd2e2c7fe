// Rows that one process at a time works on: its name stands in them until it lets go, ends, or says nothing for too long.
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { fromNow, now } from '../clock.ts'
import type { Database, ReadHandle, WriteHandle } from '../database/database.ts'
import { afterCommit } from '../database/guard.ts'
import type { Tables } from '../database/tables.ts'
import { hasEnded } from './owner.ts'

/** Whatever a process can hold by its name, and which column tells until when. */
const LEASES = {
  mail: 'leaseExpiresAt',
  mindJob: 'leaseExpiresAt',
  deploy: 'leaseExpiresAt',
  usageSync: 'leaseExpiresAt',
  webhook: 'leaseExpiresAt',
  idempotency: 'leaseExpiresAt',
  honchoRemoval: 'dueAt',
  creditReservation: 'expiresAt',
  chatExchange: 'leaseExpiresAt',
  instance: 'leaseExpiresAt'
} as const

interface Job {
  key: readonly string[]
  dueAt: string
  waits: RawBuilder<unknown>
  /** Whether there is something to do for the row now, where that stands in rows of its own. */
  hasWork?(): RawBuilder<unknown>
}

/** What is taken from a queue: how a row is named, when it is due, and which rows wait at all. */
export const JOBS = {
  webhook: {
    key: ['id'],
    dueAt: 'lookAt',
    waits: sql`"isActive" = 1`,
    // Its least is one look into the index; PostgreSQL without statistics reads all that waits for who `exists` and is due.
    hasWork: () => sql`(select min("nextAttemptAt") from "webhookDelivery" where "webhookId" = "webhook"."id"
      and "status" = 'queued') <= ${now()}`
  },
  mail: { key: ['id'], dueAt: 'nextAttemptAt', waits: sql`"status" = 'queued'` },
  mindJob: { key: ['kind', 'mindKey'], dueAt: 'dueAt', waits: sql`"dueAt" is not null` },
  deploy: { key: ['id'], dueAt: 'createdAt', waits: sql`"finishedAt" is null` },
  chatExchange: { key: ['id'], dueAt: 'createdAt', waits: sql`"state" = 'waiting'` },
  instance: { key: ['id'], dueAt: 'checkDueAt', waits: sql`"checkDueAt" is not null` },
  usageSync: { key: ['partnerId', 'provider'], dueAt: 'dueAt', waits: sql`"dueAt" is not null` },
  honchoRemoval: { key: ['workspaceId', 'sessionId', 'serverUrl'], dueAt: 'dueAt', waits: sql`true` }
} as const satisfies Record<string, Job>

export type JobTable = keyof typeof JOBS
export type JobRow<T extends JobTable> = Selectable<Tables[T]>

export interface JobKind<T extends JobTable> {
  table: T
  /** Those of the table's that wait; all of them when left out. */
  only?: RawBuilder<unknown>
  leaseMs: number
  /** Whether the lease is renewed for as long as the work takes; else it outlives the work. */
  isRenewed?: boolean
  taking?(row: JobRow<T>): Partial<JobRow<T>>
}

/** Rows that are left out, whatever their lease. */
export interface Except {
  inHand?: readonly object[]
  partners?: readonly string[]
}

/**
 * On PostgreSQL the row is locked until the transaction ends, and passed over by whoever looks meanwhile. Its key stays: who
 * only refers to the row, as each event does to its webhook, keeps nobody from taking it.
 */
const SKIP_LOCKED = { sqlite: sql``, postgres: sql`for no key update skip locked` }

/** Milliseconds until the next row is due that nobody holds: 0 if one is, undefined if none waits. */
export async function untilDue<T extends JobTable>(db: ReadHandle, kind: JobKind<T>, except: Except = {}) {
  const dueAt = sql.ref(JOBS[kind.table].dueAt)
  const next = sql<{ at: string }>`select ${dueAt} as "at" from ${sql.table(kind.table)}
    where ${isFree(kind, except)} order by ${dueAt} limit 1`
  const { rows } = await next.execute(db)
  return rows[0] && Math.max(0, Date.parse(rows[0].at) - Date.now())
}

/** Takes the longest due row that nobody holds: as it was until now, under its lease. */
export async function takeDue<T extends JobTable>(
  tx: WriteHandle,
  database: Database['kind'],
  kind: JobKind<T>,
  { owner, ...except }: Except & { owner: string }
): Promise<JobRow<T> | undefined> {
  const { key, dueAt } = JOBS[kind.table]
  const order = sql.join([dueAt, ...key].map((column) => sql.ref(column)))
  const { rows } = await sql<JobRow<T>>`
    select * from ${sql.table(kind.table)} where ${isFree(kind, except)} and ${sql.ref(dueAt)} <= ${now()}
    order by ${order} limit 1 ${SKIP_LOCKED[database]}`.execute(tx)
  const [seen] = rows
  if (!seen) return undefined
  const lease = { leaseOwner: owner, [LEASES[kind.table]]: fromNow(kind.leaseMs) }
  await update(tx, kind.table, isRow(kind.table, seen), { ...kind.taking?.(seen), ...lease })
  return { ...seen, ...lease }
}

/** Where a lease is a later due time, what is held isn't due. */
function isUnheld(table: JobTable): RawBuilder<unknown> {
  const until = LEASES[table]
  if (until === JOBS[table].dueAt) return sql`true`
  return sql`(${sql.ref(until)} is null or ${sql.ref(until)} <= ${now()})`
}

function isFree<T extends JobTable>(
  { table, only = sql`true` }: JobKind<T>,
  { inHand = [], partners = [] }: Except
): RawBuilder<unknown> {
  const { waits, hasWork }: Job = JOBS[table]
  const conditions = [waits, only, isUnheld(table), hasWork?.() ?? sql`true`]
  for (const row of inHand) conditions.push(sql`not (${isRow(table, row)})`)
  if (partners.length > 0) conditions.push(sql`"partnerId" not in (${sql.join(partners)})`)
  return sql.join(conditions, sql` and `)
}

const isRow = (table: JobTable, row: object): RawBuilder<unknown> =>
  sql.join(
    JOBS[table].key.map((column) => sql`${sql.ref(column)} = ${Reflect.get(row, column)}`),
    sql` and `
  )

async function update<T extends JobTable>(
  tx: WriteHandle,
  table: T,
  where: RawBuilder<unknown>,
  columns: object
): Promise<JobRow<T> | undefined> {
  const set = Object.entries(columns).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const { rows } = await sql<JobRow<T>>`
    update ${sql.table(table)} set ${sql.join(set)} where ${where} returning *`.execute(tx)
  return rows[0]
}

export class LeaseLost extends Error {}

/** A row in the hand of one worker: it alone writes it. */
export type Lease<T extends JobTable> = ReturnType<typeof holdLease<T>>

export function holdLease<T extends JobTable>(
  database: Database,
  { table, leaseMs, isRenewed = false, only = sql`true` }: JobKind<T>,
  taken: JobRow<T> & { leaseOwner: string | null },
  stopping: AbortSignal
) {
  const ending = new AbortController()
  const end = () => ending.abort()
  const owned = sql`"leaseOwner" = ${taken.leaseOwner}`
  const isHeld = sql.join([isRow(table, taken), owned, JOBS[table].waits, only], sql` and `)
  // Whose turn it is to write; what is nobody's stands in the line of the service's own.
  const { partnerId }: { partnerId?: string } = Object(taken)
  let row: JobRow<T> = taken
  let goodUntil = Date.now() + leaseMs
  const writeHeld = async (tx: WriteHandle, columns: object) => {
    const written = await update(tx, table, isHeld, columns)
    afterCommit(() => {
      row = written ?? row
    })
    return written
  }
  const write = (tx: WriteHandle, columns: Partial<JobRow<T>>) =>
    writeHeld(tx, { [LEASES[table]]: fromNow(leaseMs), ...columns })
  const change = async (
    columns: Partial<JobRow<T>>,
    also?: (tx: WriteHandle, row: JobRow<T>) => Promise<void>
  ) => {
    const began = Date.now()
    const written = await database.transaction(async (tx) => {
      const changed = await write(tx, columns)
      if (changed) await also?.(tx, changed)
      return changed
    }, partnerId)
    if (!written) {
      end()
      throw new LeaseLost()
    }
    goodUntil = began + leaseMs
    return written
  }
  const renew = () => {
    // A database that is away for longer than the lease takes it as well.
    change({}).catch(() => (Date.now() > goodUntil ? end() : undefined))
  }
  const renewal = isRenewed ? setInterval(renew, leaseMs / 4).unref() : undefined
  stopping.addEventListener('abort', end, { once: true })
  if (stopping.aborted) end()
  return {
    /** As it was taken, or last written and committed. */
    get row() {
      return row
    },
    /** Aborts when the work must end: the process stops, or the lease was lost. */
    signal: ending.signal,
    /** Writes the row in the caller's transaction and renews the lease; `undefined` when it was lost. */
    write,
    /** Writes the row and lets go of it; `undefined` when it was lost. */
    letGo: (tx: WriteHandle, columns: Partial<JobRow<T>> = {}) =>
      writeHeld(tx, { leaseOwner: null, [LEASES[table]]: null, ...columns }),
    /** Writes the row, and what belongs into the same transaction. @throws LeaseLost */
    change,
    /** Ends the renewing: others take the row once the lease has run out. */
    close() {
      clearInterval(renewal)
      stopping.removeEventListener('abort', end)
    }
  }
}

/** Of each queue: how many rows wait, held ones among them, since when the oldest, and when the longest due one was. */
export async function waitingJobs(db: ReadHandle) {
  const queues = Object.entries(JOBS).map(
    ([table, { dueAt, waits, hasWork }]: [
      string,
      Job
    ]) => sql`select cast(${table} as text) as "queue", count(*) as "count",
      min(${sql.ref(dueAt)}) as "oldestAt", min(case when ${isUnheld(table as JobTable)} then ${sql.ref(dueAt)} end) as "dueAt"
      from ${sql.table(table)} where ${waits} and ${hasWork?.() ?? sql`true`}`
  )
  const { rows } = await sql<{ queue: string; count: number; oldestAt: string | null; dueAt: string | null }>`
    ${sql.join(queues, sql` union all `)}`.execute(db)
  return rows
}

const LONG_AGO = new Date(0).toISOString()

/** Ends the leases of processes of this machine that have ended; of how many there were any. */
export async function endLeases(tx: WriteHandle): Promise<number> {
  const owners = Object.keys(LEASES).map(
    (table) => sql`select "leaseOwner" from ${sql.table(table)} where "leaseOwner" is not null`
  )
  const { rows } = await sql<{ leaseOwner: string }>`${sql.join(owners, sql` union `)}`.execute(tx)
  const ended = rows.map(({ leaseOwner }) => leaseOwner).filter(hasEnded)
  if (ended.length === 0) return 0
  for (const [table, column] of Object.entries(LEASES)) {
    await sql`update ${sql.table(table)} set "leaseOwner" = null, ${sql.ref(column)} = ${LONG_AGO}
      where "leaseOwner" in (${sql.join(ended)})`.execute(tx)
  }
  return ended.length
}
