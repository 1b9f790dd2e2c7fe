// The outbox as people look at it: what waits, what was sent, what was given up and why, and what was no longer needed.
import { z } from 'zod'
import { PageQuery, pageOf } from './envelope.ts'
import { createdAt, RecordId, StoredEmail, StoredTimestamp } from './primitives.ts'

export const MailStatus = z.enum(['queued', 'sent', 'failed', 'dropped'])
export type MailStatus = z.output<typeof MailStatus>

export const ListMails = PageQuery.extend({ status: MailStatus.optional() })
export const MailPath = z.strictObject({ mailId: RecordId })

export const Mail = z.object({
  mailId: z.string(),
  customerId: z.string().nullable(),
  template: z.string(),
  recipient: StoredEmail,
  status: MailStatus,
  attempts: z.int(),
  lastError: z.string().nullable(),
  /** Whether it can be sent again: an invite or a reset whose customer is still there. */
  canResend: z.boolean(),
  createdAt,
  finishedAt: StoredTimestamp.nullable()
})
export type Mail = z.output<typeof Mail>

export const MailPage = pageOf(Mail)
