// The MCP tokens of all customers: what has access to a memory at all, and one more for a chosen customer.

import { type Context, Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { OwnedCustomerTokenPage } from '../../../schemas/customer-token.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { listAllCustomerTokens } from '../../../src/keys/all-tokens.ts'
import {
  mintCustomerTokenOperation,
  revokeCustomerTokenOperation
} from '../../../src/keys/customer-token-operations.ts'
import type { Service } from '../../../src/service.ts'
import { page } from '../answer.tsx'
import { chooseCustomer } from '../choose-customer.tsx'
import { openCustomer, type ShownCustomer } from '../console-customers/customer-page.tsx'
import type { PageEnv } from '../env.ts'
import type { FormState } from '../form-state.ts'
import { ConsolePage } from '../frames.tsx'
import { acted, callOperation, submitForm } from '../page-kit.tsx'
import { LinkButton } from '../ui/form.tsx'
import { Card, EmptyState } from '../ui/layout.tsx'
import { Pager } from '../ui/table.tsx'
import { pageAsked, pathTo, publicUrlOf, withQuery } from './address.ts'
import { mintingOf } from './minting.tsx'
import { MintedToken, TokenForm, TokenTable } from './token-parts.tsx'

const LIST = pathTo('tokens')
const NEW = pathTo('tokens', 'new')

/** `/tokens` and below. */
export function tokenPages(service: Service): Hono<PageEnv> {
  const pages = new Hono<PageEnv>()

  pages.get('/', async (c) => {
    const input = { page: pageAsked(c) }
    const tokens = await callOperation({ c, service }, listAllCustomerTokens, input)
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
    const { customer } = await openCustomer({ c, service })
    return page(c, <MintPage c={c} customer={customer} />)
  })

  pages.post('/new/:customerId', async (c) => {
    const context = await openCustomer({ c, service })
    const { customer } = context
    return submitForm(context, {
      async act(form) {
        const input = mintingOf(form)
        const { token } = await callOperation(context, mintCustomerTokenOperation, input, form)
        return page(
          c,
          <ConsolePage c={c} title={`Token of ${nameOf(customer)}`} current="tokens">
            <MintedToken token={token} url={publicUrlOf(service.config, c)} doneHref={LIST} />
          </ConsolePage>
        )
      },
      again: (state) => page(c, <MintPage c={c} customer={customer} state={state} />, state.refusal?.status)
    })
  })

  pages.post('/:customerId/:tokenId/revoke', (c) => {
    const { customerId, tokenId } = c.req.param()
    return acted({ c, service }, LIST, () =>
      callOperation({ c, service }, revokeCustomerTokenOperation, { customerId, tokenId })
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
    <TokenTable
      caption="MCP tokens of all customers"
      tokens={data}
      ownerOf={({ customerId, customerName }) => <a href={pathTo('customers', customerId)}>{customerName}</a>}
      revocation={({ customerId, customerName, tokenId }) => ({
        text: `The agent of ${customerName} that uses it loses its memory at once, and for good.`,
        action: pathTo('tokens', customerId, tokenId, 'revoke')
      })}
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

const MintPage: FC<{ c: Context<PageEnv>; customer: ShownCustomer; state?: FormState }> = ({
  c,
  customer,
  state
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
      <TokenForm
        action={pathTo('tokens', 'new', customer.id)}
        state={state}
        refusal={state?.refusal}
        cancelHref={LIST}
      >
        {customer.enableAiMemory ? null : (
          <p>
            AI memory is switched off for this customer, so the token is refused until you{' '}
            <a href={pathTo('customers', customer.id)}>switch it on</a>.
          </p>
        )}
      </TokenForm>
    </Card>
  </ConsolePage>
)
