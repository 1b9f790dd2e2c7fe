import type { z } from 'zod'
import type { CreditEntry, CreditEntryPage, ListCreditEntries } from '../../schemas/credits.ts'
import { paginate } from '../../schemas/envelope.ts'
import type { CreditEntryTable } from '../database/credit-tables.ts'
import type { ReadHandle } from '../database/database.ts'
import { fromMicros } from '../money.ts'
import { type AccountOwner, listEntries, readAccount } from './store.ts'

/** One page of an account's entries, newest first. They are numbered, so a page is a range and no count is made. */
export async function pageOfEntries(
  db: ReadHandle,
  owner: AccountOwner,
  { page, limit }: z.output<typeof ListCreditEntries>
): Promise<z.input<typeof CreditEntryPage>> {
  const { entryCount } = await readAccount(db, owner)
  const upTo = entryCount - (page - 1) * limit
  const entries = upTo > 0 ? await listEntries(db, owner, { after: upTo - limit, upTo }) : []
  return { data: entries.map(toEntry), pagination: paginate(page, limit, entryCount) }
}

const toEntry = (row: CreditEntryTable): z.input<typeof CreditEntry> => ({
  number: row.seq,
  kind: row.kind,
  amount: fromMicros(row.amountMicros),
  balanceAfter: fromMicros(row.balanceAfterMicros),
  operation: row.operation,
  reference: row.reference,
  note: row.note,
  createdAt: row.createdAt
})
