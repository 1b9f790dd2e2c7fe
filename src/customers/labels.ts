// The labels in use: they are free texts, and a filter offers those that would find somebody.
import type { z } from 'zod'
import type { CustomerLabels } from '../../schemas/customer.ts'
import type { ReadHandle } from '../database/database.ts'

type Labels = z.input<typeof CustomerLabels>['data']

/** More than a list of choices can be read through. */
const MAX_LABELS = 100

export async function labelsInUse(db: ReadHandle, partnerId: string): Promise<Labels> {
  const [monthlyCallVolume, callComplexity, deploymentTimeline] = await Promise.all([
    labelsOf(db, partnerId, 'monthlyCallVolume'),
    labelsOf(db, partnerId, 'callComplexity'),
    labelsOf(db, partnerId, 'deploymentTimeline')
  ])
  return { monthlyCallVolume, callComplexity, deploymentTimeline }
}

async function labelsOf(db: ReadHandle, partnerId: string, column: keyof Labels): Promise<string[]> {
  const rows = await db
    .selectFrom('customer')
    .where('partnerId', '=', partnerId)
    .where(column, 'is not', null)
    .where(column, '!=', '')
    .select(column)
    .distinct()
    .orderBy(column)
    .limit(MAX_LABELS)
    .execute()
  return inNaturalOrder(rows.map((row) => row[column] ?? ''))
}

/** “1000-5000” comes after “500-1000”, on either database. */
const inNaturalOrder = (labels: string[]): string[] =>
  labels.toSorted(new Intl.Collator('en', { numeric: true }).compare)
