// The forms of those who aren't signed in yet; portal and console share them.

import type { Child, FC } from 'hono/jsx'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../src/portal-access/passwords.ts'
import { fieldError, type Refusal } from './form-state.ts'
import { Field } from './ui/field.tsx'
import { Form, FormError, Submit } from './ui/form.tsx'
import { type Door, DoorFrame } from './ui/frame.tsx'

interface SignInProps {
  door: Door
  base: string
  email?: string | undefined
  /** The page that was asked for. */
  next?: string | undefined
  refusal?: Refusal | undefined
}

export const SignInPage: FC<SignInProps> = ({ door, base, email, next, refusal }) => (
  <DoorFrame {...door} title="Sign in" footer={<a href={`${base}/forgot`}>Forgot your password?</a>}>
    <Form action={`${base}/sign-in`}>
      <FormError refusal={refusal} />
      {next ? <input type="hidden" name="next" value={next} /> : null}
      <EmailField email={email} autofocus={email === undefined} refusal={refusal} />
      <PasswordField autofocus={email !== undefined} refusal={refusal} />
      <Submit>Sign in</Submit>
    </Form>
  </DoorFrame>
)

export const ForgotPage: FC<Pick<SignInProps, 'door' | 'base' | 'email' | 'refusal'>> = ({
  door,
  base,
  email,
  refusal
}) => (
  <DoorFrame
    {...door}
    title="Forgot your password?"
    intro="Enter the address you sign in with, and we’ll mail you a link to set a new one."
    footer={<a href={`${base}/sign-in`}>Back to sign in</a>}
  >
    <Form action={`${base}/forgot`}>
      <FormError refusal={refusal} />
      <EmailField email={email} autofocus refusal={refusal} />
      <Submit>Send the link</Submit>
    </Form>
  </DoorFrame>
)

export const ForgotSentPage: FC<Pick<SignInProps, 'door' | 'base'>> = ({ door, base }) => (
  <DoorFrame {...door} title="Look into your mail" footer={<a href={`${base}/sign-in`}>Back to sign in</a>}>
    <p>
      If that address can sign in here, a link to set a new password is on its way. It is valid for 60
      minutes.
    </p>
    <p>Nothing there after a few minutes? Look into the spam folder, or check the address and try again.</p>
  </DoorFrame>
)

interface PasswordPageProps {
  door: Door
  action: string
  title: string
  intro?: Child
  /** Whose password it is; for password managers as well. */
  email: string
  /** Of the link that led here. */
  token?: string | undefined
  /** `current`: the one that they have already. */
  kind?: 'new' | 'current' | undefined
  submit: string
  refusal?: Refusal | undefined
  footer?: Child
}

/** Asks for a password, a new one unless told otherwise. */
export const PasswordPage: FC<PasswordPageProps> = (props) => {
  const { door, action, title, intro, email, token, kind = 'new', submit, refusal, footer } = props
  return (
    <DoorFrame {...door} title={title} intro={intro} footer={footer}>
      <Form action={action}>
        <FormError refusal={refusal} />
        {token === undefined ? null : <input type="hidden" name="token" value={token} />}
        <Field label="E-mail" name="email" type="email" value={email} readonly autocomplete="username" />
        {kind === 'new' ? (
          <NewPasswordField error={fieldError(refusal, 'password')} />
        ) : (
          <PasswordField autofocus refusal={refusal} />
        )}
        <Submit>{submit}</Submit>
      </Form>
    </DoorFrame>
  )
}

type EnteredProps = Pick<SignInProps, 'email' | 'refusal'> & { autofocus: boolean }

const EmailField: FC<EnteredProps> = ({ email, autofocus, refusal }) => (
  <Field
    label="E-mail"
    name="email"
    type="email"
    value={email}
    required
    autocomplete="username"
    maxlength={254}
    autofocus={autofocus}
    error={fieldError(refusal, 'email')}
  />
)

const PasswordField: FC<EnteredProps> = ({ autofocus, refusal }) => (
  <Field
    label="Password"
    name="password"
    type="password"
    required
    autocomplete="current-password"
    autofocus={autofocus}
    error={fieldError(refusal, 'password')}
  />
)

export const NewPasswordField: FC<{ error?: string | undefined }> = ({ error }) => (
  <Field
    label="New password"
    name="password"
    type="password"
    required
    minlength={MIN_PASSWORD_LENGTH}
    maxlength={MAX_PASSWORD_LENGTH}
    autocomplete="new-password"
    help={`At least ${MIN_PASSWORD_LENGTH} characters. A few words in a row do well.`}
    error={error}
  />
)

/** What a link that ended leads to. */
export const LinkEndedPage: FC<{ door: Door; message: string; base: string }> = ({ door, message, base }) => (
  <DoorFrame {...door} title="This link has ended" footer={<a href={`${base}/sign-in`}>Sign in</a>}>
    <p>{message}</p>
    <p>
      If you have chosen a password before, you can sign in with it or{' '}
      <a href={`${base}/forgot`}>set a new one</a>.
    </p>
  </DoorFrame>
)
