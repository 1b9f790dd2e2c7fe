import type { SelectQueryBuilder } from 'kysely'
import { paginate } from '../../schemas/envelope.ts'
import type { Tables } from './tables.ts'

/** One page of the ordered rows, and where it stands among all. `all` finds the same rows, without what only shows them. */
export async function pageOfRows<Joined, From extends keyof Joined, Row, Table extends keyof Tables>(
  { page, limit }: { page: number; limit: number },
  ordered: SelectQueryBuilder<Joined, From, Row>,
  all: SelectQueryBuilder<Tables, Table, object>
) {
  const [rows, { count }] = await Promise.all([
    ordered
      .limit(limit)
      .offset((page - 1) * limit)
      .execute(),
    all.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  ])
  return { rows, pagination: paginate(page, limit, count) }
}
