import type { Generated, Selectable } from 'kysely'
import type { z } from 'zod'
import {
  type CreatePlan,
  type ListPlans,
  type Plan,
  StoredPlanFeatures,
  type UpdatePlan
} from '../../schemas/plan.ts'
import type { Period } from '../billing/calendar.ts'
import { now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { changeWhere } from '../database/known.ts'
import { pageOfRows } from '../database/page.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../ids.ts'
import { invalidField } from '../invalid-input.ts'
import { fromMicros, toMicros } from '../money.ts'

type Given = z.output<typeof CreatePlan>
type NewPlan = Pick<Given, 'name' | 'kind' | 'features'> & Partial<Given>
type Changes = Omit<z.output<typeof UpdatePlan>, 'planId'>

/** @throws ServiceError `invalid_input` for a pack with a price and no credits, or the other way round */
export async function insertPlan(
  tx: WriteHandle,
  partnerId: string,
  { kind, name, features, ...terms }: NewPlan
): Promise<Plan> {
  const id = newId('pln')
  const row = { id, partnerId, name, kind, features: JSON.stringify(features), createdAt: now() }
  await tx
    .insertInto('plan')
    .values({ ...columnsOf(terms), ...row })
    .execute()
  return writtenPlan(tx, partnerId, id)
}

/**
 * Changes the plan for whoever is given it from now on.
 *
 * @throws ServiceError `plan_not_found`, and `invalid_input` as `insertPlan`
 */
export async function updatePlan(
  tx: WriteHandle,
  partnerId: string,
  { planId, ...changes }: z.output<typeof UpdatePlan>
): Promise<Plan> {
  await changeWhere(tx, 'plan', { partnerId, id: planId })
    .set((eb) => ({ ...columnsOf(changes), version: eb('version', '+', 1), updatedAt: now() }))
    .execute()
  return writtenPlan(tx, partnerId, planId)
}

/** What isn't said is left alone. */
const columnsOf = ({ name, features, price, period, credits, isArchived }: Changes) => ({
  name,
  period,
  features: features && JSON.stringify(features),
  priceMicros: price && toMicros(price),
  creditsMicros: credits && toMicros(credits),
  archivedAt: isArchived === undefined ? undefined : isArchived ? now() : null
})

/** The plan as it stands there now, where it can be sold so. */
async function writtenPlan(tx: WriteHandle, partnerId: string, planId: string): Promise<Plan> {
  const [plan = refuseUnknown('There is no plan with this id.')] = await listPlans(tx, partnerId, [planId])
  const { kind, price, credits } = plan
  if (kind !== 'credit' || (price === null) === (credits === null)) return plan
  const [field, other] = credits === null ? ['credits', 'price'] : ['price', 'credits']
  throw invalidField(field, `is needed beside ${other}: customers buy so many credits at a price`)
}

const plansOf = (db: ReadHandle, partnerId: string) =>
  db.selectFrom('plan').where('plan.partnerId', '=', partnerId)

const newestOf = (plans: ReturnType<typeof plansOf>) =>
  plans
    .innerJoin('partner', 'partner.id', 'plan.partnerId')
    .selectAll('plan')
    .select('partner.currency')
    .orderBy('plan.createdAt', 'desc')
    .orderBy('plan.id', 'desc')

/** All of them, or those of the ids that are the partner's. */
export async function listPlans(db: ReadHandle, partnerId: string, ids?: readonly string[]) {
  const all = plansOf(db, partnerId)
  // PostgreSQL knows no empty list.
  const rows = await newestOf(ids ? all.where('plan.id', 'in', [...ids, '']) : all).execute()
  return rows.map(toPlan)
}

export async function pageOfPlans(
  db: ReadHandle,
  partnerId: string,
  { kind, planId, ...page }: z.output<typeof ListPlans>
) {
  let matching = plansOf(db, partnerId)
  if (kind !== undefined) matching = matching.where('kind', '=', kind)
  if (planId !== undefined) matching = matching.where('plan.id', '=', planId)
  const { rows, pagination } = await pageOfRows(page, newestOf(matching), matching)
  return { data: rows.map(toPlan), pagination }
}

const NOT_ON_OFFER = {
  subscription: 'planId is not one of your subscription plans.',
  credit: 'planId is not a pack that this customer may buy.'
}

/** The partner's plan of that kind, to be given or sold now. @throws ServiceError `plan_not_found` */
export async function planOnOffer(db: ReadHandle, partnerId: string, kind: Plan['kind'], planId: string) {
  const [plan] = await listPlans(db, partnerId, [planId])
  // Credit plans of old have neither a price nor credits.
  if (plan?.kind !== kind || (kind === 'credit' && plan.price === null))
    return refuseUnknown(NOT_ON_OFFER[kind])
  if (!plan.isArchived) return plan
  return refuseUnknown(`The plan ${plan.name} is archived: it can’t be given or bought any more.`)
}

function refuseUnknown(message: string): never {
  throw new ServiceError('plan_not_found', message, { field: 'planId' })
}

const toPlan = (row: Selectable<Tables['plan']> & { currency: string }): Plan => ({
  planId: row.id,
  name: row.name,
  kind: row.kind,
  features: StoredPlanFeatures.parse(JSON.parse(row.features)),
  price: row.priceMicros === null ? null : fromMicros(row.priceMicros),
  period: row.period,
  credits: row.creditsMicros === null ? null : fromMicros(row.creditsMicros),
  currency: row.currency,
  version: row.version,
  isArchived: row.archivedAt !== null,
  createdAt: row.createdAt
})

declare module '../database/tables.ts' {
  interface Tables {
    plan: Owned & {
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
