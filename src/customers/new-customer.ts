// What a customer starts with: the answers given, the defaults, a plan's features on top, and the estimated price.
import type { z } from 'zod'
import type { OnboardCustomer } from '../../schemas/customer.ts'
import { now } from '../clock.ts'
import { grantCredits } from '../credits/store.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { newCustomerCode, newId } from '../ids.ts'
import { toMicros } from '../money.ts'
import { planOnOffer } from '../plans/store.ts'
import { changePlan } from '../subscriptions/change.ts'
import { toColumns, usualColumns } from './columns.ts'
import {
  breakdownText,
  DEFAULT_PRICE_MODEL,
  estimatePrice,
  type PricedInputs,
  PriceModel
} from './pricing.ts'
import { insertCustomer, isEmailTaken, searchTextOf } from './store.ts'
import type { CustomerChanges, CustomerTable } from './table.ts'

export interface NewCustomer {
  /** The onboarding answers, flat, by the names that PATCH uses. */
  intake: CustomerChanges & { email: string }
  /** Where the request had the e-mail, for a refusal that names the field. */
  emailField: string
  /** What of the intake raises the price; quick onboarding leaves the extended answers out. */
  priced: PricedInputs
  isOnboardingCompleted: boolean
  planId?: string | undefined
  /** AI credits, beside those of the plan. */
  startingCredits?: number | undefined
}

/** The nested onboarding body (§4A) as a new customer's flat fields, and what of it counts for the price. */
export function toNewCustomer(body: z.output<typeof OnboardCustomer>): NewCustomer {
  const { basic, business, requirements, integration, deployment } = body
  const intake = { ...basic, ...business, ...requirements, ...integration, ...deployment }
  const { companyName, monthlyCallVolume, primaryUseCase, deploymentTimeline } = intake
  // isQuickOnboarding skips the extended intake: what came with it is kept, but neither priced nor counted as complete.
  const isComplete = companyName && monthlyCallVolume && primaryUseCase && deploymentTimeline
  return {
    intake,
    emailField: 'basic.email',
    priced: body.isQuickOnboarding ? { monthlyCallVolume } : intake,
    isOnboardingCompleted: Boolean(isComplete) && !body.isQuickOnboarding,
    planId: body.planId,
    startingCredits: body.startingCredits
  }
}

/** Chances of 2^-40 a code; a second collision in a row means that something else is wrong. */
const MAX_CODE_ATTEMPTS = 5

/**
 * Adds the customer with its plan's features and subscription.
 *
 * @throws ServiceError `email_exists` (§7: 400), `plan_not_found`
 */
export async function addCustomer(tx: WriteHandle, partnerId: string, added: NewCustomer) {
  if (added.planId !== undefined) await planOnOffer(tx, partnerId, 'subscription', added.planId)
  const { priceMicros, lines } = estimatePrice(added.priced, (await pricesOf(tx, partnerId)).model)
  const createdAt = now()
  const fields = { ...usualColumns(), ...toColumns(added.intake) }
  const row: CustomerTable = {
    ...fields,
    id: newId('cus'),
    partnerId,
    code: newCustomerCode(),
    searchText: searchTextOf(fields),
    estimatedPriceMicros: priceMicros,
    priceBreakdown: breakdownText(lines, priceMicros),
    orderStatus: 'new',
    dealStatus: 'won',
    isOnboardingCompleted: added.isOnboardingCompleted ? 1 : 0,
    subscriptionStatus: 'none',
    credentialStatus: 'none',
    ownerIdentityId: null,
    createdAt,
    updatedAt: createdAt
  }
  const customer = await insertWithFreeCode(tx, row)
  if (!customer) throw emailExists(added.emailField)
  if (added.startingCredits !== undefined) {
    const paid = { kind: 'initial', operation: 'customer_onboard', reference: customer.id } as const
    const amountMicros = toMicros(added.startingCredits)
    await grantCredits(tx, { partnerId, customerId: customer.id }, { amountMicros, paid })
  }
  return added.planId === undefined ? customer : changePlan(tx, customer, added.planId)
}

/**
 * Refuses what `addCustomer` is going to refuse, for who has costly work to do before the transaction.
 *
 * @throws ServiceError `email_exists`, `plan_not_found`
 */
export async function checkNewCustomer(
  db: ReadHandle,
  partnerId: string,
  { intake, emailField, planId }: NewCustomer
) {
  if (planId !== undefined) await planOnOffer(db, partnerId, 'subscription', planId)
  if (await isEmailTaken(db, partnerId, intake.email)) throw emailExists(emailField)
}

async function insertWithFreeCode(tx: WriteHandle, row: CustomerTable) {
  for (let attempt = 0; attempt < MAX_CODE_ATTEMPTS; attempt += 1) {
    const candidate = attempt === 0 ? row : { ...row, code: newCustomerCode() }
    const outcome = await insertCustomer(tx, candidate)
    if (outcome === 'inserted') return candidate
    if (outcome === 'email_taken') return undefined
  }
  throw new Error('No free customer code was found')
}

/** The refusal of an e-mail that another customer of the partner has (§7: 400). */
export const emailExists = (field: string): ServiceError =>
  new ServiceError('email_exists', 'Another customer of yours already has this e-mail address.', { field })

/** What a partner's customers are asked for, and in which currency. */
export async function pricesOf(
  db: ReadHandle,
  partnerId: string
): Promise<{ model: PriceModel; currency: string }> {
  const partner = db.selectFrom('partner').where('id', '=', partnerId).select(['priceModel', 'currency'])
  const { priceModel, currency } = await partner.executeTakeFirstOrThrow()
  if (priceModel === null) return { model: DEFAULT_PRICE_MODEL, currency }
  return { model: PriceModel.parse({ ...DEFAULT_PRICE_MODEL, ...JSON.parse(priceModel) }), currency }
}
