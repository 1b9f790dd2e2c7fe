// A deploy in the hand of one process: it alone writes the row, for as long as it renews its lease.
import type { UpdateObject } from 'kysely'
import { fromNow, now } from '../../clock.ts'
import type { Database, ReadHandle, WriteHandle } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import type { DeployRow } from './store.ts'

type DeployChange = UpdateObject<Tables, 'deploy'>

/** Another process has the deploy by now, or its instance is gone. */
export class LeaseLost extends Error {}

export interface Hold {
  /** As it was last read or written. */
  readonly row: DeployRow
  /** Aborts when the process is to stop, or when the lease was lost. */
  readonly signal: AbortSignal
  /**
   * Writes the row, and what belongs into the same transaction.
   *
   * @throws LeaseLost
   */
  change(columns: DeployChange, also?: (tx: WriteHandle, row: DeployRow) => Promise<void>): Promise<DeployRow>
  /** Gives the deploy back for others to take at once. */
  release(): Promise<void>
  /** Stops renewing: others take the deploy when the lease has run out. */
  abandon(): void
}

/** Deploys under way that nobody follows: without a lease, or with one that ran out. */
export async function abandonedDeploys(
  db: ReadHandle
): Promise<Pick<DeployRow, 'id' | 'partnerId' | 'leaseOwner'>[]> {
  return db
    .selectFrom('deploy')
    .where('finishedAt', 'is', null)
    .where((eb) => eb.or([eb('leaseOwner', 'is', null), eb('leaseExpiresAt', '<=', now())]))
    .select(['id', 'partnerId', 'leaseOwner'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** Takes the deploy if it is still as it was seen; `undefined` when somebody else was quicker. */
export async function takeDeploy(
  tx: WriteHandle,
  seen: Pick<DeployRow, 'id' | 'leaseOwner'>,
  lease: { owner: string; ms: number }
): Promise<DeployRow | undefined> {
  return tx
    .updateTable('deploy')
    .set({ leaseOwner: lease.owner, leaseExpiresAt: fromNow(lease.ms) })
    .where('id', '=', seen.id)
    .where('finishedAt', 'is', null)
    .where('leaseOwner', seen.leaseOwner === null ? 'is' : '=', seen.leaseOwner)
    .returningAll()
    .executeTakeFirst()
}

/** The rows of a lease that is renewed until it is released or lost. */
export function holdDeploy(
  database: Database,
  taken: DeployRow,
  lease: { owner: string; ms: number },
  stopping: AbortSignal
): Hold {
  const lost = new AbortController()
  let row = taken
  let goodUntil = Date.now() + lease.ms
  const mine = (tx: WriteHandle, columns: DeployChange) =>
    tx
      .updateTable('deploy')
      .set({ leaseExpiresAt: fromNow(lease.ms), ...columns })
      .where('id', '=', taken.id)
      .where('leaseOwner', '=', lease.owner)
      .where('finishedAt', 'is', null)
      .returningAll()
      .executeTakeFirst()

  const write: Hold['change'] = async (columns, also) => {
    const began = Date.now()
    const written = await database.transaction(async (tx) => {
      const changed = await mine(tx, columns)
      if (changed) await also?.(tx, changed)
      return changed
    })
    if (!written) {
      lost.abort()
      throw new LeaseLost()
    }
    goodUntil = began + lease.ms
    row = written
    return written
  }
  const renewal = setInterval(() => {
    // A database that is away for longer than the lease takes it as well.
    write({}).catch(() => (Date.now() > goodUntil ? lost.abort() : undefined))
  }, lease.ms / 4)
  renewal.unref()
  return {
    get row() {
      return row
    },
    signal: AbortSignal.any([stopping, lost.signal]),
    change: (columns, also) => write({ ...columns, updatedAt: now() }, also),
    abandon: () => clearInterval(renewal),
    async release() {
      clearInterval(renewal)
      if (lost.signal.aborted || row.finishedAt !== null) return
      await database.transaction((tx) => mine(tx, { leaseOwner: null, leaseExpiresAt: null }))
    }
  }
}
