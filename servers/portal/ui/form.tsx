// Forms work without script; each one that changes something carries a key, so that sending it twice acts once.
import { randomUUID } from 'node:crypto'
import type { Child, FC } from 'hono/jsx'
import { Icon } from './icon.tsx'

interface FormProps {
  action: string
  method?: 'post' | 'get' | undefined
  /** For a form with files. */
  multipart?: boolean | undefined
  class?: string | undefined
  id?: string | undefined
  children?: Child
}

export const Form: FC<FormProps> = ({
  action,
  method = 'post',
  multipart,
  class: className,
  id,
  children
}) => (
  <form
    id={id}
    class={className ? `form ${className}` : 'form'}
    action={action}
    method={method}
    enctype={multipart ? 'multipart/form-data' : undefined}
  >
    {method === 'post' ? <IdempotencyKey /> : null}
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
