// Every feature that a plan can set, in groups, with what a customer has without it.
import { formText } from '../../../schemas/fields.ts'
import { PlanFeatures } from '../../../schemas/plan.ts'
import { typedValue } from '../console-customers/detail-values.ts'
import type { Form } from '../forms.ts'

type Feature = keyof PlanFeatures

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

/** The field of a feature, which may be left as usual, and what that is. */
export function featureField(name: Feature) {
  const schema = PlanFeatures.shape[name].unwrap().nullable()
  const { usual = 'none' } = formText(schema)
  return { field: { name, schema }, usual: Array.isArray(usual) ? 'all' : inWords(usual) }
}

/** The features that the form sets; what is left as usual isn't among them. */
export const featuresOf = (form: Form): Record<string, unknown> =>
  Object.fromEntries(
    FeatureName.options
      .map((name) => [name, typedValue(form, featureField(name).field)])
      .filter(([, value]) => [value ?? []].flat().length > 0)
  )

/** A plan's features as a row of a table tells them. */
export const featuresInWords = (features: PlanFeatures): string[] =>
  Object.entries(PlanFeatures.parse(features)).map(([name, value]) => {
    const { label } = formText(PlanFeatures.shape[FeatureName.parse(name)])
    return `${label}${typeof value === 'boolean' ? '' : ':'} ${inWords(value)}`
  })

const inWords = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : [value].flat().join(', ') || 'none'
