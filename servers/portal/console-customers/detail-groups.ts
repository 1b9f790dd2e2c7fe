import { z } from 'zod'
import type { UpdateCustomer } from '../../../schemas/customer.ts'
import { deployment, intake } from '../../../schemas/customer-fields.ts'

/** The plan has a page of its own. */
export type DetailName = Exclude<keyof z.output<typeof UpdateCustomer>, 'planId'>

export interface DetailGroup {
  /** Last part of the form's address. */
  id: string
  title: string
  description: string
  fields: readonly DetailName[]
}

const WHO = {
  firstName: true,
  lastName: true,
  businessPhone: true,
  companyName: true,
  portalLanguage: true
} as const

/** The forms of a customer's details; what is said of a field stands on its schema. */
export const DETAIL_GROUPS: readonly DetailGroup[] = [
  {
    id: 'basic',
    title: 'Basic',
    description: 'Who the customer is. The e-mail address is also how its owner signs in to the portal.',
    fields: ['email', ...z.object(intake).pick(WHO).keyof().options]
  },
  {
    id: 'business',
    title: 'Business',
    description: 'What was asked at onboarding. A change here doesn’t change the estimated price.',
    fields: z.object(intake).omit(WHO).keyof().options
  },
  {
    id: 'features',
    title: 'Features',
    description: 'What the customer may use.',
    fields: ['customerPortalEnabled', 'enableApiAccess', 'enableAdvancedAnalytics']
  },
  {
    id: 'menu',
    title: 'Menu',
    description: 'What the portal’s menu shows.',
    fields: ['showKnowledgeBase', 'showIntegration', 'allowedApps']
  },
  {
    id: 'team',
    title: 'Team',
    description: 'Who may sign in to the portal beside the owner.',
    fields: ['enableTeamMembers', 'maxTeamMembers']
  },
  {
    id: 'credits',
    title: 'AI credits and memory',
    description: 'Memory remembers what is told and answers questions; each takes credits.',
    fields: [
      'enableAiMemory',
      'aiCreditsEnabled',
      'aiCreditPricePerMinute',
      'lowCreditThreshold',
      'lowCreditNotificationsEnabled',
      'creditPlanIds'
    ]
  },
  {
    id: 'billing',
    title: 'Billing',
    description: 'What you agreed on.',
    fields: ['agreedPrice', 'billingType']
  },
  {
    id: 'deployment',
    title: 'Deployment',
    description: 'How far the customer’s agents are. “agent_ready” and “completed” make its order active.',
    fields: z.object(deployment).keyof().options
  }
]
