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
  /** What it is where nothing is said. */
  usual?: string
  state: FormState | undefined
}> = ({ field, control = controlOf(field), shown = [], choices = {}, unit, usual, state }) => {
  const { name, schema } = field
  const { label: called, help } = formText(schema)
  const label = unit === undefined ? called : `${called} (${unit})`
  const { value, ...common } = { ...asked(state, name, label, shown[0]), help }
  const asUsual = usual === undefined ? undefined : `As usual (${usual})`
  const number = { ...common, value, type: 'number', min: 0, placeholder: asUsual } as const
  const maxlength = maxLengthOf(schema)
  switch (control) {
    case 'line': {
      const line = { ...common, value, maxlength, autocomplete: 'off' } as const
      return <Field {...line} type={INPUT_TYPES[name] ?? 'text'} required={!schema.safeParse('').success} />
    }
    case 'text':
      return (
        <TextArea {...common} value={value} maxlength={maxlength} rows={name === 'deploymentNotes' ? 6 : 3} />
      )
    case 'lines':
      return <TextArea {...common} value={value} rows={3} />
    case 'amount':
      return <Field {...number} inputmode="decimal" step="any" />
    case 'count': {
      const count = bare(schema)
      const max = (count instanceof z.ZodNumber && count.maxValue) || undefined
      return <Field {...number} max={max} inputmode="numeric" step={1} required={!schema.isNullable()} />
    }
    case 'switch':
      return <Checkbox {...common} checked={state ? value !== '' : shown.length > 0} />
    case 'answer':
      return <Select {...common} value={value} options={answersOf(asUsual)} />
    case 'option': {
      const one = bare(schema)
      const values = one instanceof z.ZodEnum ? one.options.map(String) : []
      return <Select {...common} value={value || values[0]} options={values.map(asOption)} />
    }
    case 'time':
      return <Field {...common} type="datetime-local" value={value} />
    case 'choice': {
      const options = choices[name] ?? []
      const none = name === 'allowedApps' ? 'There is no app yet.' : 'There is no credit plan yet.'
      const group = { ...common, options, values: typedAll(state, name, shown) }
      const hints = [help, options.length === 0 && none, asUsual && `None is as usual: ${usual}.`]
      return <CheckboxGroup legend={label} {...group} help={hints.filter(Boolean).join(' ')} />
    }
  }
}

const asOption = (value: string) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) })

const INPUT_TYPES: Readonly<Record<string, 'email' | 'tel'>> = { email: 'email', businessPhone: 'tel' }

const answersOf = (asUsual: string | undefined) => [
  { value: '', label: asUsual ?? 'Not said' },
  { value: 'true', label: asUsual ? 'On' : 'Yes' },
  { value: 'false', label: asUsual ? 'Off' : 'No' }
]
