// The audit log as people read it.
import { z } from 'zod'
import type { AuditEntry, ListAudit } from '../../schemas/audit.ts'
import type { ReadHandle } from '../database/database.ts'

const Fields = z.array(z.string())

/** One page of what was done at the partner's, newest first, and how much there is on all pages. */
export async function pageOfActs(
  db: ReadHandle,
  partnerId: string,
  { action, targetId, page, limit }: z.output<typeof ListAudit>
): Promise<{ acts: Omit<AuditEntry, 'actorName'>[]; totalCount: number }> {
  let matching = db.selectFrom('audit').where('partnerId', '=', partnerId)
  if (action !== undefined) matching = matching.where('action', '=', action)
  if (targetId !== undefined) matching = matching.where('targetId', '=', targetId)
  const [rows, { count }] = await Promise.all([
    // The index on (partnerId, createdAt, id), read from its end: no sort, and a page costs its own rows.
    matching
      .select(['id', 'action', 'actor', 'targetType', 'targetId', 'fields', 'requestId', 'createdAt'])
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute(),
    matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  ])
  return {
    acts: rows.map(({ fields, ...act }) => ({ ...act, fields: Fields.parse(JSON.parse(fields)) })),
    totalCount: count
  }
}
