// Making a key or a token: what it is asked for with, showing it this once, and revoking it.
import type { Child, FC } from 'hono/jsx'
import type { Form as Filled, Refusal } from '../forms.ts'
import { SecretBox, Snippet } from '../ui/copy.tsx'
import { CheckboxGroup, Field } from '../ui/field.tsx'
import { Form, FormActions, FormError, LinkButton, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { asked, errorAt, type Tried, typedAll } from '../visit.ts'
import { ExpirySelect, expiryOf } from './expiry.tsx'

export interface MintFormProps {
  action: string
  thing: 'key' | 'token'
  tried: Tried | undefined
  /** Shown above the fields. */
  refusal?: Refusal | undefined
  nameHelp: string
  /** What it may do, as boxes to tick; and those that are ticked at first. */
  scopes: { legend: string; options: ScopeOptions; granted: readonly string[]; help?: string }
  cancelHref?: string
  /** Stands above the buttons. */
  children?: Child
}

type ScopeOptions = readonly { value: string; label: string; help: string }[]

export const MintForm: FC<MintFormProps> = (props) => {
  const { action, thing, tried, refusal, nameHelp, scopes, cancelHref, children } = props
  const scopeError = errorAt(tried, 'scopes', 'What it may do')
  return (
    <Form action={action}>
      <FormError refusal={refusal} />
      <Field {...asked(tried, 'name', 'Name')} help={nameHelp} maxlength={100} autocomplete="off" required />
      <CheckboxGroup
        legend={scopes.legend}
        name="scopes"
        options={scopes.options}
        values={typedAll(tried, 'scopes', scopes.granted)}
        help={scopes.help}
        error={scopeError && 'Tick at least one.'}
      />
      <ExpirySelect tried={tried} />
      {children}
      <Submit cancelHref={cancelHref}>{`Make ${thing}`}</Submit>
    </Form>
  )
}

/** What the form asks for. */
export const mintingOf = (form: Filled) => ({
  name: form.text('name'),
  scopes: form.all('scopes'),
  expiresAt: expiryOf(form.raw('expiry'))
})

interface MintedProps {
  thing: 'key' | 'token'
  /** Nothing when the form was sent twice. */
  secret: string | null
  label: string
  note: string
  /** What to paste where. */
  use: (secret: string) => Child
  doneHref: string
}

export const Minted: FC<MintedProps> = ({ thing, secret, label, note, use, doneHref }) => (
  <>
    {secret === null ? (
      <Card title={`This ${thing} was shown already`}>
        <p>
          {`This form was sent twice. The ${thing} was made once and can’t be shown again: if you didn’t copy it, revoke it and make another one.`}
        </p>
      </Card>
    ) : (
      <>
        <SecretBox label={label} secret={secret} note={note} />
        <Card title="Use it">{use(secret)}</Card>
      </>
    )}
    <FormActions>
      <LinkButton href={doneHref}>Done</LinkButton>
    </FormActions>
  </>
)

interface ClaudeCodeProps {
  label?: string
  /** How Claude Code is to call the server. */
  server: string
  url: string
  secret: string
}

export const ClaudeCode: FC<ClaudeCodeProps> = ({ label = 'Claude Code', server, url, secret }) => (
  <Snippet
    label={label}
    code={`claude mcp add --transport http ${server} ${url} \\\n  --header "Authorization: Bearer ${secret}"`}
  />
)
