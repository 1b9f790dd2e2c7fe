// Between what a schema takes and what a form holds: which control asks for a field, and what was typed into it.
import type { FC } from 'hono/jsx'
import { z } from 'zod'
import { bare, formText, kindOf } from '../../schemas/fields.ts'
import { LANGUAGE_CHOICES, LANGUAGES } from '../../schemas/language.ts'
import { sayIfKnown } from '../../src/language/say.ts'
import { asked, type FormState, typed, typedAll } from './form-state.ts'
import { type Form, linesOf } from './forms.ts'
import { Checkbox, CheckboxGroup, Field, Select, TextArea } from './ui/field.tsx'

/** How a form asks for a field: `answer` is yes, no or not said; `choice` is some of what there is, `option` one. */
type Control =
  | 'line'
  | 'text'
  | 'lines'
  | 'amount'
  | 'count'
  | 'switch'
  | 'answer'
  | 'choice'
  | 'option'
  | 'time'

export interface FormField {
  name: string
  schema: z.ZodType
  /** Where it isn't what the schema says. */
  control?: Control
}

export const fieldsOf = (shape: Readonly<Record<string, z.ZodType>>): FormField[] =>
  Object.entries(shape).map(([name, schema]) => ({ name, schema }))

/** What is longer is asked for in a box of several lines. */
const LONGEST_LINE = 254

function controlOf({ name, schema, control }: FormField): Control {
  if (control) return control
  const kind = kindOf(schema)
  if (kind === 'flag') return schema.isNullable() ? 'answer' : 'switch'
  if (bare(schema) instanceof z.ZodEnum) return 'option'
  if (kind === 'list') return name === 'allowedApps' || name === 'creditPlanIds' ? 'choice' : 'lines'
  return kind === 'text' && (maxLengthOf(schema) ?? 0) <= LONGEST_LINE ? 'line' : kind
}

function maxLengthOf(schema: z.ZodType): number | undefined {
  const text = bare(schema)
  return (text instanceof z.ZodString && text.maxLength) || undefined
}

export type Choices = readonly { value: string; label: string }[]

export const FieldControl: FC<{
  field: FormField
  /** Its value before anything was typed; the schema's default where there is none. */
  saved?: unknown
  /** Where the schema doesn't say what there is to choose from. */
  choices?: Choices | undefined
  /** Whether something else than these can be said, too. */
  isOpen?: boolean
  /** What an amount is in. */
  unit?: string | undefined
  /** What it is where nothing is said. */
  usual?: string
  /** What a text is where nothing is said. */
  placeholder?: string | undefined
  state: FormState | undefined
}> = ({ field, saved, choices = choicesIn(field.schema), isOpen, unit, usual, placeholder, state }) => {
  const { name, schema } = field
  const shown = shownTexts(field, saved ?? (schema instanceof z.ZodDefault ? schema.def.defaultValue : saved))
  const text = formText(schema)
  const [called, help] = [sayIfKnown(text.label), text.help && sayIfKnown(text.help)]
  const label = unit === undefined ? called : `${called} (${unit})`
  const { value, ...common } = { ...asked(state, name, label, shown[0]), help, placeholder }
  const asUsual = usual === undefined ? undefined : `As usual (${usual})`
  const maxlength = maxLengthOf(schema)
  const control = controlOf(field)
  switch (control) {
    case 'line': {
      if (choices && isOpen)
        return <OpenChoice {...{ name, label, error: common.error, value, choices, maxlength, state }} />
      if (choices) return <Select {...common} value={value} options={choices} />
      const type = INPUT_TYPES[name] ?? 'text'
      const line = { ...common, type, maxlength, mono: CODES.has(name), autocomplete: 'off' } as const
      const required = !(schema instanceof z.ZodOptional || schema.safeParse('').success)
      return <Field {...line} value={type === 'password' ? undefined : value} required={required} />
    }
    case 'text':
    case 'lines':
      if (choices && isOpen) {
        const group = { ...common, options: choices, values: typedAll(state, name, shown), help: undefined }
        return (
          <CheckboxGroup legend={label} {...group}>
            <TextArea {...otherThan(common, state)} help={help} rows={2} />
          </CheckboxGroup>
        )
      }
      return <TextArea {...common} value={value} maxlength={maxlength} rows={LONG.has(name) ? 4 : 3} />
    case 'amount':
    case 'count': {
      const number = bare(schema)
      const [least, max] = number instanceof z.ZodNumber ? [number.minValue, number.maxValue] : []
      const digits = control === 'count' ? { inputmode: 'numeric' as const, step: 1 } : DECIMAL
      const required = !(schema.isNullable() || schema instanceof z.ZodOptional)
      const given = { ...common, ...digits, value, required, placeholder: asUsual }
      return <Field {...given} type="number" min={Math.max(least ?? 0, 0)} max={max || undefined} />
    }
    case 'switch':
      return <Checkbox {...common} checked={state ? value !== '' : shown.length > 0} />
    case 'answer':
      return <Select {...common} value={value} options={answersOf(asUsual)} />
    case 'option':
      return <Select {...common} value={value} options={choices ?? []} />
    case 'time':
      return <Field {...common} type="datetime-local" value={value.replace(/Z$/, '')} />
    case 'choice': {
      const hints = [help, !choices?.length && 'There is none yet.', asUsual && `None is as usual: ${usual}.`]
      const group = { ...common, options: choices ?? [], values: typedAll(state, name, shown) }
      return <CheckboxGroup legend={label} {...group} help={hints.filter(Boolean).join(' ')} />
    }
  }
}

/** One after the other; what there is of each stands by its name. */
export const FieldControls: FC<{
  of: readonly FormField[]
  saved?: Readonly<Record<string, unknown>> | undefined
  choices?: Readonly<Record<string, Choices>>
  isOpen?: boolean
  state: FormState | undefined
}> = ({ of, saved, choices, ...all }) => (
  <>
    {of.map((field) => (
      <FieldControl {...{ field, ...all }} saved={saved?.[field.name]} choices={choices?.[field.name]} />
    ))}
  </>
)

/** Chooses “Other…”, which is said in a field of its own. */
const OTHER = '…other'

const otherName = (name: string): string => `${name}.other`

const otherThan = ({ name, label }: { name: string; label: string }, state: FormState | undefined) => ({
  name: otherName(name),
  label: `Other ${label.toLowerCase().replace('crm', 'CRM')}`,
  value: typed(state, otherName(name))
})

/** A choice with “Other…”: the stylesheet shows what that is only where it is chosen. */
const OpenChoice: FC<{
  name: string
  label: string
  error: string | undefined
  value: string
  choices: Choices
  maxlength: number | undefined
  state: FormState | undefined
}> = ({ choices, maxlength, state, value, ...select }) => {
  const isKnown = value === '' || value === OTHER || choices.some((choice) => choice.value === value)
  const other = otherThan(select, state)
  return (
    <div class="open-choice">
      <Select
        {...select}
        value={isKnown ? value : OTHER}
        options={[{ value: '', label: 'Not said' }, ...choices, { value: OTHER, label: 'Other…' }]}
      />
      <Field {...other} value={isKnown ? other.value : value} maxlength={maxlength} autocomplete="off" />
    </div>
  )
}

const DECIMAL = { inputmode: 'decimal', step: 'any' } as const

const INPUT_TYPES: Readonly<Record<string, 'email' | 'tel' | 'password'>> = {
  email: 'email',
  businessPhone: 'tel',
  telegramBotToken: 'password'
}

/** Mostly a few lines. */
const LONG: ReadonlySet<string> = new Set(['deploymentNotes', 'instructions'])

/** Read letter by letter. */
const CODES: ReadonlySet<string> = new Set(['hostKey', 'root', 'telegramBotToken', 'telegramChatId'])

const answersOf = (asUsual: string | undefined) => [
  { value: '', label: asUsual ?? 'Not said' },
  { value: 'true', label: asUsual ? 'On' : 'Yes' },
  { value: 'false', label: asUsual ? 'Off' : 'No' }
]

function choicesIn(schema: z.ZodType): Choices | undefined {
  const values = bare(schema)
  if (values instanceof z.ZodArray && values.element instanceof z.ZodEnum)
    return values.element.options.map((value) => ({ value: String(value), label: String(value) }))
  if (!(values instanceof z.ZodEnum)) return undefined
  if (values.options[0] === LANGUAGES[0]) return [{ value: '', label: 'Not said' }, ...LANGUAGE_CHOICES]
  return values.options
    .map(String)
    .map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }))
}

/** What the form shows of a field's value; several texts for boxes to choose from. */
export function shownTexts(field: FormField, value: unknown): string[] {
  const control = controlOf(field)
  if (control === 'switch') return value === true ? ['true'] : []
  if (Array.isArray(value) && control === 'choice') return value.map(String).toSorted()
  const text = Array.isArray(value) ? value.join('\n') : String(value ?? '')
  // As the browser sends it back.
  const shown = control === 'time' ? text.slice(0, MINUTES) : text.replaceAll('\r\n', '\n')
  return shown === '' ? [] : [shown]
}

/** What was typed, to be compared with what was shown. */
export function typedTexts(form: Form, field: FormField): string[] {
  const control = controlOf(field)
  if (control === 'switch') return form.flag(field.name) ? ['true'] : []
  if (control === 'choice') return form.all(field.name).toSorted()
  const typed = linesOf(form, field.name)
  return typed === '' ? [] : [typed]
}

/** What a form says of the fields, as operations take it. */
export const typedInput = (form: Form, fields: readonly FormField[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field.name, typedValue(form, field)]))

/** What is empty clears the field or leaves it out; what a number or time can't be, the operation refuses by name. */
function typedValue(form: Form, field: FormField): unknown {
  const { name, schema } = field
  const control = controlOf(field)
  const text = saidIn(form, name, control).trim()
  if (control === 'switch') return form.flag(name)
  if (control === 'choice') return form.all(name)
  if (text === '' && schema.isNullable()) return null
  if (text === '' && schema.isOptional()) return undefined
  switch (control) {
    case 'lines':
      return text.split('\n').flatMap((line) => line.trim() || [])
    case 'answer':
      return text === 'true'
    case 'amount':
    case 'count':
      return text === '' || Number.isNaN(Number(text)) ? text : Number(text)
    case 'time':
      return instantOf(text)
    default:
      return text
  }
}

/** What is said of a field: of what there is to choose from, or else in the field beside it; in a list, both. */
function saidIn(form: Form, name: string, control: Control): string {
  const chosen = form.all(name).filter((value) => value !== OTHER)
  if (control !== 'lines' && chosen.length > 0) return linesOf(form, name)
  return [...chosen, linesOf(form, otherName(name))].join('\n').replaceAll('\r\n', '\n')
}

/** How much of an instant a browser's date and time has: `2026-01-31T12:30`. */
const MINUTES = 16

/** A browser's date and time has no zone; the form says that it is UTC. */
const instantOf = (text: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(text)
    ? `${text.length === MINUTES ? `${text}:00` : text}Z`
    : text
