// One partner's world as it should be: plain values, and the few rules that the service keeps.
import { expect } from 'vitest'
import { estimatePrice, type PricedInputs } from '../../../src/customers/pricing.ts'
import { fromMicros, toMicros } from '../../../src/money.ts'

type Fields = Record<string, unknown>

export interface ModelCustomer {
  /** What GET answers, but for `portalAccess`, which follows from it, and `updatedAt`, which only moves on. */
  record: Fields & { id: string; customerId: string; email: string; createdAt: string }
  updatedAt: string
  team: (Fields & { id: string; email: string })[]
  hasPlan: boolean
}

interface Mapping {
  customer: ModelCustomer
  profitMultiplier: number
}

export interface PartnerModel {
  /** In the order in which they came. */
  customers: ModelCustomer[]
  /** By provider and id, such as `a agent-1`; an agent that nobody has is there with `undefined`. */
  agents: Map<string, Mapping | undefined>
  /** Every mail that was caused: template and recipient. */
  mails: string[]
  /** Answers that an Idempotency-Key brings back, by operation and key. */
  kept: Map<string, { input: string; output: Fields }>
}

export const AGENT_IDS = ['agent-1', 'agent-2'] as const

export const emptyModel = (): PartnerModel => ({
  customers: [],
  agents: new Map(['a', 'b'].flatMap((provider) => AGENT_IDS.map((id) => [`${provider} ${id}`, undefined]))),
  mails: [],
  kept: new Map()
})

/** The customer with that id or short code, in any case. */
export const findCustomer = ({ customers }: PartnerModel, reference: unknown): ModelCustomer | undefined =>
  customers.find(
    ({ record: { id, customerId } }) => id === reference || customerId === String(reference).toUpperCase()
  )

/** Whether a customer other than `except` has that e-mail, in any spelling. */
export const isEmailTaken = ({ customers }: PartnerModel, email: unknown, except?: ModelCustomer): boolean =>
  customers.some((customer) => customer !== except && isSameEmail(customer.record.email, email))

export const isSameEmail = (one: string, other: unknown): boolean =>
  one.toLowerCase() === String(other).toLowerCase()

/** What plans of these tests change in a new customer. */
export const PLAN_FEATURES = { maxTeamMembers: 1, enableAiMemory: true, trialDays: 14 }

/** A new customer's record, but for what only the service can know. */
export function newRecord(intake: Fields, priced: PricedInputs, hasPlan: boolean): Fields {
  const { priceMicros, lines } = estimatePrice(priced)
  return {
    ...NO_ANSWERS,
    ...DEFAULTS,
    ...(hasPlan
      ? { maxTeamMembers: PLAN_FEATURES.maxTeamMembers, enableAiMemory: PLAN_FEATURES.enableAiMemory }
      : { planId: null }),
    ...intake,
    estimatedPrice: fromMicros(priceMicros),
    priceLines: lines
  }
}

const AS_AGREED = 'As agreed'

/** The lines of the estimate, and the difference to what was agreed: together they are what the customer pays. */
export function agreedLines({ agreedPrice, estimatedPrice, priceLines }: Fields): Fields[] {
  const estimated = [priceLines]
    .flat()
    .map(Object)
    .filter(({ item }) => item !== AS_AGREED)
  const amount = fromMicros(
    toMicros(Number(agreedPrice ?? estimatedPrice)) - toMicros(Number(estimatedPrice))
  )
  return amount === 0 ? estimated : [...estimated, { item: AS_AGREED, amount }]
}

const NO_ANSWERS = {
  firstName: null,
  lastName: null,
  businessPhone: null,
  companyName: null,
  portalLanguage: null,
  monthlyCallVolume: null,
  peakHours: null,
  callComplexity: null,
  scriptComplexity: null,
  primaryUseCase: null,
  customAutomation: null,
  crmSystem: null,
  phoneSystem: null,
  languages: null,
  deploymentTimeline: null,
  wantsDemo: null
}

const DEFAULTS = {
  isOnboardingCompleted: false,
  unbilledAmount: 0,
  currency: 'USD',
  orderStatus: 'new',
  dealStatus: 'won',
  billingType: 'postpaid',
  agreedPrice: null,
  enableAdvancedAnalytics: false,
  enableApiAccess: false,
  customerPortalEnabled: false,
  showKnowledgeBase: true,
  showIntegration: true,
  allowedApps: ['cli-agent', 'shell-agent'],
  maxTeamMembers: 5,
  enableTeamMembers: true,
  aiCreditsEnabled: false,
  aiCreditPricePerMinute: null,
  lowCreditThreshold: null,
  lowCreditNotificationsEnabled: false,
  enableAiMemory: false,
  creditPlanIds: [],
  deploymentStatus: 'pending',
  deploymentNotes: null,
  deploymentCompletedAt: null,
  credentialStatus: 'none'
}

/** What a customer's page says of it, but for `updatedAt`: nobody of the model takes an invite. */
export function answerOf(record: Fields): Fields {
  const { credentialStatus, customerPortalEnabled } = record
  const isOff = customerPortalEnabled ? undefined : 'off'
  const state = { none: 'none', suspended: 'blocked' }[String(credentialStatus)] ?? isOff ?? 'invited'
  return { ...record, portalAccess: { state, at: state === 'invited' ? expect.any(String) : null } }
}

/** What the list says of a customer, but for `updatedAt`. */
export function listItem(model: PartnerModel, customer: ModelCustomer): Fields {
  const { record, hasPlan } = customer
  const hasAgent = (provider: string) =>
    [...model.agents].some(
      ([agent, mapping]) => agent.startsWith(`${provider} `) && mapping?.customer === customer
    )
  return {
    ...Object.fromEntries(LISTED.map((field) => [field, answerOf(record)[field]])),
    subscriptions: hasPlan ? 1 : 0,
    hasVoiceAgentA: hasAgent('a'),
    hasVoiceAgentB: hasAgent('b'),
    // Nobody of the model signs in.
    hasEntered: false,
    isOnTrial: hasPlan,
    subscriptionStatus: hasPlan ? 'trialing' : 'none'
  }
}

const LISTED = [
  'id',
  'firstName',
  'lastName',
  'email',
  'companyName',
  'monthlyCallVolume',
  'callComplexity',
  'customerId',
  'portalAccess',
  'unbilledAmount',
  'currency',
  'deploymentStatus',
  'credentialStatus',
  'createdAt'
]

/** What the list's filters leave, newest first. */
export function matching({ customers }: PartnerModel, filter: Fields): ModelCustomer[] {
  const isMatch = ({ record }: ModelCustomer) =>
    ['monthlyCallVolume', 'callComplexity', 'deploymentTimeline'].every(
      (label) => filter[label] === undefined || filter[label] === record[label]
    ) &&
    (filter.search === undefined ||
      searchedTexts(record).some((text) => text.includes(folded(filter.search))))
  return customers.filter(isMatch).toSorted((a, b) => (newnessOf(a) < newnessOf(b) ? 1 : -1))
}

const newnessOf = ({ record: { createdAt, id } }: ModelCustomer): string => `${createdAt} ${id}`

const searchedTexts = ({ firstName, lastName, email, businessPhone, companyName }: Fields): string[] =>
  [[firstName, lastName].filter(Boolean).join(' '), email, businessPhone, companyName].map(folded)

const folded = (text: unknown): string =>
  String(text ?? '')
    .normalize('NFC')
    .toLowerCase()
    .trim()
