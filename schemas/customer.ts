// A partner's customer (§2.1) and what the operations on it take and answer (§4A).
import { z } from 'zod'
import { CreditAmount } from './credits.ts'
import {
  creditPlanIds,
  deployment,
  email,
  features,
  INTAKE_PARTS,
  identity,
  intake,
  terms
} from './customer-fields.ts'
import { data, doneOf, lookingBy, message, PageQuery, pageOf } from './envelope.ts'
import { nullable, optionals, stored } from './fields.ts'
import {
  CustomerId,
  createdAt,
  currency,
  Label,
  line,
  optional,
  RecordId,
  said,
  Timestamp,
  told,
  updatedAt
} from './primitives.ts'

/** Body of PATCH /customers/{customerId}: any subset; `null` clears what is optional, and anything else is refused by name. */
export const UpdateCustomer = z
  .strictObject({
    email,
    ...nullable(intake),
    ...features,
    creditPlanIds,
    ...terms,
    ...deployment
  })
  .partial()
  .meta({ id: 'UpdateCustomer' })

export const OnboardCustomer = z
  .strictObject({
    basic: INTAKE_PARTS.basic,
    business: optional(INTAKE_PARTS.business),
    requirements: optional(INTAKE_PARTS.requirements),
    integration: optional(INTAKE_PARTS.integration),
    deployment: optional(INTAKE_PARTS.deployment),
    isQuickOnboarding: optional(
      told.flag('Skips the extended intake fields.', false, {
        label: 'Quick onboarding',
        help: 'The price comes from the call volume alone, and the intake counts as not complete.'
      })
    ).describe('Skips the extended fields'),
    allowPortalAccess: optional(
      told.flag('Sends a portal invite with credentials.', true, {
        label: 'Invite to the portal',
        help: 'Mails an invite with a temporary password. You can also send it later.'
      })
    ).describe('Mails a portal invite'),
    planId: optional(
      said(RecordId, 'Subscription plan whose features apply.', 'pln_2b6d8f0h3j5l7n9p1r4t', {
        label: 'Plan',
        help: 'The customer gets the plan’s features, and its trial.'
      })
    ),
    startingCredits: optional(
      said(CreditAmount, 'AI credits that the customer starts with, beside those of its plan.', 100, {
        label: 'AI credits to start with'
      })
    )
  })
  .meta({ id: 'OnboardCustomer' })

export const CreateCustomer = z
  .strictObject({ email, ...optionals(intake, 'firstName', 'lastName', 'companyName', 'businessPhone') })
  .meta({ id: 'CreateCustomer' })

/** Query of GET /customers (§4A), and our `updatedSince`. */
export const ListCustomers = PageQuery.extend({
  search: said(line(200), 'Text in name, e-mail, phone or company, in any case.', 'engines')
    .optional()
    .describe('Name, email, phone, company'),
  monthlyCallVolume: said(Label, 'Only customers of this call-volume tier.', '1000-5000').optional(),
  callComplexity: said(Label, 'Only customers of this complexity level.', 'medium').optional(),
  deploymentTimeline: said(Label, 'Only customers with this timeline.', '1 month').optional(),
  credentialStatus: said(
    z.enum(['none', 'active', 'suspended']),
    'Only customers never invited to the portal, with access, or blocked.',
    'active'
  ).optional(),
  hasEntered: told
    .flag(
      'Only customers whose owner has been in the portal, or hasn’t: with `credentialStatus` `active`, who was invited and hasn’t come.',
      false
    )
    .optional()
    .describe('false and active: invited, not come'),
  updatedSince: said(
    Timestamp,
    'Only customers that changed at or after this time.',
    '2026-01-01T00:00:00Z'
  ).optional()
})

export const FindCustomers = ListCustomers.extend({
  ...lookingBy('name', 'companyName'),
  emails: z.array(line(320)).max(100).optional(),
  ids: z.array(RecordId).max(100).optional(),
  orderStatus: Label.optional(),
  isOnTrial: z.boolean().optional(),
  /** `credits`: below its threshold, or with none left; `invite`: one that nobody took lapses within two days, or has. */
  need: z.enum(['credits', 'invite']).optional()
})

export const ExportCustomers = FindCustomers.omit({ page: true, limit: true, sort: true }).extend({
  cursor: line(100).optional()
})

export const CustomerLabels = z.object({
  data: z.object({
    monthlyCallVolume: z.array(z.string()),
    callComplexity: z.array(z.string()),
    deploymentTimeline: z.array(z.string())
  })
})

export const CustomerPath = z.strictObject({ customerId: CustomerId })

/** Named once more, by the code alone: an address would end up in the logs of whatever the URL passes through. */
export const EraseCustomer = CustomerPath.extend({
  confirm: said(RecordId, 'Its short code once more: this is the customer to erase.', 'C-7KQ2M9XD')
})

const state = {
  estimatedPrice: told.amount('Estimated monthly price.', 499),
  orderStatus: told.text('`new`, then `active` once an agent is mapped or deployed.', 'new'),
  dealStatus: told.text('State of the deal.', 'won'),
  credentialStatus: told.text('Portal access: `none`, `active` or `suspended`.', 'active')
}
const unbilledAmount = told.amount(
  'What the customer owes that is not billed yet: calls, AI credits, packs and subscription.',
  42.5
)
const priceLines = said(
  z.array(
    z.object({
      item: told.text('What it is for.', 'Base price'),
      amount: told.amount('Its part of the price; negative where it takes off.', 499)
    })
  ),
  'Line items of the price: they sum to `agreedPrice`, or to `estimatedPrice` where none was agreed.',
  [{ item: 'Base price', amount: 499 }]
)
const isOnboardingCompleted = told.flag('Whether the intake is complete.', true)
const { estimatedPrice, orderStatus, dealStatus, credentialStatus } = state
const portalAccess = z
  .object({
    state: said(
      z.enum(['none', 'invited', 'lapsed', 'active', 'blocked', 'off']),
      '`lapsed`: nobody took the invite in time; `off`: the portal is switched off for it.',
      'active'
    ),
    at: told.text('When the invite lapses or did, or its owner was seen last.', null).nullable()
  })
  .describe('How far its owner got into the portal.')
const times = { createdAt, updatedAt }

/** A customer as GET and PATCH answer it (§4A), with every field that PATCH takes. */
export const Customer = z
  .object({
    ...identity,
    ...stored({ email, ...nullable(intake) }),
    isOnboardingCompleted,
    estimatedPrice,
    priceLines,
    unbilledAmount,
    currency,
    orderStatus,
    dealStatus,
    ...stored({ ...terms, ...features, creditPlanIds, ...deployment }),
    credentialStatus,
    portalAccess,
    ...times
  })
  .meta({ id: 'Customer' })

const { firstName, lastName, companyName, monthlyCallVolume, callComplexity, deploymentStatus } =
  Customer.shape

export const OnboardedCustomer = z
  .object({
    id: identity.id,
    email: Customer.shape.email,
    firstName,
    lastName,
    companyName,
    monthlyCallVolume,
    estimatedPrice,
    priceBreakdown: told
      .text(
        'JSON text of the line items, which sum to `estimatedPrice`.',
        '{"items":[{"item":"Base price","amount":499}],"total":499}'
      )
      .describe('JSON text of the line items; they sum to estimatedPrice'),
    currency,
    orderStatus,
    isOnboardingCompleted,
    ...times
  })
  .meta({ id: 'OnboardedCustomer' })

export const CustomerListItem = z
  .object({
    id: identity.id,
    firstName,
    lastName,
    email: Customer.shape.email,
    companyName,
    monthlyCallVolume,
    callComplexity,
    customerId: identity.customerId,
    subscriptions: told.count('Number of subscriptions.', 1),
    unbilledAmount,
    currency,
    deploymentStatus,
    hasVoiceAgentA: told.flag('Whether an agent of provider A is mapped.', true),
    hasVoiceAgentB: told.flag('Whether an agent of provider B is mapped.', false),
    isOnTrial: told.flag('Whether the plan’s trial is running.', false),
    subscriptionStatus: told.text(
      '`trialing`, `active`, `past_due` until it is paid for, `canceled` after a plan, or `none`.',
      'active'
    ),
    credentialStatus,
    hasEntered: told.flag('Whether its owner has been in the portal, with a password of its own.', true),
    portalAccess,
    ...times
  })
  .meta({ id: 'CustomerListItem' })

export const OnboardCustomerResult = doneOf(
  'The customer was onboarded and a portal invite is on its way.',
  OnboardedCustomer
)
export const CreateCustomerResult = doneOf('The customer was created.', Customer)
export const CustomerResult = z.object({ data: data(Customer) })
export const CustomerPage = pageOf(CustomerListItem)
export const CustomerSlice = z.object({ data: z.array(CustomerListItem), nextCursor: z.string().nullable() })

const PortalStatus = said(
  z.enum(['active', 'suspended']),
  '`credentialStatus` after the change; left out of the body, the other one.',
  'suspended'
)

export const BlockPortalAccess = CustomerPath.extend({
  newStatus: PortalStatus.optional().describe('Send it: else it toggles')
})

export const PortalBlockResult = z.object({
  message: message('Portal access is blocked.'),
  newStatus: PortalStatus,
  action: said(z.enum(['blocked', 'granted']), 'What the call did.', 'blocked')
})

/** Opens a portal to look at, and says whose it is. */
export const PortalView = z.object({ token: z.string(), slug: z.string() })
