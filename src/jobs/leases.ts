// What a process held is free once it has ended: its leases end at once, and go the way of every lease that has run out.
import { sql } from 'kysely'
import type { WriteHandle } from '../database/database.ts'
import { hasEnded } from './owner.ts'

/** Whatever a process can hold by its name, and which column tells until when. */
const LEASES = {
  mail: 'leaseExpiresAt',
  mindJob: 'leaseExpiresAt',
  deploy: 'leaseExpiresAt',
  idempotency: 'leaseExpiresAt',
  honchoRemoval: 'dueAt',
  creditReservation: 'expiresAt',
  chatExchange: 'deadlineAt'
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
