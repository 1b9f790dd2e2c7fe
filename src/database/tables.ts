// Row types, one per table. The portable subset of both databases: flags are 0 or 1, times are ISO texts that sort,
// JSON is text, money is integer micro-units.

import type { Generated } from 'kysely'
import type { AiTables } from './ai-tables.ts'
import type { BrandTables } from './brand-tables.ts'
import type { ChatTables } from './chat-tables.ts'
import type { CredentialTables } from './credential-tables.ts'
import type { CreditTables } from './credit-tables.ts'
import type { DeployTables } from './deploy-tables.ts'
import type { HonchoTables } from './honcho-tables.ts'
import type { InstanceTables } from './instance-tables.ts'
import type { MemoryTables } from './memory-tables.ts'
import type { MindJobTables } from './mind-job-tables.ts'
import type { ServiceTables } from './service-tables.ts'

/** A boolean column. */
export type Flag = 0 | 1

export interface PartnerTable {
  id: string
  slug: string
  name: string
  email: string
  isActive: Flag
  hasAiMemory: Flag
  /** JSON array: entitled models, the primary one first. */
  models: string
  /** JSON object, see schemas/partner.ts `Brand`. */
  brand: string
  /** JSON object that overrides parts of the price model, or null. */
  priceModel: string | null
  /** JSON object that overrides some of the token budgets (`OwnAiBudgets`), or null. */
  aiBudgets: string | null
  /** Origin (`https://portal.example.com`) that the operator approved for this partner's links, or null. */
  portalOrigin: string | null
  createdAt: string
  updatedAt: string
}

export interface PartnerUserTable {
  id: string
  partnerId: string
  email: string
  emailKey: string
  passwordHash: string | null
  createdAt: string
}

export interface PlanTable {
  id: string
  partnerId: string
  name: string
  kind: 'subscription' | 'credit'
  /** JSON object, see schemas/plan.ts `PlanFeatures`. */
  features: string
  createdAt: string
}

export interface SubscriptionTable {
  id: string
  partnerId: string
  customerId: string
  planId: string
  trialEndsAt: string | null
  createdAt: string
}

export interface CustomerTable {
  id: string
  partnerId: string
  /** `C-XXXXXXXX`, unique per partner: the wire's `customerId`. */
  code: string
  email: string
  emailKey: string
  firstName: string | null
  lastName: string | null
  businessPhone: string | null
  companyName: string | null
  monthlyCallVolume: string | null
  peakHours: string | null
  callComplexity: string | null
  scriptComplexity: string | null
  primaryUseCase: string | null
  customAutomation: string | null
  crmSystem: string | null
  phoneSystem: string | null
  /** JSON array or null. */
  languages: string | null
  deploymentTimeline: string | null
  wantsDemo: Flag | null
  /** Lower-cased names, e-mail, phone and company, one a line: what `search` looks in. */
  searchText: string
  estimatedPriceMicros: number
  /** JSON array of line items. */
  priceBreakdown: string
  orderStatus: string
  dealStatus: string
  billingType: string
  agreedPriceMicros: number | null
  isOnboardingCompleted: Flag
  enableAdvancedAnalytics: Flag
  enableApiAccess: Flag
  customerPortalEnabled: Flag
  showKnowledgeBase: Flag
  showIntegration: Flag
  /** JSON array. */
  allowedApps: string
  maxTeamMembers: number
  enableTeamMembers: Flag
  aiCreditsEnabled: Flag
  aiCreditPricePerMinuteMicros: number | null
  lowCreditThresholdMicros: number | null
  lowCreditNotificationsEnabled: Flag
  enableAiMemory: Flag
  /** JSON array. */
  creditPlanIds: string
  deploymentStatus: string
  deploymentNotes: string | null
  deploymentCompletedAt: string | null
  subscriptionStatus: string
  credentialStatus: 'none' | 'active' | 'suspended'
  /** The identity that signs in as this customer's owner, once portal access was enabled. */
  ownerIdentityId: string | null
  createdAt: string
  updatedAt: string
}

/**
 * What hangs on a customer in large numbers hangs on this row: it comes with the customer's, by a trigger, and outlives
 * it until all of that is deleted.
 */
export interface CustomerContentTable {
  /** The customer's. */
  id: string
  partnerId: string
  isErased: Generated<Flag>
  /** JSON of what an erased customer is known by elsewhere, see src/customers/erasing.ts. */
  traces: string | null
}

/** Who signs in: one (partner, e-mail) owns the password; memberships own the access. */
export interface IdentityTable {
  id: string
  partnerId: string
  email: string
  emailKey: string
  passwordHash: string | null
  /** Set by an invite; signs in once and must then be changed. */
  temporaryPasswordHash: string | null
  temporaryPasswordExpiresAt: string | null
  createdAt: string
  updatedAt: string
}

export interface TeamMemberTable {
  id: string
  partnerId: string
  customerId: string
  name: string
  email: string
  emailKey: string
  role: string
  status: 'pending' | 'active'
  /** Set when the invite is accepted. */
  identityId: string | null
  createdAt: string
  updatedAt: string
}

/** A single-use link in a mail; only its hash is kept. */
export interface AccessLinkTable {
  id: string
  partnerId: string
  purpose: 'portal_invite' | 'team_invite' | 'password_reset' | 'console_password' | 'console_reset'
  tokenHash: string
  customerId: string | null
  teamMemberId: string | null
  partnerUserId: string | null
  expiresAt: string
  usedAt: string | null
  createdAt: string
}

export interface VoiceAgentTable {
  partnerId: string
  provider: 'a' | 'b'
  agentId: string
  name: string
  customerId: string | null
  profitMultiplier: number | null
  createdAt: string
  updatedAt: string
}

/** A partner's key at a voice-agent provider. */
export interface ProviderKeyTable {
  partnerId: string
  provider: 'a' | 'b'
  sealedKey: string
  updatedAt: string
}

/** What a customer used and what it is billed; usage sync and AI credits write it, the customer list sums it. */
export interface UsageTable {
  id: string
  partnerId: string
  customerId: string
  source: string
  amountMicros: number
  occurredAt: string
  billedAt: string | null
}

/** Mails with a link that lets somebody in. */
export type LetterTemplate =
  | 'portal_invite'
  | 'password_reset'
  | 'password_forgotten'
  | 'team_invite'
  | 'console_password'

/** Mails that only tell something, and carry no secret. */
export type NoticeTemplate = 'low_credit' | 'low_credit_partner'

export interface MailTable {
  id: string
  partnerId: string
  customerId: string | null
  template: LetterTemplate | NoticeTemplate
  recipient: string
  messageId: string
  /** JSON object: ids and names that the template shows; nothing secret. */
  params: string
  /** Temporary password and link token, sealed; null once sent or given up, and for a notice. */
  sealedSecret: string | null
  /** `dropped`: its link had ended before it left. */
  status: 'queued' | 'sent' | 'failed' | 'dropped'
  attempts: number
  nextAttemptAt: string
  leaseOwner: string | null
  leaseExpiresAt: string | null
  lastError: string | null
  createdAt: string
  finishedAt: string | null
}

export interface AuditTable {
  id: string
  /** `null` for what the operator does that is about no partner. */
  partnerId: string | null
  actor: string
  action: string
  targetType: string
  targetId: string
  /** JSON array of field names. */
  fields: string
  requestId: string
  createdAt: string
}

export interface Tables
  extends AiTables,
    CredentialTables,
    MemoryTables,
    CreditTables,
    BrandTables,
    InstanceTables,
    DeployTables,
    HonchoTables,
    ChatTables,
    MindJobTables,
    ServiceTables {
  partner: PartnerTable
  partnerUser: PartnerUserTable
  plan: PlanTable
  subscription: SubscriptionTable
  customer: CustomerTable
  customerContent: CustomerContentTable
  identity: IdentityTable
  teamMember: TeamMemberTable
  accessLink: AccessLinkTable
  voiceAgent: VoiceAgentTable
  providerKey: ProviderKeyTable
  usage: UsageTable
  mail: MailTable
  audit: AuditTable
}
