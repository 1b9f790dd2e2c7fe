// What customers are told apart by, in free texts of the partner's own.
import type { ReadHandle } from '../database/database.ts'
import { countsOf } from '../database/row-count.ts'

export const LABELS = ['monthlyCallVolume', 'callComplexity', 'deploymentTimeline'] as const

const MAX_LABELS = 100

/** The labels in use: they are free texts, and a filter offers those that would find somebody. */
export async function labelsInUse(db: ReadHandle, partnerId: string) {
  const [monthlyCallVolume, callComplexity, deploymentTimeline] = await Promise.all([
    labelsOf(db, partnerId, 'monthlyCallVolume'),
    labelsOf(db, partnerId, 'callComplexity'),
    labelsOf(db, partnerId, 'deploymentTimeline')
  ])
  return { monthlyCallVolume, callComplexity, deploymentTimeline }
}

async function labelsOf(db: ReadHandle, partnerId: string, column: (typeof LABELS)[number]) {
  const rows = await countsOf(db, partnerId)
    .where('subject', '=', `customer.${column}`)
    .where('value', '!=', '')
    .select('value')
    .orderBy('value')
    .limit(MAX_LABELS)
    .execute()
  return inNaturalOrder(rows.map(({ value }) => value))
}

/** “1000-5000” comes after “500-1000”, on either database. */
const inNaturalOrder = (labels: string[]): string[] =>
  labels.toSorted(new Intl.Collator('en', { numeric: true }).compare)
