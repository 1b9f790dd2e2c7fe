// What one presses: buttons act, links go somewhere, and both can look the same. Forms work without script; each one
// that changes something carries a key, so that sending it twice acts once.
import { randomUUID } from 'node:crypto'
import type { Child, FC } from 'hono/jsx'
import { Icon } from './icon.tsx'
import { elementId } from './ids.ts'

type ButtonKind = 'primary' | 'plain' | 'danger'

interface ButtonProps {
  kind?: ButtonKind | undefined
  type?: 'submit' | 'button' | undefined
  name?: string | undefined
  value?: string | undefined
  /** What a screen reader says where the visible text alone is ambiguous. */
  label?: string | undefined
  isDisabled?: boolean | undefined
  children?: Child
}

export const Button: FC<ButtonProps> = ({
  kind = 'primary',
  type = 'submit',
  name,
  value,
  label,
  isDisabled,
  children
}) => (
  <button
    class={`button ${kind}`}
    type={type}
    name={name}
    value={value}
    aria-label={label}
    disabled={isDisabled}
  >
    {children}
  </button>
)

interface LinkButtonProps {
  href: string
  kind?: ButtonKind | undefined
  download?: boolean | string | undefined
  children?: Child
}

export const LinkButton: FC<LinkButtonProps> = ({ href, kind = 'primary', download, children }) => (
  <a class={`button ${kind}`} href={href} download={download}>
    {children}
  </a>
)

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

interface ConfirmButtonProps {
  label: string
  kind?: 'danger' | 'plain' | undefined
  /** The question, naming the thing: “Remove Ada Byron?” */
  title: string
  /** What it means. */
  text: Child
  action: string
  /** Sent along. */
  fields?: Record<string, string> | undefined
  /** The verb: “Remove”. */
  confirmLabel: string
  /** Fields to fill in before. */
  children?: Child
}

export const ConfirmButton: FC<ConfirmButtonProps> = ({
  label,
  kind = 'danger',
  title,
  text,
  action,
  fields = {},
  confirmLabel,
  children
}) => {
  const id = elementId('confirm')
  return (
    <>
      <button
        type="button"
        class={`button ${kind === 'danger' ? 'plain danger-text' : 'plain'}`}
        aria-label={title === label ? undefined : `${label}: ${title}`}
        {...{ commandfor: id, command: 'show-modal' }}
      >
        {label}
      </button>
      <dialog id={id} class="dialog" aria-labelledby={`${id}-title`} {...{ closedby: 'any' }}>
        <form action={action} method="post">
          <IdempotencyKey />
          {Object.entries(fields).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <h2 id={`${id}-title`}>{title}</h2>
          <div class="dialog-text">{typeof text === 'string' ? <p>{text}</p> : text}</div>
          {children ? <div class="dialog-fields">{children}</div> : null}
          <div class="dialog-actions">
            <button type="button" class="button plain" {...{ commandfor: id, command: 'close' }}>
              Cancel
            </button>
            <button type="submit" class={`button ${kind === 'danger' ? 'danger' : 'primary'}`}>
              {confirmLabel}
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}
