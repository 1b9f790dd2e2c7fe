// The audit log: who did what, to what, and when.
import { z } from 'zod'
import { PageQuery, Pagination } from './envelope.ts'
import { line, RecordId, StoredTimestamp } from './primitives.ts'

export const ListAudit = PageQuery.extend({
  action: line(100).optional(),
  targetId: RecordId.optional()
})

export const AuditEntry = z
  .object({
    id: z.string(),
    action: z.string(),
    actor: z.string(),
    actorName: z.string().nullable(),
    targetType: z.string(),
    targetId: z.string(),
    fields: z.array(z.string()),
    requestId: z.string(),
    createdAt: StoredTimestamp
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.output<typeof AuditEntry>

export const AuditPage = z.object({ data: z.array(AuditEntry), pagination: Pagination })
