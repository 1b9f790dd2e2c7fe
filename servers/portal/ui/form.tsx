// Forms work without script; each one that changes something carries a key, so that sending it twice acts once.
import { randomUUID } from 'node:crypto'
import type { Child, FC } from 'hono/jsx'
import { Button, type ButtonKind, LinkButton } from './button.tsx'
import { Icon } from './icon.tsx'

interface FormProps {
  action: string
  /** For a form with files. */
  multipart?: boolean | undefined
  id?: string | undefined
  children?: Child
}

export const Form: FC<FormProps> = ({ action, multipart, id, children }) => (
  <form
    id={id}
    class="form"
    action={action}
    method="post"
    enctype={multipart ? 'multipart/form-data' : undefined}
  >
    <IdempotencyKey />
    {children}
  </form>
)

export const IdempotencyKey: FC = () => <input type="hidden" name="idempotencyKey" value={randomUUID()} />

/**
 * Says above the form why it was refused. What is about one field stands there, and the stylesheet hides it here, unless
 * the form doesn't show that field.
 */
export const FormError: FC<{ refusal?: { message: string; field?: string | undefined } | undefined }> = ({
  refusal
}) =>
  refusal ? (
    <div class={refusal.field === undefined ? 'notice bad' : 'notice bad of-field'} role="alert">
      <Icon name="alert" />
      <p>{refusal.message}</p>
    </div>
  ) : null

export const FormActions: FC<{ children?: Child }> = ({ children }) => (
  <div class="form-actions">{children}</div>
)

interface SubmitProps {
  kind?: ButtonKind | undefined
  /** What a screen reader says where the visible text alone is ambiguous. */
  label?: string | undefined
  /** Where the form is left without being sent. */
  cancelHref?: string | undefined
  children?: Child
}

/** The end of most forms: the button that sends it, and the way back. */
export const Submit: FC<SubmitProps> = ({ kind, label, cancelHref, children }) => (
  <FormActions>
    <Button kind={kind} label={label}>
      {children}
    </Button>
    {cancelHref === undefined ? null : (
      <LinkButton href={cancelHref} kind="plain">
        Cancel
      </LinkButton>
    )}
  </FormActions>
)
