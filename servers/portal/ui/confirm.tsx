// A button that asks once before it acts: a native dialog that opens without script.
import type { Child, FC } from 'hono/jsx'
import { IdempotencyKey } from './form.tsx'
import { elementId } from './ids.ts'

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
