import { z } from 'zod'
import type { ListAudit } from '../../schemas/audit.ts'
import type { ReadHandle } from '../database/database.ts'
import { pageOfRows } from '../database/page.ts'
import { countedBy } from '../database/row-count.ts'
import { namesOfActors } from './names.ts'

const Fields = z.array(z.string())

export async function pageOfActs(
  db: ReadHandle,
  partnerId: string,
  { action, targetId, customerId, ...page }: z.output<typeof ListAudit>
) {
  let matching = db.selectFrom('audit').where('partnerId', '=', partnerId)
  if (action !== undefined) matching = matching.where('action', '=', action)
  if (targetId !== undefined) matching = matching.where('targetId', '=', targetId)
  if (customerId !== undefined) matching = matching.where('customerId', '=', customerId)
  // An index that ends with (createdAt, id), read from its end: no sort, and a page costs its own rows.
  const newest = matching
    .select(['id', 'action', 'actor', 'targetType', 'targetId', 'fields', 'requestId', 'createdAt'])
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
  const counted =
    (targetId ?? customerId) === undefined ? countedBy(db, partnerId, 'audit', { action }) : undefined
  const { rows, pagination } = await pageOfRows(page, newest, matching, counted)
  const actors = rows.map(({ actor }) => actor)
  const names = await namesOfActors(db, partnerId, actors)
  const data = rows.map(({ fields, ...act }) => ({
    ...act,
    actorName: names.get(act.actor) ?? null,
    fields: Fields.parse(JSON.parse(fields))
  }))
  return { data, pagination }
}
