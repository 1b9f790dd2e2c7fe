// One field of a customer, as the form asks for it.
import type { FC } from 'hono/jsx'
import { Checkbox, CheckboxGroup, Field, Select, TextArea } from '../ui/field.tsx'
import { asked, type Tried, typedAll } from '../visit.ts'
import type { ShownCustomer } from './customer-page.tsx'
import type { Detail } from './detail-groups.ts'
import { shownValues } from './detail-values.ts'

/** What there is to choose from. */
export interface Choices {
  apps: readonly { value: string; label: string }[]
  creditPlans: readonly { value: string; label: string }[]
}

interface DetailControlProps {
  detail: Detail
  customer: ShownCustomer
  choices: Choices
  tried: Tried | undefined
}

export const DetailControl: FC<DetailControlProps> = ({ detail, customer, choices, tried }) => {
  const { name, label, help, control } = detail
  const shown = shownValues(customer, detail)
  const { value, ...common } = { ...asked(tried, name, label, shown[0]), help }
  switch (control.kind) {
    case 'line':
      return (
        <Field
          {...common}
          type={control.type ?? 'text'}
          value={value}
          maxlength={control.maxlength}
          autocomplete="off"
          required={name === 'email' || name === 'deploymentStatus'}
        />
      )
    case 'text':
      return <TextArea {...common} value={value} rows={control.rows ?? 3} maxlength={control.maxlength} />
    case 'lines':
      return <TextArea {...common} value={value} rows={3} />
    case 'amount':
      return <Field {...common} type="number" inputmode="decimal" min={0} step="any" value={value} />
    case 'count':
      return (
        <Field
          {...common}
          type="number"
          inputmode="numeric"
          min={0}
          max={control.max}
          step={1}
          value={value}
          required
        />
      )
    case 'switch':
      return <Checkbox {...common} checked={tried ? value !== '' : shown.length > 0} />
    case 'answer':
      return <Select {...common} value={value} options={ANSWERS} />
    case 'time':
      return <Field {...common} type="datetime-local" value={value} />
    case 'apps':
    case 'creditPlans':
      return (
        <Choice
          {...common}
          options={choices[control.kind]}
          values={typedAll(tried, name, shown)}
          none={control.kind === 'apps' ? 'There is no app yet.' : 'There is no credit plan yet.'}
        />
      )
  }
}

const ANSWERS = [
  { value: '', label: 'Not said' },
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' }
]

interface ChoiceProps {
  name: string
  label: string
  help: string | undefined
  error: string | undefined
  options: Choices['apps']
  values: readonly string[]
  /** Said where there is nothing to choose from. */
  none: string
}

const Choice: FC<ChoiceProps> = ({ label, help, none, ...group }) => (
  <CheckboxGroup
    legend={label}
    {...group}
    help={group.options.length > 0 ? help : `${help ?? ''} ${none}`.trim()}
  />
)
