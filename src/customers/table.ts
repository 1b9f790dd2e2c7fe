import type { Generated } from 'kysely'
import type { Flag } from '../database/tables.ts'

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

declare module '../database/tables.ts' {
  interface Tables {
    customer: CustomerTable
    /**
     * What hangs on a customer in large numbers hangs on this row: it comes with the customer's, by a trigger, and outlives
     * it until all of that is deleted.
     */
    customerContent: {
      /** The customer's. */
      id: string
      partnerId: string
      isErased: Generated<Flag>
      /** JSON of what an erased customer is known by elsewhere, see src/customers/erasing.ts. */
      traces: string | null
    }
    subscription: {
      id: string
      partnerId: string
      customerId: string
      planId: string
      trialEndsAt: string | null
      createdAt: string
    }
  }
}
