// Letting an app in that wants to be connected: what it is, what it may do, and for whom. The same for portal and console.
import type { Child, FC } from 'hono/jsx'
import { type AnyScope, SCOPE_TEXTS, type Scope } from '../../../schemas/api-key.ts'
import { isKnownClient, type NewApp } from '../../../src/connected-apps/store.ts'
import { appsAreOff } from '../../../src/connected-apps/verify.ts'
import { ServiceError } from '../../../src/errors.ts'
import { pieces, say, type Text } from '../../../src/language/say.ts'
import { type Membership, membershipsOf, SCOPES_OF_ROLE } from '../../../src/portal-access/memberships.ts'
import { membershipKey } from '../../../src/portal-access/sign-in.ts'
import { type Connection, pendingConnection } from '../../oauth/connection.ts'
import { errorAt, type FormState, typed, typedAll } from '../form-state.ts'
import type { Form as Filled } from '../forms.ts'
import { baseOf, type Page, type PageContext } from '../page-kit.tsx'
import { showOutside } from '../password-forms.tsx'
import { CheckboxGroup, Select } from '../ui/field.tsx'
import { ActButton, Form, FormError, LinkButton, Notice, Submit } from '../ui/form.tsx'

/** What a customer's own people read. */
const OWN_TEXTS: Partial<Record<Scope, { label: Text; help: Text }>> = {
  'memory:read': {
    label: 'Recall and ask',
    help: 'Read all that your memory holds. Each question costs credits.'
  },
  'memory:write': { label: 'Remember and forget', help: 'Store new memories, and delete old ones.' }
}

/** What differs between the sites: who decides, and for whom. */
interface Decider {
  partnerId: string
  email: string
  person: NewApp['person']
  /** Where several customers' memories are open to the person, one is chosen. */
  memberships: readonly Membership[] | undefined
  /** At the console: whose customers' memories they are. */
  partnerName?: string
  /** At the console: what their role may. */
  own?: ReadonlySet<AnyScope>
}

async function deciderOf({ c, service }: PageContext): Promise<Decider> {
  const visitor = c.get('visitor')
  if (!visitor) {
    const { partnerId, person, email, partnerName, caller } = c.get('consoleVisitor')
    return { partnerId, person, email, memberships: undefined, partnerName, own: caller.scopes }
  }
  const { partnerId, person, email, customerId } = visitor
  const all = await membershipsOf(service.database.read, partnerId, person.identityId)
  const open = all.filter(({ features }) => features.hasApiAccess)
  if (open.length === 0) throw appsAreOff()
  const memberships = open.toSorted(
    (a, b) => Number(b.customerId === customerId) - Number(a.customerId === customerId)
  )
  return { partnerId, person, email, memberships }
}

const connectionOf = ({ c, service }: PageContext): Promise<Connection> =>
  pendingConnection(service, c, c.get('visitor') ? 'customer' : 'partner')

const consentPage: Page = {
  async show(context, state) {
    const { c, service } = context
    const [connection, decider] = [await connectionOf(context), await deciderOf(context)]
    const { client, host, destination } = connection
    const who = { ...decider.person, clientId: client.clientId }
    const isKnown = await isKnownClient(service.database.read, decider.partnerId, who)
    const address = `${baseOf(c)}/connect/${c.req.param('uid')}`
    return showOutside(
      c,
      {
        title: say('Connect {name}?', { name: client.clientName }),
        intro: <Intro app={client.clientName} {...decider} />,
        footer: <ActButton action={`${address}/cancel`}>{say('Don’t connect')}</ActButton>
      },
      <Form action={address}>
        <FormError refusal={state?.refusal} />
        {isKnown ? null : <Unknown host={host} />}
        <p>{pieces('Your answer goes to {destination}.', { destination: <strong>{destination}</strong> })}</p>
        <Whom memberships={decider.memberships} state={state} />
        <CheckboxGroup
          legend={say('What it may do')}
          name="scopes"
          options={offered(connection, decider).map((scope) => ({
            value: scope,
            ...textsOf(scope, decider)
          }))}
          values={typedAll(state, 'scopes', offered(connection, decider))}
          help={say('Take away what it needn’t do. You can end all of it at any time.')}
          error={errorAt(state, 'scopes', say('What it may do'))}
        />
        <Submit>{say('Connect')}</Submit>
      </Form>,
      state
    )
  },
  forms: { '': allow },
  buttons: {
    async cancel(context) {
      const connection = await connectionOf(context)
      return goBack(context, await connection.refuse(), say('Nothing was connected'), connection)
    }
  }
}

async function allow(context: PageContext, form: Filled): Promise<Response> {
  const [connection, decider] = [await connectionOf(context), await deciderOf(context)]
  const { partnerId, person, memberships } = decider
  const wanted = form.raw('membership')
  const membership = memberships?.find((one) => memberships.length === 1 || membershipKey(one) === wanted)
  if (memberships && !membership) throw unfit('membership', 'Choose whose memory it is.')
  const ticked = new Set<string>(form.all('scopes'))
  const may = { ...decider, memberships: membership && [membership] }
  const scopes = offered(connection, may).filter((scope) => ticked.has(scope))
  if (scopes.length === 0) throw unfit('scopes', 'Tick at least one thing that you may do yourself.')
  const app = { person, membership, scopes, requestId: context.c.get('requestId') }
  return goBack(context, await connection.allow(partnerId, app), say('Connected'), connection)
}

const unfit = (field: string, message: string) => new ServiceError('invalid_input', message, { field })

/** What was asked for, as far as the person may do it. */
const offered = (
  { scopes }: Connection,
  { memberships, own }: Pick<Decider, 'memberships' | 'own'>
): Scope[] =>
  scopes.filter(
    (scope) => own?.has(scope) || memberships?.some(({ role }) => SCOPES_OF_ROLE[role].has(scope))
  )

const Intro: FC<{ app: string } & Pick<Decider, 'email' | 'partnerName'>> = ({ app, email, partnerName }) => {
  const named = { app: <bdi>{app}</bdi>, email: <bdi>{email}</bdi> }
  return (
    <>
      {partnerName === undefined ? (
        pieces('{app} wants access to your memory. You are signed in as {email}.', named)
      ) : (
        <>
          {named.app} wants access to {partnerName}’s customers. You are signed in as {named.email}.
        </>
      )}
    </>
  )
}

function textsOf(scope: Scope, { memberships }: Pick<Decider, 'memberships'>) {
  const own = memberships && OWN_TEXTS[scope]
  return own ? { label: say(own.label), help: say(own.help) } : SCOPE_TEXTS[scope]
}

const Unknown = ({ host }: { host: string | undefined }): Child => (
  <Notice tone="bad">
    {host === undefined
      ? say(
          'Nobody vouches for this app’s name: anybody can register under any. Connect it only if you have just begun this yourself.'
        )
      : say(
          'This app is new here. {host} says that it is its own. Connect it only if you have just begun this yourself.',
          { host }
        )}
  </Notice>
)

const Whom: FC<Pick<Decider, 'memberships'> & { state: FormState | undefined }> = ({ memberships, state }) =>
  memberships && memberships.length > 1 ? (
    <Select
      label={say('Whose memory')}
      name="membership"
      value={typed(state, 'membership')}
      options={memberships.map((one) => ({ value: membershipKey(one), label: one.customerName }))}
      error={errorAt(state, 'membership', say('Whose memory'))}
      required
    />
  ) : null

/** By a page of ours: a form that is redirected may not lead to another site, whatever that then does. */
function goBack({ c }: PageContext, path: string, title: string, { client }: Connection): Promise<Response> {
  c.header('Refresh', `0;url=${path}`)
  return showOutside(
    c,
    { title },
    <>
      <p>{pieces('We send you back to {app}.', { app: <bdi>{client.clientName}</bdi> })}</p>
      <LinkButton href={path}>{say('Go back now')}</LinkButton>
    </>
  )
}

export const connectPages = { '/connect/:uid': consentPage }
