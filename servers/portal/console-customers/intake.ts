// The questions of onboarding, and what the form's answers are to the operation.
import type { Form } from '../forms.ts'
import { linesOf } from './detail-values.ts'

type IntakeSection = 'basic' | 'business' | 'requirements' | 'integration' | 'deployment'

export interface IntakeField {
  name: string
  label: string
  help?: string
  kind: 'line' | 'email' | 'tel' | 'text' | 'lines' | 'check'
  maxlength?: number
}

interface IntakeGroup {
  section: IntakeSection
  legend: string
  fields: readonly IntakeField[]
}

const label = { kind: 'line', maxlength: 100 } as const

export const INTAKE_GROUPS: readonly IntakeGroup[] = [
  {
    section: 'basic',
    legend: 'Contact',
    fields: [
      { name: 'email', label: 'E-mail', kind: 'email', maxlength: 254 },
      { name: 'firstName', label: 'First name', ...label },
      { name: 'lastName', label: 'Last name', ...label },
      { name: 'businessPhone', label: 'Business phone', kind: 'tel', maxlength: 50 }
    ]
  },
  {
    section: 'business',
    legend: 'Business',
    fields: [
      { name: 'companyName', label: 'Company', kind: 'line', maxlength: 200 },
      { name: 'monthlyCallVolume', label: 'Monthly call volume', help: 'Such as “1000-5000”.', ...label },
      { name: 'peakHours', label: 'Peak hours', help: 'Such as “9:00-17:00”.', ...label }
    ]
  },
  {
    section: 'requirements',
    legend: 'Requirements',
    fields: [
      { name: 'primaryUseCase', label: 'Primary use case', kind: 'text', maxlength: 2000 },
      {
        name: 'callComplexity',
        label: 'Call complexity',
        help: 'Such as “low”, “medium” or “high”.',
        ...label
      },
      {
        name: 'scriptComplexity',
        label: 'Script complexity',
        help: 'Such as “simple” or “complex”.',
        ...label
      },
      { name: 'customAutomation', label: 'Custom automation', kind: 'text', maxlength: 2000 },
      { name: 'languages', label: 'Languages', help: 'One a line.', kind: 'lines' }
    ]
  },
  {
    section: 'integration',
    legend: 'Integration',
    fields: [
      { name: 'crmSystem', label: 'CRM', ...label },
      { name: 'phoneSystem', label: 'Phone system', ...label }
    ]
  },
  {
    section: 'deployment',
    legend: 'Deployment',
    fields: [
      { name: 'deploymentTimeline', label: 'Timeline', help: 'Such as “1 month”.', ...label },
      { name: 'wantsDemo', label: 'Wants a demo', kind: 'check' }
    ]
  }
]

/** The operation's input. What was left empty is left out. */
export function intakeOf(form: Form): Record<string, unknown> {
  const sections = INTAKE_GROUPS.map(({ section, fields }) => [
    section,
    Object.fromEntries(fields.map((field) => [field.name, answerOf(form, field)]))
  ])
  return {
    ...Object.fromEntries(sections),
    planId: form.text('planId'),
    allowPortalAccess: form.flag('allowPortalAccess'),
    isQuickOnboarding: form.flag('isQuickOnboarding')
  }
}

function answerOf(form: Form, { name, kind }: IntakeField): unknown {
  if (kind === 'check') return form.flag(name)
  if (kind === 'lines') return form.text(name) === undefined ? undefined : linesOf(form.raw(name))
  if (kind === 'text') return form.text(name)?.replaceAll('\r\n', '\n')
  // Without an address the operation says that it isn't one, rather than that a field is missing.
  return name === 'email' ? form.raw(name).trim() : form.text(name)
}
