// A partner's customer (§2.1) and what the operations on it take and answer (§4A).
import { z } from 'zod'
import { PageQuery, Pagination } from './envelope.ts'
import {
  CustomerId,
  Email,
  Label,
  line,
  Money,
  optional,
  optionalName,
  RecordId,
  requiredLine,
  StoredEmail,
  StoredTimestamp,
  setOf,
  Timestamp,
  text
} from './primitives.ts'

const name = optionalName(100)
const phone = line(50)
const company = optionalName(200)
const languages = setOf(Label)

/** Every app that a partner can deploy or show; a new customer may see all of them. */
export const APP_IDS = ['cli-agent'] as const

/** The switches, menu and team settings and AI-credit settings that PATCH and a plan can set. */
export const customerFeatures = {
  enableAdvancedAnalytics: z.boolean(),
  enableApiAccess: z.boolean(),
  customerPortalEnabled: z.boolean(),
  showKnowledgeBase: z.boolean(),
  showIntegration: z.boolean(),
  allowedApps: setOf(z.enum(APP_IDS)),
  maxTeamMembers: z.int().min(0).max(10_000),
  enableTeamMembers: z.boolean(),
  aiCreditsEnabled: z.boolean(),
  aiCreditPricePerMinute: Money,
  lowCreditThreshold: Money,
  lowCreditNotificationsEnabled: z.boolean(),
  enableAiMemory: z.boolean()
}

/** The intake questions of onboarding that PATCH can also set. */
const intake = {
  monthlyCallVolume: Label,
  peakHours: Label,
  callComplexity: Label,
  scriptComplexity: Label,
  primaryUseCase: text(2000),
  customAutomation: text(2000),
  crmSystem: Label,
  phoneSystem: Label,
  languages,
  deploymentTimeline: Label,
  wantsDemo: z.boolean()
}

const group = <Shape extends z.ZodRawShape>(shape: Shape) => optional(z.strictObject(shape))

/** Body of POST /customers/onboard (§4A). */
export const OnboardCustomer = z
  .strictObject({
    basic: z.strictObject({
      email: Email,
      firstName: optional(name),
      lastName: optional(name),
      businessPhone: optional(phone)
    }),
    business: group({
      companyName: optional(company),
      monthlyCallVolume: optional(intake.monthlyCallVolume),
      peakHours: optional(intake.peakHours)
    }),
    requirements: group({
      primaryUseCase: optional(intake.primaryUseCase),
      callComplexity: optional(intake.callComplexity),
      scriptComplexity: optional(intake.scriptComplexity),
      customAutomation: optional(intake.customAutomation),
      languages: optional(intake.languages)
    }),
    integration: group({ crmSystem: optional(intake.crmSystem), phoneSystem: optional(intake.phoneSystem) }),
    deployment: group({
      deploymentTimeline: optional(intake.deploymentTimeline),
      wantsDemo: optional(intake.wantsDemo)
    }),
    isQuickOnboarding: optional(z.boolean()).describe('Skips the extended intake fields'),
    allowPortalAccess: optional(z.boolean()).describe('Mails a portal invite with credentials'),
    planId: optional(RecordId).describe('Subscription plan whose features apply')
  })
  .meta({ id: 'OnboardCustomer' })

/** Body of POST /customers: the minimal record. */
export const CreateCustomer = z
  .strictObject({
    email: Email,
    firstName: optional(name),
    lastName: optional(name),
    companyName: optional(company),
    businessPhone: optional(phone)
  })
  .meta({ id: 'CreateCustomer' })

/** Body of PATCH /customers/{customerId}: any subset; `null` clears what is optional, and anything else is refused by name. */
export const UpdateCustomer = z
  .strictObject({
    email: Email,
    firstName: name.nullable(),
    lastName: name.nullable(),
    businessPhone: phone.nullable(),
    companyName: company.nullable(),
    monthlyCallVolume: intake.monthlyCallVolume.nullable(),
    peakHours: intake.peakHours.nullable(),
    callComplexity: intake.callComplexity.nullable(),
    scriptComplexity: intake.scriptComplexity.nullable(),
    primaryUseCase: intake.primaryUseCase.nullable(),
    customAutomation: intake.customAutomation.nullable(),
    crmSystem: intake.crmSystem.nullable(),
    phoneSystem: intake.phoneSystem.nullable(),
    languages: intake.languages.nullable(),
    deploymentTimeline: intake.deploymentTimeline.nullable(),
    wantsDemo: intake.wantsDemo.nullable(),
    ...customerFeatures,
    aiCreditPricePerMinute: customerFeatures.aiCreditPricePerMinute.nullable(),
    lowCreditThreshold: customerFeatures.lowCreditThreshold.nullable(),
    creditPlanIds: setOf(RecordId),
    agreedPrice: Money.nullable(),
    billingType: Label,
    deploymentStatus: requiredLine(100),
    deploymentNotes: text(10_000).nullable(),
    deploymentCompletedAt: Timestamp.nullable()
  })
  .partial()
  .meta({ id: 'UpdateCustomer' })

/** Query of GET /customers (§4A), and our `updatedSince`. */
export const ListCustomers = PageQuery.extend({
  search: line(200).optional().describe('Matches name, email, phone and company'),
  monthlyCallVolume: Label.optional(),
  callComplexity: Label.optional(),
  deploymentTimeline: Label.optional(),
  updatedSince: Timestamp.optional()
})

/** The same with filters by state, for the console's list. */
export const FindCustomers = ListCustomers.extend({
  credentialStatus: z.enum(['none', 'active', 'suspended']).optional(),
  orderStatus: Label.optional(),
  isOnTrial: z.boolean().optional()
})

export const ListCustomerLabels = z.strictObject({})

/** The labels that the partner's customers have, to filter the list by. */
export const CustomerLabels = z.object({
  data: z.object({
    monthlyCallVolume: z.array(z.string()),
    callComplexity: z.array(z.string()),
    deploymentTimeline: z.array(z.string())
  })
})

/** The path parameter of every operation on one customer. */
export const CustomerPath = z.strictObject({ customerId: CustomerId })

/** Named once more, by the code alone: an address would end up in the logs of whatever the URL passes through. */
export const EraseCustomer = CustomerPath.extend({ confirm: RecordId })

/** A customer as GET and PATCH answer it (§4A), with every field that PATCH takes. */
export const Customer = z
  .object({
    id: z.string(),
    customerId: z.string().describe('Short code'),
    email: StoredEmail,
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    businessPhone: z.string().nullable(),
    companyName: z.string().nullable(),
    monthlyCallVolume: z.string().nullable(),
    peakHours: z.string().nullable(),
    callComplexity: z.string().nullable(),
    scriptComplexity: z.string().nullable(),
    primaryUseCase: z.string().nullable(),
    customAutomation: z.string().nullable(),
    crmSystem: z.string().nullable(),
    phoneSystem: z.string().nullable(),
    languages: z.array(z.string()).nullable(),
    deploymentTimeline: z.string().nullable(),
    wantsDemo: z.boolean().nullable(),
    estimatedPrice: z.number(),
    orderStatus: z.string(),
    dealStatus: z.string(),
    billingType: z.string(),
    agreedPrice: z.number().nullable(),
    enableAdvancedAnalytics: z.boolean(),
    enableApiAccess: z.boolean(),
    customerPortalEnabled: z.boolean(),
    showKnowledgeBase: z.boolean(),
    showIntegration: z.boolean(),
    allowedApps: z.array(z.string()),
    maxTeamMembers: z.int(),
    enableTeamMembers: z.boolean(),
    aiCreditsEnabled: z.boolean(),
    aiCreditPricePerMinute: z.number().nullable(),
    lowCreditThreshold: z.number().nullable(),
    lowCreditNotificationsEnabled: z.boolean(),
    enableAiMemory: z.boolean(),
    creditPlanIds: z.array(z.string()),
    deploymentStatus: z.string(),
    deploymentNotes: z.string().nullable(),
    deploymentCompletedAt: StoredTimestamp.nullable(),
    credentialStatus: z.string(),
    createdAt: StoredTimestamp,
    updatedAt: StoredTimestamp
  })
  .meta({ id: 'Customer' })

/** What onboarding answers about the new customer (§4A). */
export const OnboardedCustomer = z
  .object({
    id: z.string(),
    email: StoredEmail,
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    companyName: z.string().nullable(),
    monthlyCallVolume: z.string().nullable(),
    estimatedPrice: z.number(),
    priceBreakdown: z.string().describe('JSON text of the line items; they sum to estimatedPrice'),
    orderStatus: z.string(),
    isOnboardingCompleted: z.boolean(),
    createdAt: StoredTimestamp,
    updatedAt: StoredTimestamp
  })
  .meta({ id: 'OnboardedCustomer' })

/** One row of the customer list (§4A). */
export const CustomerListItem = z
  .object({
    id: z.string(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    email: StoredEmail,
    companyName: z.string().nullable(),
    monthlyCallVolume: z.string().nullable(),
    callComplexity: z.string().nullable(),
    customerId: z.string().describe('Short code'),
    subscriptions: z.int(),
    unbilledAmount: z.number(),
    deploymentStatus: z.string(),
    hasVoiceAgentA: z.boolean(),
    hasVoiceAgentB: z.boolean(),
    isOnTrial: z.boolean(),
    subscriptionStatus: z.string(),
    credentialStatus: z.string(),
    createdAt: StoredTimestamp,
    updatedAt: StoredTimestamp
  })
  .meta({ id: 'CustomerListItem' })

/** How a customer's estimated price came about; the lines sum to it. */
export const CustomerPrice = z.object({
  data: z.object({
    estimatedPrice: z.number(),
    lines: z.array(z.object({ item: z.string(), amount: z.number() })),
    isOnboardingCompleted: z.boolean()
  })
})

export const OnboardCustomerResult = z.object({ message: z.string(), data: OnboardedCustomer })
export const CreateCustomerResult = z.object({ message: z.string(), data: Customer })
export const CustomerResult = z.object({ data: Customer })
export const CustomerPage = z.object({ data: z.array(CustomerListItem), pagination: Pagination })

const PortalStatus = z.enum(['active', 'suspended'])

/** Path and body of POST …/portal-access/block. */
export const BlockPortalAccess = CustomerPath.extend({
  newStatus: PortalStatus.optional().describe('Send it, so that a retry can’t undo; else it toggles')
})

/** What POST …/portal-access/block answers (§3). */
export const PortalBlockResult = z.object({
  message: z.string(),
  newStatus: PortalStatus,
  action: z.enum(['blocked', 'granted'])
})
