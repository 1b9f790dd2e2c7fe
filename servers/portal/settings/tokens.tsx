// The MCP tokens of all customers: what has access to a memory at all, and one more for a chosen customer.
import { type Context, Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import {
  CUSTOMER_SCOPES,
  MintedCustomerToken,
  OwnedCustomerTokenPage
} from '../../../schemas/customer-token.ts'
import { Acknowledgement } from '../../../schemas/envelope.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { listAllCustomerTokens } from '../../../src/keys/all-tokens.ts'
import {
  mintCustomerTokenOperation,
  revokeCustomerTokenOperation
} from '../../../src/keys/customer-token-operations.ts'
import type { Service } from '../../../src/service.ts'
import { page } from '../answer.tsx'
import { chooseCustomer } from '../choose-customer.tsx'
import { type ShownCustomer, visitCustomer } from '../console-customers/customer-page.tsx'
import type { PageEnv } from '../env.ts'
import { ConsolePage } from '../frames.tsx'
import { LinkButton } from '../ui/form.tsx'
import { Card, EmptyState } from '../ui/layout.tsx'
import { Pager, Table } from '../ui/table.tsx'
import { Time } from '../ui/values.tsx'
import { acted, run, runFor, submitted, type Tried } from '../visit.ts'
import { pageAsked, pathTo, publicUrlOf, withQuery } from './address.ts'
import { Expiry, isLive, ValidityBadge } from './expiry.tsx'
import { ClaudeCode, Minted, MintForm, mintingOf, RevokeButton } from './minting.tsx'

const LIST = pathTo('tokens')
const NEW = pathTo('tokens', 'new')

/** `/tokens` and below. */
export function tokenPages(service: Service): Hono<PageEnv> {
  const pages = new Hono<PageEnv>()

  pages.get('/', async (c) => {
    const input = { page: pageAsked(c) }
    const tokens = await run({ c, service }, listAllCustomerTokens, OwnedCustomerTokenPage, input)
    return page(c, <TokensPage c={c} tokens={tokens} />)
  })

  pages.get('/new', (c) =>
    chooseCustomer(
      { c, service },
      {
        title: 'Make a token: for whom?',
        current: 'tokens',
        action: NEW,
        hrefOf: (customerId) => pathTo('tokens', 'new', customerId),
        whenNone: 'A token belongs to a customer.'
      }
    )
  )

  pages.get('/new/:customerId', async (c) => {
    const { customer } = await visitCustomer({ c, service })
    return page(c, <MintPage c={c} customer={customer} />)
  })

  pages.post('/new/:customerId', async (c) => {
    const visited = await visitCustomer({ c, service })
    const { customer } = visited
    return submitted(visited, {
      async act(form) {
        const input = mintingOf(form)
        const { token } = await runFor(visited, mintCustomerTokenOperation, MintedCustomerToken, input, form)
        return page(
          c,
          <ConsolePage c={c} title={`Token of ${nameOf(customer)}`} current="tokens">
            <Minted
              thing="token"
              secret={token}
              label="Token"
              note="Copy it now and hand it over safely: it is shown this once."
              use={(secret) => (
                <ClaudeCode
                  server="memory"
                  url={`${publicUrlOf(service.config, c)}/api/mcp`}
                  secret={secret}
                />
              )}
              doneHref={LIST}
            />
          </ConsolePage>
        )
      },
      again: (tried) => page(c, <MintPage c={c} customer={customer} tried={tried} />, tried.refusal.status)
    })
  })

  pages.post('/:customerId/:tokenId/revoke', (c) => {
    const { customerId, tokenId } = c.req.param()
    return acted({ c, service }, LIST, () =>
      run({ c, service }, revokeCustomerTokenOperation, Acknowledgement, { customerId, tokenId })
    )
  })

  return pages
}

const TokensPage: FC<{ c: Context<PageEnv>; tokens: z.output<typeof OwnedCustomerTokenPage> }> = ({
  c,
  tokens: { data, pagination }
}) => (
  <ConsolePage
    c={c}
    title="MCP tokens"
    current="tokens"
    action={<LinkButton href={NEW}>Make a token</LinkButton>}
  >
    <Table
      caption="MCP tokens of all customers"
      columns={['Customer', 'Name', 'Token', 'Last used', 'Ends', 'State', { title: 'Revoke', hidden: true }]}
      rows={data.map((token) => ({
        key: token.tokenId,
        cells: [
          <a href={pathTo('customers', token.customerId)}>{token.customerName}</a>,
          token.name,
          <span class="id">
            <code>{token.prefix}…</code>
          </span>,
          token.lastUsedAt === null ? 'Never' : <Time iso={token.lastUsedAt} />,
          <Expiry iso={token.expiresAt} />,
          <ValidityBadge of={token} />,
          isLive(token) ? (
            <RevokeButton
              thing="token"
              name={token.name}
              text={`The agent of ${token.customerName} that uses it loses its memory at once.`}
              action={pathTo('tokens', token.customerId, token.tokenId, 'revoke')}
            />
          ) : null
        ]
      }))}
      empty={
        <EmptyState
          title="No customer has a token yet"
          action={<LinkButton href={NEW}>Make a token</LinkButton>}
        >
          With a token a customer’s own agent remembers and recalls over MCP, for that customer alone.
        </EmptyState>
      }
    />
    <Pager pagination={pagination} hrefOf={(number) => withQuery(LIST, { page: number })} />
  </ConsolePage>
)

const SCOPE_OPTIONS = [
  { value: CUSTOMER_SCOPES[0], label: 'Recall and ask', help: 'Read what the customer’s Minds hold.' },
  { value: CUSTOMER_SCOPES[1], label: 'Remember', help: 'Store new memories.' }
]

const MintPage: FC<{ c: Context<PageEnv>; customer: ShownCustomer; tried?: Tried }> = ({
  c,
  customer,
  tried
}) => (
  <ConsolePage
    c={c}
    title={`Make a token for ${nameOf(customer)}`}
    current="tokens"
    breadcrumbs={[
      { href: LIST, label: 'MCP tokens' },
      { href: NEW, label: 'Make a token' }
    ]}
  >
    <Card>
      <MintForm
        action={pathTo('tokens', 'new', customer.id)}
        thing="token"
        tried={tried}
        refusal={tried?.refusal}
        nameHelp="The agent that uses it, such as “Claude Code” or “Phone assistant”."
        scopes={{ legend: 'What it may do', options: SCOPE_OPTIONS, granted: CUSTOMER_SCOPES }}
        noScope="Tick at least one."
        cancelHref={LIST}
      >
        {customer.enableAiMemory ? null : (
          <p>
            AI memory is switched off for this customer, so the token is refused until you{' '}
            <a href={pathTo('customers', customer.id)}>switch it on</a>.
          </p>
        )}
      </MintForm>
    </Card>
  </ConsolePage>
)
