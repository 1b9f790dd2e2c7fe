import { z } from 'zod'
import { AuditEntry } from './audit.ts'
import { SpentDay } from './credits.ts'
import { StoredEmail, StoredTimestamp } from './primitives.ts'

/** Customers by state; each of them is counted once in `portal` and once in `order`. */
const CustomerCounts = z.object({
  total: z.int(),
  portal: z.object({ none: z.int(), active: z.int(), suspended: z.int() }),
  order: z.object({ new: z.int(), active: z.int() }),
  onTrial: z.int()
})

const LowCustomer = z.object({
  id: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  companyName: z.string().nullable(),
  email: StoredEmail,
  balance: z.number(),
  threshold: z.number(),
  /** When its credits moved last: where none are left, since when that is so. */
  movedAt: StoredTimestamp.nullable()
})

/** An act with what it was done to, where that still has a name, and whose it is. */
const Activity = AuditEntry.extend({
  targetName: z.string().nullable(),
  targetCustomerId: z.string().nullable()
})

export const Dashboard = z.object({
  data: z.object({
    customers: CustomerCounts,
    credits: z.object({ balance: z.number(), daily: z.array(SpentDay) }),
    /** The first of them, the emptiest first, and how many there are. */
    lowOnCredits: z.object({ count: z.int(), customers: z.array(LowCustomer) }),
    /** Given up within the last 7 days. */
    failedMails: z.int(),
    activity: z.array(Activity)
  })
})
