import { z } from 'zod'
import type { ListAudit } from '../../schemas/audit.ts'
import type { ReadHandle } from '../database/database.ts'
import { pageInOrder } from '../database/page.ts'
import { countedBy } from '../database/row-count.ts'
import { namesOfActors } from './names.ts'

const Fields = z.array(z.string())

const LISTED = [
  'id',
  'action',
  'actor',
  'targetType',
  'targetId',
  'fields',
  'requestId',
  'createdAt'
] as const

export async function pageOfActs(
  db: ReadHandle,
  partnerId: string,
  { action, targetId, customerId, ...looking }: z.output<typeof ListAudit>
) {
  let matching = db.selectFrom('audit').where('partnerId', '=', partnerId)
  if (action !== undefined) matching = matching.where('action', '=', action)
  if (targetId !== undefined) matching = matching.where('targetId', '=', targetId)
  if (customerId !== undefined) matching = matching.where('customerId', '=', customerId)
  const shown = matching.select(LISTED)
  const counted =
    (targetId ?? customerId) === undefined ? countedBy(db, partnerId, 'audit', { action }) : undefined
  // Each of these has an index that ends with (createdAt, id): no sort, and a page costs its own rows.
  const { rows, pagination } = await pageInOrder(looking, shown, matching, { db, texts: {}, counted })
  const actors = rows.map(({ actor }) => actor)
  const names = await namesOfActors(db, partnerId, actors)
  const data = rows.map(({ fields, ...act }) => ({
    ...act,
    actorName: names.get(act.actor) ?? null,
    fields: Fields.parse(JSON.parse(fields))
  }))
  return { data, pagination }
}
