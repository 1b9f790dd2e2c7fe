// Orders in which customers are listed; each has an index made as it is spelled here (`migrations/022-customer-orders.ts`).
import { sql } from 'kysely'
import type { z } from 'zod'
import type { FindCustomers } from '../../schemas/customer.ts'
import type { ReadHandle } from '../database/database.ts'
import { isPostgres } from '../database/dialect.ts'

const ORDERS = {
  /** The searched text begins with the name, without capitals and accents. */
  name: 'substr("searchText", 1, 60)',
  companyName: `lower(coalesce("companyName", ''))`,
  createdAt: '"createdAt"'
} as const

/** What rows are ordered by, and which way; newest first unless told. */
export function orderOf(db: ReadHandle, sort: z.output<typeof FindCustomers>['sort'] = '-createdAt') {
  const name = sort.replace('-', '') as keyof typeof ORDERS
  const isByTime = name === 'createdAt'
  const by = sql.raw(`${ORDERS[name]}${isPostgres(db) && !isByTime ? ' collate "C"' : ''}`)
  return { by, direction: sort.startsWith('-') ? 'desc' : 'asc', isByTime } as const
}
