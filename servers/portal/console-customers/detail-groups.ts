// Every field of a customer that PATCH takes, as the forms ask for it. A test holds it against the schema.
import type { z } from 'zod'
import type { UpdateCustomer } from '../../../schemas/customer.ts'

export type DetailName = keyof z.output<typeof UpdateCustomer>

/** How a field is asked for. */
export type Control =
  | { kind: 'line'; type?: 'email' | 'tel'; maxlength: number }
  | { kind: 'text'; maxlength: number; rows?: number }
  | { kind: 'amount' }
  | { kind: 'count'; max: number }
  /** On or off. */
  | { kind: 'switch' }
  /** Yes, no, or not said. */
  | { kind: 'answer' }
  /** A text for each line. */
  | { kind: 'lines' }
  /** Some of what there is to choose from. */
  | { kind: 'apps' | 'creditPlans' }
  | { kind: 'time' }

export interface Detail {
  name: DetailName
  label: string
  help?: string
  control: Control
}

export interface DetailGroup {
  /** Last part of the form's address. */
  id: string
  title: string
  description: string
  details: readonly Detail[]
}

const label = { kind: 'line', maxlength: 100 } as const
const onOff = { kind: 'switch' } as const

export const DETAIL_GROUPS: readonly DetailGroup[] = [
  {
    id: 'basic',
    title: 'Basic',
    description: 'Who the customer is. The e-mail address is also how its owner signs in to the portal.',
    details: [
      { name: 'email', label: 'E-mail', control: { kind: 'line', type: 'email', maxlength: 254 } },
      { name: 'firstName', label: 'First name', control: label },
      { name: 'lastName', label: 'Last name', control: label },
      {
        name: 'businessPhone',
        label: 'Business phone',
        control: { kind: 'line', type: 'tel', maxlength: 50 }
      },
      { name: 'companyName', label: 'Company', control: { kind: 'line', maxlength: 200 } }
    ]
  },
  {
    id: 'business',
    title: 'Business',
    description: 'What was asked at onboarding. A change here doesn’t change the estimated price.',
    details: [
      {
        name: 'monthlyCallVolume',
        label: 'Monthly call volume',
        help: 'A label of your own, such as “1000-5000”. You can filter the list of customers by it.',
        control: label
      },
      { name: 'peakHours', label: 'Peak hours', control: label },
      {
        name: 'callComplexity',
        label: 'Call complexity',
        help: 'Such as “low”, “medium” or “high”.',
        control: label
      },
      { name: 'scriptComplexity', label: 'Script complexity', control: label },
      { name: 'primaryUseCase', label: 'Primary use case', control: { kind: 'text', maxlength: 2000 } },
      { name: 'customAutomation', label: 'Custom automation', control: { kind: 'text', maxlength: 2000 } },
      { name: 'languages', label: 'Languages', help: 'One a line.', control: { kind: 'lines' } },
      { name: 'crmSystem', label: 'CRM', control: label },
      { name: 'phoneSystem', label: 'Phone system', control: label },
      { name: 'deploymentTimeline', label: 'Timeline', help: 'Such as “1 month”.', control: label },
      { name: 'wantsDemo', label: 'Wants a demo', control: { kind: 'answer' } }
    ]
  },
  {
    id: 'features',
    title: 'Features',
    description: 'What the customer may use.',
    details: [
      {
        name: 'customerPortalEnabled',
        label: 'Portal',
        help: 'Off closes the portal to this customer, whatever its access says.',
        control: onOff
      },
      {
        name: 'enableApiAccess',
        label: 'Own MCP tokens',
        help: 'The customer may make tokens for its agents in the portal. You can always make them here.',
        control: onOff
      },
      {
        name: 'enableAdvancedAnalytics',
        label: 'Usage charts',
        help: 'The portal shows how many credits were used.',
        control: onOff
      }
    ]
  },
  {
    id: 'menu',
    title: 'Menu',
    description: 'What the portal’s menu shows.',
    details: [
      { name: 'showKnowledgeBase', label: 'Memory', help: 'Shows what is remembered.', control: onOff },
      { name: 'showIntegration', label: 'Agents', help: 'Shows how agents connect.', control: onOff },
      {
        name: 'allowedApps',
        label: 'Apps',
        help: 'Apps that the customer may see.',
        control: { kind: 'apps' }
      }
    ]
  },
  {
    id: 'team',
    title: 'Team',
    description: 'Who may sign in to the portal beside the owner.',
    details: [
      {
        name: 'enableTeamMembers',
        label: 'Team',
        help: 'The customer may have team members.',
        control: onOff
      },
      {
        name: 'maxTeamMembers',
        label: 'Places',
        help: 'Members who are there already stay, also over the limit.',
        control: { kind: 'count', max: 10_000 }
      }
    ]
  },
  {
    id: 'credits',
    title: 'AI credits and memory',
    description: 'Memory remembers what is told and answers questions; each takes credits.',
    details: [
      {
        name: 'enableAiMemory',
        label: 'Memory',
        help: 'Opens remembering, recalling and asking for this customer.',
        control: onOff
      },
      {
        name: 'aiCreditsEnabled',
        label: 'AI credits',
        help: 'What this customer uses is taken from credits of its own, beside yours.',
        control: onOff
      },
      {
        name: 'aiCreditPricePerMinute',
        label: 'Price per credit',
        help: 'Billed for each AI credit used; one credit stands for a minute. Empty bills nothing.',
        control: { kind: 'amount' }
      },
      {
        name: 'lowCreditThreshold',
        label: 'Low-credit threshold',
        help: 'Below this many credits the customer counts as low. Empty never does.',
        control: { kind: 'amount' }
      },
      {
        name: 'lowCreditNotificationsEnabled',
        label: 'Low-credit mails',
        help: 'Mails the customer and you once when the balance falls below the threshold.',
        control: onOff
      },
      {
        name: 'creditPlanIds',
        label: 'Credit plans',
        help: 'Plans that the customer may buy.',
        control: { kind: 'creditPlans' }
      }
    ]
  },
  {
    id: 'billing',
    title: 'Billing',
    description: 'What you agreed on.',
    details: [
      {
        name: 'agreedPrice',
        label: 'Agreed price',
        help: 'A month. Empty when there is none.',
        control: { kind: 'amount' }
      },
      { name: 'billingType', label: 'Billing type', help: 'Such as “postpaid”.', control: label }
    ]
  },
  {
    id: 'deployment',
    title: 'Deployment',
    description: 'How far the customer’s agents are. “agent_ready” and “completed” make its order active.',
    details: [
      { name: 'deploymentStatus', label: 'Status', control: label },
      { name: 'deploymentNotes', label: 'Notes', control: { kind: 'text', maxlength: 10_000, rows: 6 } },
      { name: 'deploymentCompletedAt', label: 'Completed at (UTC)', control: { kind: 'time' } }
    ]
  }
]
