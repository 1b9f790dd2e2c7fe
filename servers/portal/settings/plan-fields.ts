// Every feature that a plan can set, in groups, with what it means and what a customer has without it.
import { APP_IDS } from '../../../schemas/customer-fields.ts'
import { formText, kindOf } from '../../../schemas/fields.ts'
import { PlanFeatures } from '../../../schemas/plan.ts'
import { ServiceError } from '../../../src/errors.ts'
import type { Form } from '../forms.ts'

type Feature = keyof PlanFeatures

/** How the form of a plan calls a feature and asks for it, and what a customer has where the plan is silent. */
export function featureField(name: Feature) {
  const schema = PlanFeatures.shape[name]
  const { label, help, usual = 'none' } = formText(schema)
  const kind = kindOf(schema)
  if (kind === 'list') return { label, kind, help: APPS, usual: 'all' }
  if (kind === 'flag') return { label, kind, help, usual: usual ? 'on' : 'off' }
  return { label, kind, help, usual: String(usual) }
}

const APPS = `Names with commas between them. There are: ${APP_IDS.join(', ')}.`

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

const FeatureName = PlanFeatures.keyof()

/** The features that the form sets; what is left as usual isn't among them. @throws ServiceError `invalid_input` */
export function featuresOf(form: Form): Record<string, unknown> {
  const set = FeatureName.options.flatMap((name): [string, unknown][] => {
    const text = form.text(name)
    return text === undefined ? [] : [[name, settingOf(name, text)]]
  })
  return Object.fromEntries(set)
}

function settingOf(name: Feature, text: string): unknown {
  const { kind, label } = featureField(name)
  if (kind === 'flag') return text === 'on'
  if (kind === 'list')
    return text
      .split(',')
      .map((app) => app.trim())
      .filter(Boolean)
  const number = Number(text)
  if (Number.isFinite(number)) return number
  throw new ServiceError('invalid_input', `${label} must be a number.`, { field: `features.${name}` })
}

/** A setting as the form asks for it; nothing where it is as usual. */
export function featureShown(value: PlanFeatures[Feature]): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return Array.isArray(value) ? value.join(', ') : String(value ?? '')
}

/** A plan's features as a row of a table tells them. */
export const featuresInWords = (features: PlanFeatures): string[] =>
  Object.entries(PlanFeatures.parse(features)).map(([name, value]) => {
    const { label, kind } = featureField(FeatureName.parse(name))
    if (kind === 'flag') return `${label} ${value ? 'on' : 'off'}`
    return `${label}: ${Array.isArray(value) ? value.join(', ') || 'none' : value}`
  })
