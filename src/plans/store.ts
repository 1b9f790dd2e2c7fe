import type { z } from 'zod'
import { type CreatePlan, PlanFeatures } from '../../schemas/plan.ts'
import { now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import type { PlanTable } from '../database/tables.ts'
import { newId } from '../ids.ts'

export interface Plan {
  planId: string
  name: string
  kind: PlanTable['kind']
  features: PlanFeatures
  createdAt: string
}

export async function insertPlan(
  tx: WriteHandle,
  partnerId: string,
  { name, kind, features }: z.output<typeof CreatePlan>
): Promise<{ planId: string }> {
  const planId = newId('pln')
  await tx
    .insertInto('plan')
    .values({ id: planId, partnerId, name, kind, features: JSON.stringify(features), createdAt: now() })
    .execute()
  return { planId }
}

export async function listPlans(db: ReadHandle, partnerId: string): Promise<Plan[]> {
  const rows = await db
    .selectFrom('plan')
    .where('partnerId', '=', partnerId)
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toPlan)
}

export async function findPlan(db: ReadHandle, partnerId: string, planId: string): Promise<Plan | undefined> {
  const row = await db
    .selectFrom('plan')
    .where('partnerId', '=', partnerId)
    .where('id', '=', planId)
    .selectAll()
    .executeTakeFirst()
  return row && toPlan(row)
}

const toPlan = ({ id, name, kind, features, createdAt }: PlanTable): Plan => ({
  planId: id,
  name,
  kind,
  features: PlanFeatures.parse(JSON.parse(features)),
  createdAt
})
