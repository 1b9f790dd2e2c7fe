// The MCP tokens of customers' agents in the console: one customer's, and those of all. The portal has list and form of it.
import type { FC } from 'hono/jsx'
import type { Credential } from '../../../schemas/api-key.ts'
import { CUSTOMER_SCOPES, ListAllCustomerTokens } from '../../../schemas/customer-token.ts'
import { endCustomerApp, listCustomerApps } from '../../../src/connected-apps/operations.ts'
import { nameOf } from '../../../src/customers/name.ts'
import {
  listAllCustomerTokens,
  listCustomerTokensOperation,
  mintCustomerTokenOperation,
  revokeCustomerTokenOperation
} from '../../../src/keys/operations.ts'
import { say } from '../../../src/language/say.ts'
import { chooseCustomer } from '../choose-customer.tsx'
import {
  answerPart,
  type CustomerContext,
  ofCustomer,
  type ShownCustomer
} from '../console-customers/customer-page.tsx'
import { customerPath } from '../console-customers/words.tsx'
import { claudeCode } from '../customer/client-snippets.ts'
import type { FormState } from '../form-state.ts'
import type { Form } from '../forms.ts'
import { listing, listQuery } from '../listing.tsx'
import { CredentialList, type CredentialListProps, Minted, MintForm, mintingIn } from '../minting.tsx'
import { callOperation, type Outcome, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { pathTo, publicUrlOf } from '../settings/address.ts'
import { Snippet } from '../ui/copy.tsx'
import { LinkButton } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { AppCard } from './apps.tsx'

export const consoleTokens: Page<CustomerContext> = {
  async show(context, state) {
    const { customer } = context
    const { data } = await callOperation(context, listCustomerTokensOperation)
    return answerPart(context, {
      part: 'tokens',
      state,
      children: (
        <>
          <Card
            title="Tokens"
            description="Each opens this customer’s own memory to an agent, and nothing else."
          >
            <TokenList
              caption="MCP tokens of this customer"
              of={data}
              actionOf={({ tokenId }) => customerPath(customer.id, 'tokens', tokenId, 'revoke')}
              empty={{ title: 'No token yet', text: 'Make one below and hand it to the customer’s agent.' }}
            />
          </Card>
          <MintCard customer={customer} action={customerPath(customer.id, 'tokens', 'mint')} state={state} />
          <AppCard
            description="This customer’s own people signed in and let these in. Each acts for them, as far as they may themselves."
            of={(await callOperation(context, listCustomerApps)).data}
            actionOf={({ appId }) => customerPath(customer.id, 'tokens', 'apps', appId, 'end')}
          />
        </>
      )
    })
  },
  forms: { mint, ':tokenId/revoke': revoke, 'apps/:appId/end': endApp }
}

function endApp(context: PageContext): Promise<Outcome> {
  return callOperation(context, endCustomerApp, context.c.req.param())
}

function revoke(context: PageContext): Promise<Outcome> {
  return callOperation(context, revokeCustomerTokenOperation, context.c.req.param())
}

/** The token is shown by the answer itself: it is kept nowhere that another page could read it from. */
async function mint(context: CustomerContext, form: Form): Promise<Response> {
  const input = { ...mintingIn(form), name: form.raw('name').trim() }
  const { token } = await callOperation(context, mintCustomerTokenOperation, input, form)
  const url = `${publicUrlOf(context.service.config, context.c)}/api/mcp`
  const tokensHref = customerPath(context.customer.id, 'tokens')
  return answerPart(context, {
    part: 'tokens',
    title: input.name,
    above: [{ href: tokensHref, label: 'MCP tokens' }],
    children: (
      <Minted
        thing="token"
        secret={token}
        note="Copy it now and hand it over safely: it is shown this once. Whoever has it reads and writes this customer’s memory."
        use={(secret) => <Snippet label="Claude Code" code={claudeCode('memory', url, secret)} />}
        doneHref={tokensHref}
      />
    )
  })
}

const LIST = pathTo('tokens')
const NEW = pathTo('tokens', 'new')

const Query = listQuery(ListAllCustomerTokens.shape.sort)

const allTokens: Page = {
  async show(context) {
    const query = Query.parse(context.c.req.query())
    const list = listing(LIST, query, { name: 'name' })
    const tokens = await callOperation(context, listAllCustomerTokens, query)
    const makeOne = <LinkButton href={NEW}>Make a token</LinkButton>
    return showPage(
      context,
      { title: 'MCP tokens', current: 'tokens', action: makeOne },
      <>
        {list.search('Name or customer')}
        <TokenList
          caption={`MCP tokens of all customers: ${list.order}`}
          name={list.sorted('Name', 'name')}
          of={tokens.data}
          ownerOf={({ customerId, customerName }) => (
            <a href={pathTo('customers', customerId)}>{customerName}</a>
          )}
          actionOf={({ customerId, tokenId }) => pathTo('tokens', customerId, tokenId, 'revoke')}
          empty={list.isFiltered ? NONE_MATCHES : { ...NONE_YET, action: makeOne }}
        />
        {list.pager(tokens.pagination)}
      </>
    )
  },
  buttons: { ':customerId/:tokenId/revoke': revoke }
}

const NONE_MATCHES = { title: 'No token matches' }
const NONE_YET = {
  title: 'No customer has a token yet',
  text: 'With a token a customer’s own agent remembers and recalls over MCP, for that customer alone.'
}

const mintPage: Page<CustomerContext> = {
  async show(context, state) {
    const { customer } = context
    const breadcrumbs = [
      { href: LIST, label: 'MCP tokens' },
      { href: NEW, label: 'Make a token' }
    ]
    return showPage(
      context,
      { title: `Make a token for ${nameOf(customer)}`, current: 'tokens', breadcrumbs, state },
      <MintCard
        customer={customer}
        action={pathTo('tokens', 'new', customer.id)}
        state={state}
        cancelHref={LIST}
      />
    )
  },
  forms: { '': mint }
}

export const tokenPages = {
  '/tokens': allTokens,
  '/tokens/new': (context: PageContext) =>
    chooseCustomer(context, {
      title: 'Make a token: for whom?',
      current: 'tokens',
      action: NEW,
      hrefOf: (customerId) => pathTo('tokens', 'new', customerId),
      whenNone: 'A token belongs to a customer.'
    }),
  '/tokens/new/:customerId': ofCustomer(mintPage)
}

interface MintCardProps {
  /** Whose token it is to be, in the console. */
  customer?: ShownCustomer
  action: string
  state: FormState | undefined
  cancelHref?: string
}

export const MintCard: FC<MintCardProps> = ({ customer, ...form }) => (
  <Card
    title={say('Make a token')}
    sendsTo={form.action}
    description={
      customer?.enableAiMemory === false ? (
        <>
          Memory is off for this customer: a token opens nothing until{' '}
          <a href={customerPath(customer.id, 'memory')}>it is on</a>.
        </>
      ) : (
        say('It is shown once, right after this.')
      )
    }
  >
    <MintForm
      thing="token"
      nameHelp={say('The agent that uses it, such as “Claude Code” or “Phone assistant”.')}
      scopes={[
        {
          value: CUSTOMER_SCOPES[0],
          label: say('Recall and ask'),
          help: customer ? 'Read the customer’s memory.' : say('Read your memory.')
        },
        { value: CUSTOMER_SCOPES[1], label: say('Remember'), help: say('Store new memories.') }
      ]}
      granted={CUSTOMER_SCOPES}
      {...form}
    />
  </Card>
)

/** Tokens of customers' agents, as console and portal list them. */
export const TokenList = <Of extends Credential>(list: Omit<CredentialListProps<Of>, 'thing' | 'mayOf'>) => (
  <CredentialList thing="token" mayOf={scopesInWords} {...list} />
)

function scopesInWords(scopes: readonly string[]): string {
  if (!scopes.includes('memory:write')) return say('Read only')
  return scopes.includes('memory:read') ? say('Read and write') : say('Write only')
}
