// Keys and tokens: what one is asked for with, showing it this once, and the list of them, to revoke one.
import type { Child, FC } from 'hono/jsx'
import type { Credential, Scope } from '../../schemas/api-key.ts'
import { DAY_MS, fromNow } from '../../src/clock.ts'
import { say } from '../../src/language/say.ts'
import { namedBy } from './belongings/stored-text.tsx'
import { asked, errorAt, type FormState, typed, typedAll } from './form-state.ts'
import type { Form as Filled } from './forms.ts'
import { SecretBox } from './ui/copy.tsx'
import { CheckboxGroup, Field, Select } from './ui/field.tsx'
import { ConfirmButton, Form, FormActions, LinkButton, Submit } from './ui/form.tsx'
import { Card } from './ui/layout.tsx'
import { type Column, hidden, Table, type TableProps } from './ui/table.tsx'
import { Badge, Time } from './ui/values.tsx'

interface MintFormProps {
  action: string
  thing: 'key' | 'token'
  state: FormState | undefined
  nameHelp: string
  /** What it may do, as boxes to tick. */
  scopes: readonly { value: string; label: string; help: string }[]
  /** Those that are ticked at first. */
  granted: readonly string[]
  cancelHref?: string | undefined
}

export const MintForm: FC<MintFormProps> = (props) => {
  const { action, thing, state, nameHelp, scopes, granted, cancelHref } = props
  return (
    <Form action={action}>
      <Field
        {...asked(state, 'name', say('Name'))}
        help={nameHelp}
        maxlength={100}
        autocomplete="off"
        required
      />
      <CheckboxGroup
        legend={say('What it may do')}
        name="scopes"
        options={scopes}
        values={typedAll(state, 'scopes', granted)}
        help={say('Give it no more than its work needs.')}
        error={errorAt(state, 'scopes', say('What it may do')) && say('Tick at least one.')}
      />
      <ExpirySelect state={state} />
      <Submit cancelHref={cancelHref}>{thing === 'key' ? 'Make key' : say('Make token')}</Submit>
    </Form>
  )
}

/** What was asked for with a `MintForm`. */
export const mintingIn = (form: Filled) => ({
  name: form.text('name'),
  scopes: form.all('scopes'),
  expiresAt: expiryOf(form.raw('expiry'))
})

interface MintedProps {
  thing: 'key' | 'token'
  /** Nothing when the form was sent twice. */
  secret: string | null
  note: string
  use: (secret: string) => Child
  doneHref: string
}

export const Minted: FC<MintedProps> = ({ thing, secret, note, use, doneHref }) => (
  <>
    {secret === null ? (
      <Card title={`This ${thing} was shown already`}>
        <p>
          {`This form was sent twice. The ${thing} was made once and can’t be shown again: if you didn’t copy it, revoke it and make another one.`}
        </p>
      </Card>
    ) : (
      <>
        <SecretBox label={thing === 'key' ? 'API key' : 'MCP token'} secret={secret} note={note} />
        <Card title="Use it">{use(secret)}</Card>
      </>
    )}
    <FormActions>
      <LinkButton href={doneHref}>Done</LinkButton>
    </FormActions>
  </>
)

const CHOICES = { '30': '30 days', '90': '90 days', '365': 'One year', never: 'No end' } as const

const DEFAULT_CHOICE = '90'

const ExpirySelect: FC<{ state: FormState | undefined }> = ({ state }) => (
  <Select
    label={say('Works for')}
    name="expiry"
    value={typed(state, 'expiry', DEFAULT_CHOICE)}
    options={Object.entries(CHOICES).map(([choice, label]) => ({ value: choice, label: say(label) }))}
    help={say('Until the end of that day (UTC). You can revoke it at any time before.')}
    error={errorAt(state, 'expiresAt', say('Works for'))}
    required
  />
)

/**
 * The chosen end. To the day, so that a form that is sent twice asks for the same. What isn't among the choices is
 * refused by the operation as no time at all.
 */
function expiryOf(choice: string): string | undefined {
  if (choice === 'never') return undefined
  if (choice !== '' && !Object.hasOwn(CHOICES, choice)) return choice
  const days = Number(choice || DEFAULT_CHOICE)
  return `${fromNow(days * DAY_MS).slice(0, 10)}T23:59:59.999Z`
}

export const isLive = ({ expiresAt, revokedAt }: Pick<Credential, 'expiresAt' | 'revokedAt'>): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now())

export interface CredentialListProps<Of> {
  thing: MintedProps['thing']
  caption: string
  /** The head over their names, where they are put in its order. */
  name?: Column
  of: readonly Of[]
  ownerOf?: (one: Of) => Child
  mayOf: (scopes: readonly Scope[]) => string
  /** Where one is revoked. */
  actionOf: (one: Of) => string
  /** Tells those that can be revoked from those that have ended. */
  isRevocable?: (one: Of) => boolean
  empty: NonNullable<TableProps['empty']>
}

/** Keys or tokens, as console and portal list them. */
export function CredentialList<Of extends Credential>(props: CredentialListProps<Of>) {
  const { thing, caption, name, of, ownerOf, mayOf, actionOf, isRevocable = isLive, empty } = props
  return (
    <Table
      caption={caption}
      columns={[
        ...(ownerOf ? ['Customer'] : []),
        name ?? say('Name'),
        thing === 'key' ? 'Key' : say('Token'),
        say('May'),
        say('Last used'),
        say('Ends'),
        say('State'),
        hidden(say('Revoke'))
      ]}
      rows={of.map((one) => ({
        cells: [
          ...(ownerOf ? [ownerOf(one)] : []),
          <bdi>{one.name}</bdi>,
          <span class="id">
            <code>{one.prefix}…</code>
          </span>,
          mayOf(one.scopes),
          ...[one.lastUsedAt, one.expiresAt].map((iso) => (iso === null ? say('Never') : <Time iso={iso} />)),
          <ValidityBadge {...one} />,
          isRevocable(one) ? (
            <ConfirmButton
              label={say('Revoke')}
              title={
                thing === 'key'
                  ? `Revoke ${one.name}?`
                  : say('Revoke the token {name}?', { name: namedBy(one.name) })
              }
              text={say('Whatever uses {token} is refused at once, and for good.', {
                token: `${one.prefix}…`
              })}
              action={actionOf(one)}
            />
          ) : null
        ]
      }))}
      empty={empty}
    />
  )
}

const ValidityBadge: FC<Credential> = (one) => {
  if (one.revokedAt !== null) return <Badge tone="neutral">{say('Revoked')}</Badge>
  return isLive(one) ? <Badge tone="good">{say('Works')}</Badge> : <Badge tone="warn">{say('Expired')}</Badge>
}
