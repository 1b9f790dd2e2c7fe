// What stands on pages before one is signed in: their frame, and the fields of those who sign in or choose a password.
import type { Context } from 'hono'
import type { Child, FC } from 'hono/jsx'
import type { ErrorStatus } from '../../src/errors.ts'
import { say } from '../../src/language/say.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../src/portal-access/passwords.ts'
import { page } from './answer.tsx'
import type { PageEnv } from './env.ts'
import { asked, errorAt, type FormState } from './form-state.ts'
import { entryOf } from './frames.tsx'
import { baseOf } from './page-kit.tsx'
import { TypedTexts } from './typed-text.tsx'
import { Field } from './ui/field.tsx'
import { Form, FormError, LinkButton, Submit } from './ui/form.tsx'
import { EntryFrame } from './ui/frame.tsx'

interface OutsidePage {
  title: string
  intro?: Child
  footer?: Child
  status?: ErrorStatus
}

/** Answers with a page for who isn't signed in, in the look of its site. */
export const showOutside = (
  c: Context<PageEnv>,
  { status, ...shown }: OutsidePage,
  children: Child,
  state?: FormState
): Promise<Response> =>
  page(
    c,
    <EntryFrame {...entryOf(c)} {...shown}>
      {children}
    </EntryFrame>,
    status ?? state?.refusal?.status ?? 200
  )

/** Whoever was signed out while typing; signing in leads back to the form. */
export const showSignedOut = (c: Context<PageEnv>, texts: readonly string[]): Promise<Response> =>
  showOutside(c, { title: say('You are signed out'), status: 401 }, [
    <TypedTexts texts={texts} />,
    <LinkButton href={`${baseOf(c)}/sign-in?next=${encodeURIComponent(c.req.path)}`}>
      {say('Sign in')}
    </LinkButton>
  ])

interface PasswordPage extends OutsidePage {
  action: string
  /** Whose password it is; for password managers as well. */
  email: string
  /** What the form brings along unseen, such as the token of the link that led here. */
  kept?: Readonly<Record<string, string | undefined>>
  /** Whether it is the one that they have already. */
  isPresent?: boolean
  submit: string
}

/** Answers with a page that asks for a password, a new one unless told otherwise. */
export const showPasswordPage = (
  c: Context<PageEnv>,
  { action, email, kept = {}, isPresent, submit, ...shown }: PasswordPage,
  state?: FormState
): Promise<Response> =>
  showOutside(
    c,
    shown,
    <Form action={action}>
      <FormError refusal={state?.refusal} />
      {Object.entries(kept).map(([name, value]) =>
        value === undefined ? null : <input type="hidden" name={name} value={value} />
      )}
      <Field label={say('E-mail')} name="email" type="email" value={email} readonly autocomplete="username" />
      {isPresent ? <PasswordField autofocus state={state} /> : <NewPasswordField state={state} />}
      <Submit>{submit}</Submit>
    </Form>,
    state
  )

interface FieldProps {
  state: FormState | undefined
  autofocus?: boolean
}

export const EmailField: FC<FieldProps> = ({ state, autofocus }) => (
  <Field
    {...asked(state, 'email', say('E-mail'))}
    type="email"
    required
    autocomplete="username"
    maxlength={254}
    autofocus={autofocus}
  />
)

export const PasswordField: FC<FieldProps & { name?: string; label?: string }> = ({
  state,
  autofocus,
  name = 'password',
  label = say('Password')
}) => (
  <Field
    name={name}
    label={label}
    type="password"
    required
    autocomplete="current-password"
    autofocus={autofocus}
    error={errorAt(state, name, label)}
  />
)

export const NewPasswordField: FC<FieldProps> = ({ state }) => (
  <Field
    name="password"
    label={say('New password')}
    type="password"
    required
    minlength={MIN_PASSWORD_LENGTH}
    maxlength={MAX_PASSWORD_LENGTH}
    autocomplete="new-password"
    help={say(
      'At least {count, plural, one {# character} other {# characters}}. A few words in a row do well.',
      { count: MIN_PASSWORD_LENGTH }
    )}
    error={errorAt(state, 'password', say('New password'))}
  />
)
