// Fields: the label above, help below it, and the error below that, in words.
import type { Child, FC } from 'hono/jsx'
import { describedBy, Labelled, Notes } from './described.tsx'
import { elementId } from './ids.ts'

interface Described {
  label: string
  name: string
  help?: Child
  error?: string | undefined
  required?: boolean | undefined
}

interface FieldProps extends Described {
  type?:
    | 'text'
    | 'email'
    | 'password'
    | 'url'
    | 'tel'
    | 'number'
    | 'search'
    | 'color'
    | 'date'
    | 'datetime-local'
    | 'file'
    | undefined
  value?: string | number | null | undefined
  autocomplete?: string | undefined
  inputmode?: 'text' | 'numeric' | 'decimal' | 'email' | 'tel' | 'url' | 'search' | undefined
  maxlength?: number | undefined
  minlength?: number | undefined
  placeholder?: string | undefined
  mono?: boolean | undefined
  min?: number | string | undefined
  max?: number | string | undefined
  step?: number | string | undefined
  readonly?: boolean | undefined
  accept?: string | undefined
  autofocus?: boolean | undefined
}

/** Browsers know no address like josé@bücher.example: type="email" refuses its name and rewrites its domain. */
const EMAIL = { type: 'text', inputmode: 'email', autocapitalize: 'none', spellcheck: false } as const

export const Field: FC<FieldProps> = ({
  label,
  name,
  help,
  error,
  required,
  type = 'text',
  value,
  mono,
  autofocus,
  ...attributes
}) => {
  const id = elementId(name)
  return (
    <Labelled id={id} label={label} help={help} error={error} isOptional={!required && !attributes.readonly}>
      <input
        id={id}
        class={mono ? 'input mono' : 'input'}
        name={name}
        {...(type === 'email' ? EMAIL : { type })}
        value={value ?? undefined}
        required={required}
        autofocus={autofocus || error !== undefined}
        {...describedBy(id, help, error)}
        {...attributes}
      />
    </Labelled>
  )
}

interface TextAreaProps extends Described {
  value?: string | null | undefined
  rows?: number | undefined
  maxlength?: number | undefined
  placeholder?: string | undefined
  mono?: boolean | undefined
}

export const TextArea: FC<TextAreaProps> = ({
  label,
  name,
  value,
  rows = 4,
  help,
  error,
  required,
  maxlength,
  placeholder,
  mono
}) => {
  const id = elementId(name)
  return (
    <Labelled id={id} label={label} help={help} error={error} isOptional={!required}>
      <textarea
        id={id}
        class={mono ? 'input mono' : 'input'}
        name={name}
        rows={rows}
        required={required}
        maxlength={maxlength}
        placeholder={placeholder}
        autofocus={error !== undefined}
        {...describedBy(id, help, error)}
      >
        {/* A browser drops one line break at the beginning. */}
        {value?.startsWith('\n') ? `\n${value}` : value}
      </textarea>
    </Labelled>
  )
}

interface SelectProps extends Described {
  value?: string | null | undefined
  options: readonly { value: string; label: string }[]
}

export const Select: FC<SelectProps> = ({ label, name, value, options, help, error, required }) => {
  const id = elementId(name)
  return (
    <Labelled id={id} label={label} help={help} error={error} isOptional={false}>
      <select id={id} class="input" name={name} required={required} {...describedBy(id, help, error)}>
        {options.map((option) => (
          <option value={option.value} selected={option.value === (value ?? '')}>
            {option.label}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

interface CheckboxProps {
  label: string
  name: string
  checked?: boolean | undefined
  help?: Child
  error?: string | undefined
  /** What is sent when it is checked. */
  value?: string | undefined
}

export const Checkbox: FC<CheckboxProps> = ({ label, name, checked, help, error, value = 'true' }) => {
  const id = elementId(name)
  return (
    <div class={error === undefined ? 'choice' : 'choice wrong'}>
      <input
        id={id}
        type="checkbox"
        name={name}
        value={value}
        checked={checked}
        {...describedBy(id, help, error)}
      />
      <div>
        <label for={id}>{label}</label>
        <Notes id={id} help={help} error={error} />
      </div>
    </div>
  )
}

interface CheckboxGroupProps {
  legend: string
  name: string
  options: readonly { value: string; label: string; help?: Child }[]
  values: readonly string[]
  error?: string | undefined
  help?: Child
}

export const CheckboxGroup: FC<CheckboxGroupProps> = ({ legend, name, options, values, error, help }) => {
  const id = elementId(name)
  return (
    <fieldset
      class={error === undefined ? 'choices' : 'choices wrong'}
      aria-describedby={describedBy(id, help, error)['aria-describedby']}
    >
      <legend>{legend}</legend>
      <Notes id={id} help={help} />
      {options.map((option) => (
        <Checkbox
          label={option.label}
          name={name}
          value={option.value}
          help={option.help}
          checked={values.includes(option.value)}
        />
      ))}
      <Notes id={id} error={error} />
    </fieldset>
  )
}

export const Fieldset: FC<{ legend: string; help?: Child; children?: Child }> = ({
  legend,
  help,
  children
}) => {
  const id = elementId('fieldset')
  return (
    <fieldset class="fieldset" aria-describedby={describedBy(id, help, undefined)['aria-describedby']}>
      <legend>{legend}</legend>
      <Notes id={id} help={help} />
      {children}
    </fieldset>
  )
}
