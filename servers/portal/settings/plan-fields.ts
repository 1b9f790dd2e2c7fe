// Every feature that a plan can set, in groups, with what it means and what a customer has without it.
import { z } from 'zod'
import { APP_IDS } from '../../../schemas/customer.ts'
import { PlanFeatures } from '../../../schemas/plan.ts'
import { ServiceError } from '../../../src/errors.ts'
import type { Form } from '../forms.ts'

type Feature = keyof PlanFeatures

interface FeatureField {
  label: string
  help: string
  kind: 'switch' | 'number' | 'amount' | 'apps'
  /** What a customer starts with when the plan is silent. */
  usual: string
}

const onOff = (label: string, usual: 'on' | 'off', help: string): FeatureField => ({
  label,
  help,
  kind: 'switch',
  usual
})

export const FEATURE_FIELDS: Readonly<Record<Feature, FeatureField>> = {
  customerPortalEnabled: onOff(
    'Customer portal',
    'off',
    'The customer may enter the portal once it is invited.'
  ),
  showKnowledgeBase: onOff('Knowledge base in the menu', 'on', 'The portal shows the knowledge base.'),
  showIntegration: onOff('Agents in the menu', 'on', 'The portal shows how agents connect.'),
  enableAdvancedAnalytics: onOff('Usage charts', 'off', 'The portal shows charts of what was used.'),
  allowedApps: {
    label: 'Apps',
    help: `Names with commas between them. There are: ${APP_IDS.join(', ')}.`,
    kind: 'apps',
    usual: 'all'
  },
  enableTeamMembers: onOff('Team members', 'on', 'The customer may invite people to its portal.'),
  maxTeamMembers: { label: 'Most team members', help: 'The owner not counted.', kind: 'number', usual: '5' },
  enableAiMemory: onOff('AI memory', 'off', 'The customer’s agents remember and recall.'),
  enableApiAccess: onOff('Own MCP tokens', 'off', 'The customer may make tokens for its agents itself.'),
  aiCreditsEnabled: onOff(
    'Credits of its own',
    'off',
    'Remembering and asking take from the customer’s credits, too.'
  ),
  aiCreditPricePerMinute: {
    label: 'Price per AI credit',
    help: 'Billed for each credit that the customer uses; up to six decimals.',
    kind: 'amount',
    usual: 'none'
  },
  lowCreditThreshold: {
    label: 'Low-credit threshold',
    help: 'Credits below which a notice is due.',
    kind: 'amount',
    usual: 'none'
  },
  lowCreditNotificationsEnabled: onOff('Low-credit notices', 'off', 'A mail to the customer and to you.'),
  trialDays: {
    label: 'Trial days',
    help: 'How long the customer is on trial after it was onboarded.',
    kind: 'number',
    usual: 'no trial'
  }
}

export const FEATURE_GROUPS: readonly { legend: string; features: readonly Feature[] }[] = [
  { legend: 'Trial', features: ['trialDays'] },
  {
    legend: 'Portal',
    features: [
      'customerPortalEnabled',
      'showKnowledgeBase',
      'showIntegration',
      'enableAdvancedAnalytics',
      'allowedApps'
    ]
  },
  { legend: 'Team', features: ['enableTeamMembers', 'maxTeamMembers'] },
  { legend: 'Memory', features: ['enableAiMemory', 'enableApiAccess'] },
  {
    legend: 'AI credits',
    features: [
      'aiCreditsEnabled',
      'aiCreditPricePerMinute',
      'lowCreditThreshold',
      'lowCreditNotificationsEnabled'
    ]
  }
]

const FeatureName = z.enum(Object.keys(FEATURE_FIELDS) as [Feature, ...Feature[]])

/**
 * The features that the form sets; what is left as usual is left out.
 *
 * @throws ServiceError `invalid_input` for a number that is none
 */
export function featuresOf(form: Form): Record<string, unknown> {
  const set = FeatureName.options.flatMap((name): [string, unknown][] => {
    const text = form.text(name)
    return text === undefined ? [] : [[name, settingOf(name, text)]]
  })
  return Object.fromEntries(set)
}

function settingOf(name: Feature, text: string): unknown {
  const { kind, label } = FEATURE_FIELDS[name]
  if (kind === 'switch') return text === 'on'
  if (kind === 'apps')
    return text
      .split(',')
      .map((app) => app.trim())
      .filter(Boolean)
  const number = Number(text)
  if (Number.isFinite(number)) return number
  throw new ServiceError('invalid_input', `${label} must be a number.`, { field: `features.${name}` })
}

/** A plan's features as a row of a table tells them. */
export const featuresInWords = (features: PlanFeatures): string[] =>
  Object.entries(PlanFeatures.parse(features)).map(([name, value]) => {
    const { label, kind } = FEATURE_FIELDS[FeatureName.parse(name)]
    if (kind === 'switch') return `${label} ${value ? 'on' : 'off'}`
    return `${label}: ${Array.isArray(value) ? value.join(', ') || 'none' : value}`
  })
