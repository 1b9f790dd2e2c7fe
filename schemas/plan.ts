// Subscription and credit plans; a plan's features overwrite a new customer's defaults.
import { z } from 'zod'
import { APP_IDS } from './app.ts'
import { CreditAmount } from './credits.ts'
import { customerFeatures } from './customer-fields.ts'
import { lookingBy, PageQuery, pageOf } from './envelope.ts'
import { optionals } from './fields.ts'
import { createdAt, currency, inMillionths, Money, RecordId, requiredLine, said, told } from './primitives.ts'

export const PERIODS = ['month', 'quarter', 'year'] as const

export const PlanKind = z.enum(['subscription', 'credit'])

/** The flag, menu, team and credit fields of §2.1, and the length of a trial in days. */
export const PlanFeatures = z
  .strictObject({
    ...customerFeatures,
    trialDays: said(z.int().min(0).max(3650), 'Length of the trial in days.', 14, {
      label: 'Trial days',
      help: 'How long the customer’s first plan costs nothing.',
      usual: 'no trial'
    })
  })
  .partial()
export type PlanFeatures = z.infer<typeof PlanFeatures>

/** As they were kept: an app that isn't in the catalog is passed over. */
export const StoredPlanFeatures = PlanFeatures.extend({
  allowedApps: z
    .array(z.string())
    .transform((kept) => APP_IDS.filter((app) => kept.includes(app)))
    .optional()
})

/** What a plan sells, and at which price; each of them may be none. */
export const planTerms = {
  price: said(
    inMillionths(Money),
    'What a subscription costs for each period, or a pack once, in your currency; null for nothing.',
    49,
    { label: 'Price', help: 'In your currency, of each period or of the pack. Empty is for nothing.' }
  ).nullable(),
  period: said(z.enum(PERIODS), 'How often a subscription’s price is charged.', 'month', { label: 'Period' }),
  credits: said(
    CreditAmount,
    'AI credits that a pack holds, or that a subscription starts with; null for none.',
    500,
    { label: 'Credits', help: 'What the pack holds, or what the customer starts with.' }
  ).nullable()
}

const name = said(requiredLine(200), 'What the plan is called.', 'Pro', { label: 'Name' })

export const CreatePlan = z.strictObject({
  name,
  kind: said(PlanKind, 'What it sells.', 'subscription', {
    label: 'Kind',
    help: 'A subscription is given to a customer; credits are a pack that customers may buy.'
  }),
  features: PlanFeatures,
  ...optionals(planTerms, 'price', 'period', 'credits')
})

const isArchived = told.flag('Whether it can’t be given or bought any more.', false)
const planId = said(RecordId, 'Plan id.', 'pln_2b6d8f0h3j5l7n9p1r4t')

/** What is left out stays as it is. */
export const UpdatePlan = z
  .strictObject({ name, features: PlanFeatures, ...planTerms, isArchived })
  .partial()
  .extend({ planId })

export const ListPlans = PageQuery.extend({
  kind: said(PlanKind, 'Only plans of this kind.', 'subscription').optional(),
  planId: said(RecordId, 'Only the plan with this id.', 'pln_2b6d8f0h3j5l7n9p1r4t').optional()
})

export const FindPlans = PageQuery.extend(lookingBy('name'))

export const Plan = z
  .object({
    planId,
    name: told.text('What the plan is called.', 'Pro'),
    kind: said(PlanKind, '`subscription` is given to a customer, `credit` can be bought.', 'subscription'),
    features: said(
      PlanFeatures,
      'What the plan sets; a field that is missing stays as it is without a plan.'
    ),
    ...planTerms,
    currency,
    version: told.count('Counts its changes: customers keep the terms that they were given.', 1),
    isArchived,
    createdAt
  })
  .meta({ id: 'Plan' })
export type Plan = z.output<typeof Plan>

export const PlanPage = pageOf(Plan)
export const ChangedPlan = z.object({ message: z.string(), data: Plan })
