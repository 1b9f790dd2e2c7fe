// The MCP tokens of customers' agents in the console: one customer's, and those of all.
import type { Child } from 'hono/jsx'
import { CUSTOMER_SCOPES, type CustomerToken } from '../../../schemas/customer-token.ts'
import { nameOf } from '../../../src/customers/name.ts'
import {
  listAllCustomerTokens,
  listCustomerTokensOperation,
  mintCustomerTokenOperation,
  revokeCustomerTokenOperation
} from '../../../src/keys/operations.ts'
import { chooseCustomer } from '../choose-customer.tsx'
import {
  answerPart,
  type CustomerContext,
  ofCustomer,
  parameter
} from '../console-customers/customer-page.tsx'
import { customerPath } from '../console-customers/words.tsx'
import type { FormState } from '../form-state.ts'
import type { Form } from '../forms.ts'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { pageAsked, pathTo, publicUrlOf, withQuery } from '../settings/address.ts'
import {
  claudeCode,
  isLive,
  Minted,
  MintForm,
  mintingOf,
  secretCells,
  ValidityBadge
} from '../settings/minting.tsx'
import { Snippet } from '../ui/copy.tsx'
import { ConfirmButton, LinkButton } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { Pager, Table } from '../ui/table.tsx'
import { namedBy } from './stored-text.tsx'

export const consoleTokens: Page<CustomerContext> = {
  async show(context, state) {
    const { id, enableAiMemory } = context.customer
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
            <TokenTable
              caption="MCP tokens of this customer"
              tokens={data}
              revocation={({ tokenId }) => ({
                text: 'Agents that use it are refused at once, and for good.',
                action: customerPath(id, 'tokens', tokenId, 'revoke')
              })}
              empty={{ title: 'No token yet', text: 'Make one below and hand it to the customer’s agent.' }}
            />
          </Card>
          <Card
            title="Make a token"
            description={
              enableAiMemory ? (
                'It is shown once, right after this.'
              ) : (
                <>
                  Memory is off for this customer: a token opens nothing until{' '}
                  <a href={customerPath(id, 'memory')}>it is on</a>.
                </>
              )
            }
          >
            {tokenForm(customerPath(id, 'tokens', 'mint'), state)}
          </Card>
        </>
      )
    })
  },
  forms: {
    async mint(context, form) {
      const name = form.raw('name').trim()
      const doneHref = customerPath(context.customer.id, 'tokens')
      return answerPart(context, {
        part: 'tokens',
        title: name,
        above: [{ href: doneHref, label: 'MCP tokens' }],
        children: await mintedToken(context, { ...mintingOf(form), name }, form, doneHref)
      })
    },
    ':tokenId/revoke': (context) =>
      callOperation(context, revokeCustomerTokenOperation, { tokenId: parameter(context, 'tokenId') })
  }
}

const LIST = pathTo('tokens')
const NEW = pathTo('tokens', 'new')

const allTokens: Page = {
  async show(context) {
    const tokens = await callOperation(context, listAllCustomerTokens, { page: pageAsked(context.c) })
    const makeOne = <LinkButton href={NEW}>Make a token</LinkButton>
    return showPage(
      context,
      { title: 'MCP tokens', current: 'tokens', action: makeOne },
      <>
        <TokenTable
          caption="MCP tokens of all customers"
          tokens={tokens.data}
          ownerOf={({ customerId, customerName }) => (
            <a href={pathTo('customers', customerId)}>{customerName}</a>
          )}
          revocation={({ customerId, customerName, tokenId }) => ({
            text: `The agent of ${customerName} that uses it loses its memory at once, and for good.`,
            action: pathTo('tokens', customerId, tokenId, 'revoke')
          })}
          empty={{
            title: 'No customer has a token yet',
            text: 'With a token a customer’s own agent remembers and recalls over MCP, for that customer alone.',
            action: makeOne
          }}
        />
        <Pager pagination={tokens.pagination} hrefOf={(page) => withQuery(LIST, { page })} />
      </>
    )
  },
  buttons: {
    ':customerId/:tokenId/revoke': (context) =>
      callOperation(context, revokeCustomerTokenOperation, context.c.req.param())
  }
}

const mintPage: Page<CustomerContext> = {
  async show(context, state) {
    const { customer } = context
    const isOff = !customer.enableAiMemory && (
      <p>
        AI memory is switched off for this customer, so the token is refused until you{' '}
        <a href={pathTo('customers', customer.id)}>switch it on</a>.
      </p>
    )
    const breadcrumbs = [
      { href: LIST, label: 'MCP tokens' },
      { href: NEW, label: 'Make a token' }
    ]
    return showPage(
      context,
      { title: `Make a token for ${nameOf(customer)}`, current: 'tokens', breadcrumbs, state },
      <Card>{tokenForm(pathTo('tokens', 'new', customer.id), state, LIST, isOff)}</Card>
    )
  },
  forms: {
    async ''(context, form) {
      const minted = await mintedToken(context, mintingOf(form), form, LIST)
      return showPage(context, { title: `Token of ${nameOf(context.customer)}`, current: 'tokens' }, minted)
    }
  }
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

const tokenForm = (action: string, state: FormState | undefined, cancelHref?: string, note?: Child) => (
  <MintForm
    action={action}
    thing="token"
    state={state}
    nameHelp="The agent that uses it, such as “Claude Code” or “Phone assistant”."
    scopes={[
      { value: CUSTOMER_SCOPES[0], label: 'Recall and ask', help: 'Read what the customer’s Minds hold.' },
      { value: CUSTOMER_SCOPES[1], label: 'Remember', help: 'Store new memories.' }
    ]}
    granted={CUSTOMER_SCOPES}
    cancelHref={cancelHref}
  >
    {note}
  </MintForm>
)

/** The token is shown by the answer itself: it is kept nowhere that another page could read it from. */
async function mintedToken(
  context: CustomerContext,
  input: ReturnType<typeof mintingOf>,
  form: Form,
  doneHref: string
): Promise<Child> {
  const { token } = await callOperation(context, mintCustomerTokenOperation, input, form)
  const url = `${publicUrlOf(context.service.config, context.c)}/api/mcp`
  return (
    <Minted
      thing="token"
      secret={token}
      label="MCP token"
      note="Copy it now and hand it over safely: it is shown this once. Whoever has it reads and writes this customer’s memory."
      use={(secret) => <Snippet label="Claude Code" code={claudeCode('memory', url, secret)} />}
      doneHref={doneHref}
    />
  )
}

interface TokenTableProps<Token> {
  caption: string
  tokens: readonly Token[]
  ownerOf?: (token: Token) => Child
  /** What revoking means for whoever uses it, and where that is asked for. */
  revocation: (token: Token) => { text: string; action: string }
  /** Tells the tokens that can be revoked from those that have ended. */
  isRevocable?: (token: Token) => boolean
  empty: { title: string; text: string; action?: Child }
}

/** A customer's tokens, as console and portal list them. */
export function TokenTable<Token extends CustomerToken>(props: TokenTableProps<Token>) {
  const { caption, tokens, ownerOf, revocation, isRevocable = isLive, empty } = props
  return (
    <Table
      caption={caption}
      columns={[
        ...(ownerOf ? ['Customer'] : []),
        ...['Name', 'Token', 'May', 'Last used', 'Ends', 'State'],
        { title: 'Revoke', hidden: true }
      ]}
      rows={tokens.map((token) => ({
        cells: [
          ...(ownerOf ? [ownerOf(token)] : []),
          <bdi>{token.name}</bdi>,
          ...secretCells(token, scopesInWords(token.scopes)),
          <ValidityBadge of={token} />,
          isRevocable(token) ? (
            <ConfirmButton
              label="Revoke"
              title={`Revoke the token ${namedBy(token.name)}?`}
              {...revocation(token)}
            />
          ) : null
        ]
      }))}
      empty={empty}
    />
  )
}

function scopesInWords(scopes: readonly string[]): string {
  if (!scopes.includes('memory:write')) return 'Read only'
  return scopes.includes('memory:read') ? 'Read and write' : 'Write only'
}
