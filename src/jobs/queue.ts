// One kind of background work: rows that are due are taken by a lease, a few at a time, in any number of processes. What
// to do is written down in the transaction that causes it, and done after the commit, at least once.
import { setMaxListeners } from 'node:events'
import { type Insertable, sql } from 'kysely'
import type { Database, WriteHandle } from '../database/database.ts'
import { afterCommit } from '../database/guard.ts'
import type { Tables } from '../database/tables.ts'
import type { Log } from '../log.ts'
import { inOwnTrace } from '../trace.ts'
import {
  holdLease,
  type JobKind,
  type JobRow,
  type JobTable,
  type Lease,
  takeDue,
  untilDue
} from './leases.ts'
import { type Looker, startLooking } from './looker.ts'
import { newOwner } from './owner.ts'

export interface QueueKind<T extends JobTable> extends JobKind<T> {
  concurrency: number
  /** As many of them at most are one partner's. */
  ofPartner?: number
  /** How often to look for what other processes left behind. */
  lookMs: number
  /** How long `stop` waits for the rows in hand before it cuts them off. */
  stopGraceMs?: number
  /** What the log says where rows can't be taken, and where the work on one throws. */
  messages: { take: string; perform: string }
  fields?: Record<string, string>
  begin?(stopping: AbortSignal): Promise<void>
}

/** Does the work and writes how it went; what it throws is logged, and the row is taken again when its lease has ended. */
type Perform<T extends JobTable> = (lease: Lease<T>) => Promise<void>

/** When another process was quicker to the row that we saw. */
const OVERTAKEN_MS = 100

/** A queue of this process. Rows can be enqueued at once; none is taken until `start`. */
export function createQueue<T extends JobTable>(
  { database, log }: { database: Database; log: Log },
  kind: QueueKind<T>
) {
  const owner = newOwner()
  const inHand = new Map<Lease<T>, Promise<void>>()
  const cutOff = new AbortController()
  // Each row in hand listens to it.
  setMaxListeners(0, cutOff.signal)
  let looker: Looker | undefined
  let isStopping = false

  const look = async (perform: Perform<T>, stopping: AbortSignal): Promise<number | undefined> => {
    while (!stopping.aborted && inHand.size < kind.concurrency) {
      const except = { inHand: [...inHand.keys()].map(({ row }) => row), partners: fullPartners() }
      // The reader first: a look at an idle queue takes no write lock.
      const dueInMs = await untilDue(database.read, kind, except)
      if (dueInMs !== 0) return dueInMs
      const row = await database.transaction((tx) => takeDue(tx, database.kind, kind, { owner, ...except }))
      if (!row) return OVERTAKEN_MS
      hold(perform, row)
    }
    return undefined
  }

  const fullPartners = (): string[] => {
    const { ofPartner } = kind
    if (ofPartner === undefined) return []
    const partners = [...inHand.keys()].map(({ row }): unknown => Reflect.get(row, 'partnerId'))
    const full = partners.filter((one) => partners.filter((other) => other === one).length >= ofPartner)
    return [...new Set(full.map(String))]
  }

  const hold = (perform: Perform<T>, row: JobRow<T>) => {
    const lease = holdLease(database, kind, { ...row, leaseOwner: owner }, cutOff.signal)
    const done = inOwnTrace(kind.table, () => perform(lease))
      .catch((error: unknown) => log.error(kind.messages.perform, { error, ...kind.fields }))
      .finally(() => {
        lease.close()
        inHand.delete(lease)
        looker?.wake()
      })
    inHand.set(lease, done)
  }

  return {
    /** Writes a row in the caller's transaction; it is looked for after the commit. */
    async enqueue(tx: WriteHandle, row: Omit<Insertable<Tables[T]>, 'leaseOwner' | 'leaseExpiresAt'>) {
      const inserted = await insertJob(tx, kind.table, row)
      afterCommit(() => looker?.wake())
      return inserted
    },
    start(perform: Perform<T>) {
      let hasBegun = false
      const onError = (error: unknown) => log.warn(kind.messages.take, { error, ...kind.fields })
      looker ??= startLooking(
        async (stopping) => {
          if (!hasBegun) await kind.begin?.(stopping).catch(onError)
          hasBegun = true
          return look(perform, stopping)
        },
        { everyMs: kind.lookMs, onError }
      )
    },
    wake: () => looker?.wake(),
    /** Does what is due in this very moment, and resolves when nothing due is left. */
    async drain() {
      do {
        looker?.wake()
        await looker?.settled()
        await Promise.all(inHand.values())
        await looker?.settled()
      } while (!isStopping && (inHand.size > 0 || (await untilDue(database.read, kind)) === 0))
    },
    /** Takes no more rows, and ends what is in hand; nothing runs once it has resolved. */
    async stop() {
      isStopping = true
      const patience = setTimeout(() => cutOff.abort(), kind.stopGraceMs ?? 0)
      await looker?.stop()
      await Promise.all(inHand.values())
      clearTimeout(patience)
    }
  }
}

async function insertJob<T extends JobTable>(tx: WriteHandle, table: T, row: object): Promise<JobRow<T>> {
  const columns = Object.entries(row)
  const { rows } = await sql<JobRow<T>>`
    insert into ${sql.table(table)} (${sql.join(columns.map(([column]) => sql.ref(column)))})
    values (${sql.join(columns.map(([, value]) => value))}) returning *`.execute(tx)
  const [inserted] = rows
  if (!inserted) throw new Error(`Nothing was written into ${table}`)
  return inserted
}
