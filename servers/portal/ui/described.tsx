// What stands around a control: its label, its help and its error.
import type { Child, FC } from 'hono/jsx'
import { Icon } from './icon.tsx'

/** A control with its label, help and error. */
export const Labelled: FC<{
  id: string
  label: string
  help?: Child
  error?: string | undefined
  isOptional: boolean
  children?: Child
}> = ({ id, label, help, error, isOptional, children }) => (
  <div class={error === undefined ? 'field' : 'field wrong'}>
    <div class="label-line">
      <label for={id}>{label}</label>
      {isOptional ? <span class="optional">optional</span> : null}
    </div>
    {children}
    <Notes id={id} help={help} error={error} />
  </div>
)

/** Help and error of whatever has that id. */
export const Notes: FC<{ id: string; help?: Child; error?: string | undefined }> = ({ id, help, error }) => (
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

/** Ties a control to its help and its error. */
export function describedBy(
  id: string,
  help: Child,
  error: string | undefined
): { 'aria-describedby': string | undefined; 'aria-invalid': 'true' | undefined } {
  const hasHelp = help !== undefined && help !== null && help !== false && help !== ''
  const ids = [...(hasHelp ? [`${id}-help`] : []), ...(error === undefined ? [] : [`${id}-error`])]
  return {
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
    'aria-invalid': error === undefined ? undefined : 'true'
  }
}
