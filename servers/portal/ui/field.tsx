// Fields: the label above, help below it, and the error below that, in words.
import type { Child, FC, JSX } from 'hono/jsx'
import { say } from '../../../src/language/say.ts'
import { Icon } from './icon.tsx'

interface Described {
  help?: Child
  error?: string | undefined
}

interface Control extends Described {
  label: string
  name: string
  required?: boolean | undefined
}

type InputAttribute =
  | 'accept'
  | 'autocomplete'
  | 'autofocus'
  | 'inputmode'
  | 'max'
  | 'maxlength'
  | 'min'
  | 'minlength'
  | 'placeholder'
  | 'readonly'
  | 'step'

type FieldProps = Control &
  Pick<JSX.IntrinsicElements['input'], InputAttribute> & {
    type?: InputType | undefined
    value?: string | number | null | undefined
    mono?: boolean | undefined
  }

type InputType = 'text' | 'email' | 'password' | 'url' | 'tel' | 'number' | 'date' | 'datetime-local' | 'file'

let lastId = 0

/** Ties labels, helps and dialogs to what they belong to: no other element of the page has it. */
export function elementId(name: string): string {
  lastId = (lastId + 1) % 1_000_000
  return `${name}-${lastId.toString(36)}`
}

/** Browsers know no address like josé@bücher.example: type="email" refuses its name and rewrites its domain. */
const EMAIL = { type: 'text', inputmode: 'email', autocapitalize: 'none', spellcheck: false } as const

export const Field: FC<FieldProps> = ({
  label,
  help,
  error,
  type = 'text',
  value,
  mono,
  autofocus,
  ...attributes
}) => {
  const id = elementId(attributes.name)
  const isOptional = !attributes.required && !attributes.readonly
  return (
    <Labelled id={id} label={label} help={help} error={error} isOptional={isOptional}>
      <input
        id={id}
        class={mono ? 'input mono' : 'input'}
        {...(type === 'email' ? EMAIL : { type })}
        value={value ?? undefined}
        autofocus={autofocus || error !== undefined}
        {...describedBy(id, { help, error })}
        {...attributes}
      />
    </Labelled>
  )
}

type TextAreaProps = Control &
  Pick<JSX.IntrinsicElements['textarea'], 'rows' | 'maxlength' | 'placeholder' | 'readonly'> & {
    value?: string | null | undefined
    mono?: boolean | undefined
  }

export const TextArea: FC<TextAreaProps> = ({ label, help, error, value, rows = 4, mono, ...attributes }) => {
  const id = elementId(attributes.name)
  return (
    <Labelled id={id} label={label} help={help} error={error} isOptional={!attributes.required}>
      <textarea
        id={id}
        class={mono ? 'input mono' : 'input'}
        rows={rows}
        autofocus={error !== undefined}
        {...describedBy(id, { help, error })}
        {...attributes}
      >
        {/* A browser drops one line break at the beginning. */}
        {value?.startsWith('\n') ? `\n${value}` : value}
      </textarea>
    </Labelled>
  )
}

type SelectProps = Control & {
  value?: string | null | undefined
  options: readonly { value: string; label: string }[]
}

export const Select: FC<SelectProps> = ({ label, help, error, value, options, ...attributes }) => {
  const id = elementId(attributes.name)
  return (
    <Labelled id={id} label={label} help={help} error={error} isOptional={false}>
      <select id={id} class="input" {...describedBy(id, { help, error })} {...attributes}>
        {options.map((option) => (
          <option value={option.value} selected={option.value === (value ?? '')}>
            {option.label}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

type CheckboxProps = Omit<Control, 'required'> & {
  checked?: boolean | undefined
  value?: string | undefined
}

export const Checkbox: FC<CheckboxProps> = ({ label, name, help, error, value = 'true', checked }) => {
  const id = elementId(name)
  return (
    <div class={error === undefined ? 'choice' : 'choice wrong'}>
      <input
        id={id}
        type="checkbox"
        name={name}
        value={value}
        checked={checked}
        {...describedBy(id, { help, error })}
      />
      <div>
        <label for={id}>{label}</label>
        <Notes id={id} help={help} error={error} />
      </div>
    </div>
  )
}

type CheckboxGroupProps = Described & {
  legend: string
  name: string
  options: readonly { value: string; label: string; help?: Child }[]
  values: readonly string[]
  children?: Child
}

export const CheckboxGroup: FC<CheckboxGroupProps> = ({ name, options, values, children, ...group }) => (
  <Fieldset class={group.error === undefined ? 'choices' : 'choices wrong'} {...group}>
    {options.map((option) => (
      <Checkbox {...option} name={name} checked={values.includes(option.value)} />
    ))}
    {children}
  </Fieldset>
)

type FieldsetProps = Described & { legend: string; class?: string; children?: Child }

export const Fieldset: FC<FieldsetProps> = ({ legend, help, error, class: look = 'fieldset', children }) => {
  const id = elementId('fieldset')
  return (
    <fieldset class={look} aria-describedby={describedBy(id, { help, error })['aria-describedby']}>
      <legend>{legend}</legend>
      <Notes id={id} help={help} />
      {children}
      <Notes id={id} error={error} />
    </fieldset>
  )
}

type LabelledProps = Described & { id: string; label: string; isOptional: boolean; children?: Child }

const Labelled: FC<LabelledProps> = ({ id, label, help, error, isOptional, children }) => (
  <div class={error === undefined ? 'field' : 'field wrong'}>
    <div class="label-line">
      <label for={id}>{label}</label>
      {isOptional ? <span class="optional">{say('optional')}</span> : null}
    </div>
    {children}
    <Notes id={id} help={help} error={error} />
  </div>
)

const Notes: FC<Described & { id: string }> = ({ id, help, error }) => (
  <>
    {help ? (
      <p class="help" id={`${id}-help`}>
        {help}
      </p>
    ) : null}
    {error === undefined ? null : (
      <p class="error" id={`${id}-error`}>
        <Icon name="alert" />
        {error}
      </p>
    )}
  </>
)

function describedBy(id: string, { help, error }: Described) {
  const ids = [Boolean(help) && `${id}-help`, error === undefined ? '' : `${id}-error`].filter(Boolean)
  return {
    'aria-describedby': ids.join(' ') || undefined,
    'aria-invalid': error === undefined ? undefined : ('true' as const)
  }
}
