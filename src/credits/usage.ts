import { now } from '../clock.ts'
import type { WriteHandle } from '../database/database.ts'
import { newId } from '../ids.ts'

/** Adds what the customer is billed for AI credits; the customer list sums it (`unbilledAmount`). */
export async function insertUsage(
  tx: WriteHandle,
  partnerId: string,
  customerId: string,
  amountMicros: number
): Promise<void> {
  if (amountMicros === 0) return
  await tx
    .insertInto('usage')
    .values({
      id: newId('use'),
      partnerId,
      customerId,
      source: 'ai_credits',
      amountMicros,
      occurredAt: now(),
      billedAt: null
    })
    .execute()
}

declare module '../database/tables.ts' {
  interface Tables {
    /** What a customer used and what it is billed; usage sync and AI credits write it, the customer list sums it. */
    usage: {
      id: string
      partnerId: string
      customerId: string
      source: string
      amountMicros: number
      occurredAt: string
      billedAt: string | null
    }
  }
}
