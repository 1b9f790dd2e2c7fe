import type { Generated, Selectable } from 'kysely'
import type { z } from 'zod'
import { type CreatePlan, type ListPlans, type Plan, StoredPlanFeatures } from '../../schemas/plan.ts'
import type { Period } from '../billing/calendar.ts'
import { now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { pageOfRows } from '../database/page.ts'
import type { Tables } from '../database/tables.ts'
import { newId } from '../ids.ts'

export async function insertPlan(
  tx: WriteHandle,
  partnerId: string,
  { name, kind, features }: z.output<typeof CreatePlan>
): Promise<Plan> {
  const id = newId('pln')
  const createdAt = now()
  const row = { id, partnerId, name, kind, features: JSON.stringify(features), createdAt }
  await tx.insertInto('plan').values(row).execute()
  return { planId: id, name, kind, features, createdAt }
}

const plansOf = (db: ReadHandle, partnerId: string) =>
  db.selectFrom('plan').where('partnerId', '=', partnerId)

export async function listPlans(db: ReadHandle, partnerId: string) {
  const newest = plansOf(db, partnerId).selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc')
  return (await newest.execute()).map(toPlan)
}

export async function pageOfPlans(
  db: ReadHandle,
  partnerId: string,
  { kind, ...page }: z.output<typeof ListPlans>
) {
  let matching = plansOf(db, partnerId)
  if (kind !== undefined) matching = matching.where('kind', '=', kind)
  const newest = matching.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc')
  const { rows, pagination } = await pageOfRows(page, newest, matching)
  return { data: rows.map(toPlan), pagination }
}

export async function findPlan(db: ReadHandle, partnerId: string, planId: string) {
  const row = await plansOf(db, partnerId).where('id', '=', planId).selectAll().executeTakeFirst()
  return row && toPlan(row)
}

const toPlan = ({ id, name, kind, features, createdAt }: Selectable<Tables['plan']>): Plan => ({
  planId: id,
  name,
  kind,
  features: StoredPlanFeatures.parse(JSON.parse(features)),
  createdAt
})

declare module '../database/tables.ts' {
  interface Tables {
    plan: {
      id: string
      partnerId: string
      name: string
      kind: 'subscription' | 'credit'
      /** JSON object, see schemas/plan.ts `PlanFeatures`. */
      features: string
      /** A period's price of a subscription, or a pack's. */
      priceMicros: Generated<number | null>
      period: Generated<Period>
      /** Of a pack, what is bought; of a subscription, what it starts with. */
      creditsMicros: Generated<number | null>
      /** 1, 2, 3 …: customers keep the terms of the version that they were given. */
      version: Generated<number>
      updatedAt: Generated<string | null>
      archivedAt: Generated<string | null>
      createdAt: string
    }
  }
}
