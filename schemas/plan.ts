// Subscription and credit plans; a plan's features overwrite a new customer's defaults.
import { z } from 'zod'
import { APP_IDS, customerFeatures } from './customer-fields.ts'
import { PageQuery, pageOf } from './envelope.ts'
import { createdAt, requiredLine, said } from './primitives.ts'

export const PlanKind = z.enum(['subscription', 'credit'])

/** The flag, menu, team and credit fields of §2.1, and the length of a trial in days. */
export const PlanFeatures = z
  .strictObject({
    ...customerFeatures,
    trialDays: said(z.int().min(0).max(3650), 'Length of the trial in days.', 14, {
      label: 'Trial days',
      help: 'How long the customer is on trial after it was onboarded.',
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

export const CreatePlan = z.strictObject({ name: requiredLine(200), kind: PlanKind, features: PlanFeatures })

export const ListPlans = PageQuery.extend({
  kind: said(PlanKind, 'Only plans of this kind.', 'subscription').optional()
})

export const Plan = z
  .object({
    planId: said(z.string(), 'Plan id.', 'pln_2b6d8f0h3j5l7n9p1r4t'),
    name: said(z.string(), 'What the plan is called.', 'Pro'),
    kind: said(PlanKind, '`subscription` is given at onboarding, `credit` can be bought.', 'subscription'),
    features: said(
      PlanFeatures,
      'What the plan sets; a field that is missing stays as it is without a plan.'
    ),
    createdAt
  })
  .meta({ id: 'Plan' })
export type Plan = z.output<typeof Plan>

export const PlanPage = pageOf(Plan)
export const CreatePlanResult = z.object({ message: z.string(), data: Plan })
