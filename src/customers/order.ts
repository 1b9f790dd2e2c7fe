// Orders in which customers are listed; each has an index made as it is spelled here (`migrations/022-customer-orders.ts`).
import { sql } from 'kysely'
import type { z } from 'zod'
import type { FindCustomers } from '../../schemas/customer.ts'
import type { ReadHandle } from '../database/database.ts'
import { isPostgres } from '../database/dialect.ts'

/** The searched text begins with the name, without capitals and accents. */
const BY_TEXT = { name: 'substr("searchText", 1, 60)', companyName: `lower(coalesce("companyName", ''))` }

/** What rows are ordered by, and which way; newest first unless told. */
export function orderOf(db: ReadHandle, sort: z.output<typeof FindCustomers>['sort'] = '-createdAt') {
  const name = sort.replace('-', '') as 'createdAt' | keyof typeof BY_TEXT
  const isByTime = name === 'createdAt'
  const by = sql.raw(isByTime ? '"createdAt"' : `${BY_TEXT[name]}${isPostgres(db) ? ' collate "C"' : ''}`)
  return { by, direction: sort.startsWith('-') ? 'desc' : 'asc', isByTime } as const
}
