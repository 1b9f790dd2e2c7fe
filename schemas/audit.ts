import { z } from 'zod'
import { DAYS, PageQuery, pageOf } from './envelope.ts'
import { CustomerId, createdAt, line, RecordId, said, told } from './primitives.ts'

export const ListAudit = PageQuery.extend({
  action: said(line(100), 'Only what this operation did.', 'customer_update').optional(),
  targetId: said(RecordId, 'Only what was done to this record.', 'cus_4k9v2m7x1q8t3w6z0b5n').optional(),
  customerId: CustomerId.optional(),
  ...DAYS,
  sort: said(z.enum(['createdAt', '-createdAt']), 'Oldest or newest first.', '-createdAt').optional()
})

export const AuditEntry = z
  .object({
    id: told.text('Id of the entry.', 'aud_8w1y4a6c9e2g5i7k0m3o'),
    action: told.text('The operation that did it.', 'customer_update'),
    actor: told.text(
      'Id of the API key, the customer’s token or who was signed in.',
      'key_1a3c5e7g9i0k2m4o6q8s'
    ),
    actorName: told
      .text('The key’s or token’s name, or an e-mail address; null once it is gone.', 'CRM')
      .nullable(),
    targetType: told.text('What kind of record it was done to.', 'customer'),
    targetId: told.text('Id of that record.', 'cus_4k9v2m7x1q8t3w6z0b5n'),
    fields: said(z.array(z.string()), 'Names of the fields that changed; never their values.', [
      'companyName'
    ]),
    requestId: told.text('The request that did it.', 'req_5t7v9x1z3b5d7f9h1j3l'),
    createdAt: said(createdAt, 'When it was done.', '2026-01-15T10:00:00.000Z')
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.output<typeof AuditEntry>

export const AuditPage = pageOf(AuditEntry)
