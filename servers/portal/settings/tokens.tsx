// The MCP tokens of all customers: what has access to a memory at all, and one more for a chosen customer.
import { type Context, Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import { type Customer, CustomerPage, CustomerResult } from '../../../schemas/customer.ts'
import {
  MintedCustomerToken,
  type OwnedCustomerToken,
  OwnedCustomerTokenPage
} from '../../../schemas/customer-token.ts'
import { Acknowledgement } from '../../../schemas/envelope.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { getCustomerOperation, listCustomersOperation } from '../../../src/customers/operations.ts'
import { listAllCustomerTokens } from '../../../src/keys/all-tokens.ts'
import {
  mintCustomerTokenOperation,
  revokeCustomerTokenOperation
} from '../../../src/keys/customer-token-operations.ts'
import type { Service } from '../../../src/service.ts'
import { page } from '../answer.tsx'
import { ChooseCustomer, customersAsked } from '../choose-customer.tsx'
import type { PageEnv } from '../env.ts'
import { readForm } from '../forms.ts'
import { consoleFrame } from '../frames.tsx'
import { perform } from '../perform.ts'
import { LinkButton } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { EmptyState } from '../ui/empty.tsx'
import { ConsoleFrame } from '../ui/frame.tsx'
import { Pager } from '../ui/pager.tsx'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { pageAsked, pathTo, publicUrlOf, withQuery } from './address.ts'
import { Expiry, expiryOf, isLive, ValidityBadge } from './expiry.tsx'
import { MintTokenPage } from './mint-token.tsx'
import { NewToken } from './new-token.tsx'
import { acted, tried } from './outcome.ts'

const LIST = pathTo('tokens')
const NEW = pathTo('tokens', 'new')

/** `/tokens` and below. */
export function tokenPages(service: Service): Hono<PageEnv> {
  const pages = new Hono<PageEnv>()

  const customerOf = async (c: Context<PageEnv>, customerId: string): Promise<z.output<typeof Customer>> => {
    const { caller } = c.get('consoleVisitor')
    const input = { customerId }
    return (await perform(service, c, getCustomerOperation, { caller, input, output: CustomerResult })).data
  }

  pages.get('/', async (c) => {
    const { caller } = c.get('consoleVisitor')
    const input = { page: pageAsked(c) }
    const tokens = await perform(service, c, listAllCustomerTokens, {
      caller,
      input,
      output: OwnedCustomerTokenPage
    })
    return page(c, <TokensPage c={c} tokens={tokens} />)
  })

  pages.get('/new', async (c) => {
    const { caller } = c.get('consoleVisitor')
    const input = { ...customersAsked(c) }
    const found = await perform(service, c, listCustomersOperation, { caller, input, output: CustomerPage })
    return page(
      c,
      <ChooseCustomer
        c={c}
        title="Make a token: for whom?"
        current="tokens"
        action={NEW}
        hrefOf={(customerId) => pathTo('tokens', 'new', customerId)}
        found={found}
        whenNone="A token belongs to a customer."
      />
    )
  })

  pages.get('/new/:customerId', async (c) => {
    const customer = await customerOf(c, c.req.param('customerId'))
    return page(c, <MintTokenPage c={c} customer={customer} listHref={LIST} />)
  })

  pages.post('/new/:customerId', async (c) => {
    const form = await readForm(c)
    const customer = await customerOf(c, c.req.param('customerId'))
    const { caller } = c.get('consoleVisitor')
    const { answer, refusal } = await tried({ name: 'Name', scopes: 'What it may do' }, () =>
      perform(service, c, mintCustomerTokenOperation, {
        caller,
        input: {
          customerId: customer.id,
          name: form.text('name'),
          scopes: form.all('scopes'),
          expiresAt: expiryOf(form.raw('expiry'))
        },
        output: MintedCustomerToken,
        idempotencyKey: form.text('idempotencyKey')
      })
    )
    if (refusal) {
      const again = <MintTokenPage c={c} customer={customer} listHref={LIST} form={form} refusal={refusal} />
      return page(c, again, refusal.status)
    }
    return page(
      c,
      <ConsoleFrame {...consoleFrame(c)} title={`Token of ${nameOf(customer)}`} current="tokens">
        <NewToken token={answer.token} url={publicUrlOf(service.config, c)} doneHref={LIST} />
      </ConsoleFrame>
    )
  })

  pages.post('/:customerId/:tokenId/revoke', (c) => {
    const { caller } = c.get('consoleVisitor')
    const { customerId, tokenId } = c.req.param()
    const input = { customerId, tokenId }
    return acted(c, service, LIST, () =>
      perform(service, c, revokeCustomerTokenOperation, { caller, input, output: Acknowledgement })
    )
  })

  return pages
}

const TokensPage: FC<{ c: Context<PageEnv>; tokens: z.output<typeof OwnedCustomerTokenPage> }> = ({
  c,
  tokens: { data, pagination }
}) => (
  <ConsoleFrame
    {...consoleFrame(c)}
    title="MCP tokens"
    current="tokens"
    action={<LinkButton href={NEW}>Make a token</LinkButton>}
  >
    <Table
      caption="MCP tokens of all customers"
      columns={[
        { title: 'Customer' },
        { title: 'Name' },
        { title: 'Token' },
        { title: 'Last used' },
        { title: 'Ends' },
        { title: 'State' },
        { title: 'Revoke', hidden: true }
      ]}
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
          isLive(token) ? <RevokeToken token={token} /> : null
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
  </ConsoleFrame>
)

const RevokeToken: FC<{ token: OwnedCustomerToken }> = ({ token }) => (
  <ConfirmButton
    label="Revoke"
    title={`Revoke ${token.name}?`}
    text={`The agent of ${token.customerName} that uses it loses its memory at once. A revoked token can’t be brought back.`}
    action={pathTo('tokens', token.customerId, token.tokenId, 'revoke')}
    confirmLabel="Revoke token"
  />
)
