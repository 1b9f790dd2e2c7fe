import type { FC } from 'hono/jsx'
import { z } from 'zod'
import { bare, formText } from '../../../schemas/fields.ts'
import { asked, type FormState, typedAll } from '../form-state.ts'
import { Checkbox, CheckboxGroup, Field, Select, TextArea } from '../ui/field.tsx'
import { type Control, controlOf, type FormField, maxLengthOf } from './detail-values.ts'

export type Choices = Readonly<Record<string, readonly { value: string; label: string }[]>>

export const FieldControl: FC<{
  field: FormField
  control?: Control
  /** Before anything was typed. */
  shown?: readonly string[]
  choices?: Choices
  /** What an amount is in. */
  unit?: string | undefined
  state: FormState | undefined
}> = ({ field, control = controlOf(field), shown = [], choices = {}, unit, state }) => {
  const { name, schema } = field
  const { label: called, help } = formText(schema)
  const label = unit === undefined ? called : `${called} (${unit})`
  const { value, ...common } = { ...asked(state, name, label, shown[0]), help }
  const maxlength = maxLengthOf(schema)
  switch (control) {
    case 'line': {
      const isRequired = !schema.safeParse('').success
      const type = INPUT_TYPES[name] ?? 'text'
      return (
        <Field
          {...common}
          type={type}
          value={value}
          maxlength={maxlength}
          autocomplete="off"
          required={isRequired}
        />
      )
    }
    case 'text':
      return (
        <TextArea {...common} value={value} maxlength={maxlength} rows={name === 'deploymentNotes' ? 6 : 3} />
      )
    case 'lines':
      return <TextArea {...common} value={value} rows={3} />
    case 'amount':
      return <Field {...common} type="number" inputmode="decimal" min={0} step="any" value={value} />
    case 'count': {
      const number = bare(schema)
      const max = (number instanceof z.ZodNumber && number.maxValue) || undefined
      return (
        <Field
          {...common}
          max={max}
          value={value}
          type="number"
          inputmode="numeric"
          min={0}
          step={1}
          required
        />
      )
    }
    case 'switch':
      return <Checkbox {...common} checked={state ? value !== '' : shown.length > 0} />
    case 'answer':
      return <Select {...common} value={value} options={ANSWERS} />
    case 'option': {
      const values = optionsOf(schema)
      return <Select {...common} value={value || values[0]} options={values.map(asOption)} />
    }
    case 'time':
      return <Field {...common} type="datetime-local" value={value} />
    case 'choice': {
      const options = choices[name] ?? []
      const none = name === 'allowedApps' ? 'There is no app yet.' : 'There is no credit plan yet.'
      const group = { ...common, options, values: typedAll(state, name, shown) }
      return <CheckboxGroup legend={label} {...group} help={options.length > 0 ? help : `${help} ${none}`} />
    }
  }
}

function optionsOf(schema: z.ZodType): string[] {
  const one = bare(schema)
  return one instanceof z.ZodEnum ? one.options.map(String) : []
}

const asOption = (value: string) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) })

const INPUT_TYPES: Readonly<Record<string, 'email' | 'tel'>> = { email: 'email', businessPhone: 'tel' }

const ANSWERS = [
  { value: '', label: 'Not said' },
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' }
]
