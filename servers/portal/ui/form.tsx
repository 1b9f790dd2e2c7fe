// Forms work without script; each one that changes something carries a key, so that sending it twice acts once.
import { randomUUID } from 'node:crypto'
import type { Child, FC, JSX } from 'hono/jsx'
import { say } from '../../../src/language/say.ts'
import { mayOpen, maySend } from '../rights.ts'
import { elementId } from './field.tsx'
import { Icon } from './icon.tsx'
import { Card, type CardProps } from './layout.tsx'

type ButtonKind = 'primary' | 'plain' | 'danger'

type ButtonProps = Pick<JSX.IntrinsicElements['button'], 'type' | 'name' | 'value'> & {
  kind?: ButtonKind | undefined
  /** What a screen reader says instead of an ambiguous text. */
  label?: string | undefined
  children?: Child
}

export const Button: FC<ButtonProps> = ({ kind = 'primary', label, children, ...attributes }) => (
  <button class={`button ${kind}`} type="submit" aria-label={label} {...attributes}>
    {children}
  </button>
)

export const LinkButton: FC<{
  href: string
  kind?: ButtonKind | undefined
  download?: boolean | undefined
  children?: Child
}> = ({ kind = 'primary', children, ...attributes }) =>
  mayOpen(attributes.href) ? (
    <a class={`button ${kind}`} {...attributes}>
      {children}
    </a>
  ) : null

export const PlainLink: FC<Omit<Parameters<typeof LinkButton>[0], 'kind'>> = (link) => (
  <LinkButton kind="plain" {...link} />
)

/** Whoever may not send it sees what is in it, without its buttons. */
export const Form: FC<{
  action: string
  multipart?: boolean | undefined
  id?: string | undefined
  /** Asks before somebody leaves with what was typed. */
  guarded?: boolean
  /** Where to ask, while it is filled in, for the part of it that follows from the rest. */
  asks?: string
  children?: Child
}> = ({ action, multipart, id, guarded, asks, children }) =>
  maySend(action) ? (
    <form
      id={id}
      class="form"
      action={action}
      method="post"
      enctype={multipart ? 'multipart/form-data' : undefined}
      data-guarded={guarded}
      data-asks={asks}
    >
      <IdempotencyKey />
      {children}
    </form>
  ) : (
    <fieldset id={id} class="form" disabled>
      {children}
    </fieldset>
  )

const IdempotencyKey: FC = () => <input type="hidden" name="idempotencyKey" value={randomUUID()} />

/** A form that asks for nothing. */
export const ActButton: FC<ButtonProps & { action: string }> = ({ action, ...button }) => (
  <Form action={action}>
    <Button kind="plain" {...button} />
  </Form>
)

/** Why the form was refused. What is about one field stands there; the stylesheet hides it here if the form shows that. */
export const FormError: FC<{ refusal?: { message: string; field?: string | undefined } | undefined }> = ({
  refusal
}) =>
  refusal ? (
    <div class={refusal.field === undefined ? 'notice bad' : 'notice bad of-field'} role="alert">
      <Icon name="alert" />
      <p>{refusal.message}</p>
    </div>
  ) : null

export const Notice: FC<{ tone: 'good' | 'bad'; children?: Child }> = ({ tone, children }) => (
  <div class={`notice ${tone}`}>
    <Icon name={tone === 'good' ? 'check' : 'alert'} />
    {typeof children === 'string' ? <p>{children}</p> : children}
  </div>
)

export const FormActions: FC<{ children?: Child }> = ({ children }) => (
  <div class="form-actions">{children}</div>
)

/** The end of a long form, in sight all the time. */
export const SaveBar: FC<{ children?: Child }> = ({ children }) => <div class="save-bar">{children}</div>

/** The end of most forms: the button that sends it, and the way back where `cancelHref` leads. */
export const Submit: FC<
  Pick<ButtonProps, 'kind' | 'label' | 'children'> & { cancelHref?: string | undefined }
> = ({ cancelHref, ...button }) => (
  <FormActions>
    <Button {...button} />
    {cancelHref === undefined ? null : <PlainLink href={cancelHref}>{say('Cancel')}</PlainLink>}
  </FormActions>
)

type FormCardProps = CardProps & { sendsTo: string; verb: Child } & Pick<ButtonProps, 'kind'>

/** A card that is nothing but a form. */
export const FormCard: FC<FormCardProps> = ({ verb, kind, children, ...card }) => (
  <Card {...card}>
    <Form action={card.sendsTo}>
      {children}
      <Submit kind={kind}>{verb}</Submit>
    </Form>
  </Card>
)

interface ConfirmButtonProps {
  label: string
  kind?: 'danger' | 'plain' | undefined
  /** The question, naming the thing: “Remove Ada Byron?” */
  title: string
  text: Child
  action: string
  fields?: Record<string, string> | undefined
  /** The verb where it isn't the label's: “Remove”. */
  confirmLabel?: string
}

export const ConfirmButton: FC<ConfirmButtonProps> = ({
  label,
  kind = 'danger',
  title,
  text,
  action,
  fields = {},
  confirmLabel = label
}) => {
  const id = elementId('confirm')
  if (!maySend(action)) return null
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
          <div class="dialog-actions">
            <button type="button" class="button plain" {...{ commandfor: id, command: 'close' }}>
              {say('Cancel')}
            </button>
            <Button kind={kind === 'danger' ? 'danger' : 'primary'}>{confirmLabel}</Button>
          </div>
        </form>
      </dialog>
    </>
  )
}
