// Moves what was just seeded into the past, in its order, so that lists and charts have something to show.
import type { WriteHandle } from '../../../src/database/database.ts'
import type { Service } from '../../../src/service.ts'
import { PEOPLE } from './people.ts'

const DAY_MS = 86_400_000
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString()

/** Customers came when people.ts says; entries, audit rows and the like are spread over the last 29 days. */
export async function backdate({ database }: Service, customerIds: readonly string[]): Promise<void> {
  await database.transaction(async (tx) => {
    for (const [index, id] of customerIds.entries()) {
      const createdAt = daysAgo(PEOPLE[index]?.since ?? 0)
      await tx.updateTable('customer').set({ createdAt }).where('id', '=', id).execute()
    }
    await spreadEntries(tx)
    await spread(tx, 'audit')
    await nameActors(tx)
    await spread(tx, 'mail')
    await spread(tx, 'apiKey')
    await spread(tx, 'customerToken')
  })
}

async function spreadEntries(tx: WriteHandle): Promise<void> {
  const entries = await tx
    .selectFrom('creditEntry')
    .select(['accountId', 'seq'])
    .orderBy('accountId')
    .orderBy('seq')
    .execute()
  const counts = new Map<string, number>()
  for (const { accountId, seq } of entries) counts.set(accountId, seq)
  for (const { accountId, seq } of entries) {
    await tx
      .updateTable('creditEntry')
      .set({ createdAt: placeOf(seq - 1, counts.get(accountId) ?? 1) })
      .where('accountId', '=', accountId)
      .where('seq', '=', seq)
      .execute()
  }
}

async function spread(tx: WriteHandle, table: 'audit' | 'mail' | 'apiKey' | 'customerToken'): Promise<void> {
  const rows = await tx.selectFrom(table).select('id').orderBy('createdAt').orderBy('id').execute()
  for (const [index, { id }] of rows.entries()) {
    await tx
      .updateTable(table)
      .set({ createdAt: placeOf(index, rows.length) })
      .where('id', '=', id)
      .execute()
  }
}

/** Some of it was done in the console, the rest by a key. */
async function nameActors(tx: WriteHandle): Promise<void> {
  const user = await tx.selectFrom('partnerUser').select('id').executeTakeFirstOrThrow()
  const key = await tx
    .selectFrom('apiKey')
    .where('revokedAt', 'is', null)
    .select('id')
    .executeTakeFirstOrThrow()
  await tx.updateTable('audit').set({ actor: user.id }).execute()
  await tx
    .updateTable('audit')
    .set({ actor: key.id })
    .where('action', 'in', ['customer_onboard', 'credits_grant'])
    .execute()
}

/** Uneven, as days are: some have more, some nothing. */
function placeOf(index: number, count: number): string {
  const share = 1 - index / Math.max(1, count)
  return daysAgo(29 * share ** 1.4 + (index % 3) * 0.01)
}
