// The MCP tokens of one customer's own agents.

import type { FC } from 'hono/jsx'
import type { CustomerToken } from '../../../schemas/customer-token.ts'
import {
  listCustomerTokensOperation,
  mintCustomerTokenOperation,
  revokeCustomerTokenOperation
} from '../../../src/keys/customer-token-operations.ts'
import type { FormState } from '../form-state.ts'
import { callOperation, type Page } from '../page-kit.tsx'
import { publicUrlOf } from '../settings/address.ts'
import { mintingOf } from '../settings/minting.tsx'
import { MintedToken, TokenForm, TokenTable } from '../settings/token-parts.tsx'
import { Card, EmptyState } from '../ui/layout.tsx'
import { answerPart, type CustomerContext, parameter, type ShownCustomer } from './customer-page.tsx'
import { customerPath } from './paths.ts'

export const tokensPart: Page<CustomerContext> = {
  show: answerTokens,
  forms: {
    async mint(context, form) {
      const input = { ...mintingOf(form), name: form.raw('name').trim() }
      const { token } = await callOperation(context, mintCustomerTokenOperation, input, form)
      return answerMinted(context, input.name, token)
    },
    ':tokenId/revoke'(context) {
      const input = { tokenId: parameter(context, 'tokenId') }
      return callOperation(context, revokeCustomerTokenOperation, input)
    }
  }
}

async function answerTokens(context: CustomerContext, state?: FormState): Promise<Response> {
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
          <Tokens customer={customer} tokens={data} />
        </Card>
        <Mint customer={customer} state={state} />
      </>
    )
  })
}

const Tokens: FC<{ customer: ShownCustomer; tokens: readonly CustomerToken[] }> = ({ customer, tokens }) => (
  <TokenTable
    caption="MCP tokens of this customer"
    tokens={tokens}
    revocation={({ tokenId }) => ({
      text: 'Agents that use it are refused at once, and for good.',
      action: customerPath(customer.id, 'tokens', tokenId, 'revoke')
    })}
    empty={
      <EmptyState title="No token yet">
        <p>Make one below and hand it to the customer’s agent.</p>
      </EmptyState>
    }
  />
)

const Mint: FC<{ customer: ShownCustomer; state: FormState | undefined }> = ({ customer, state }) => (
  <Card
    title="Make a token"
    description={
      customer.enableAiMemory ? (
        'It is shown once, right after this.'
      ) : (
        <>
          Memory is off for this customer: a token opens nothing until{' '}
          <a href={customerPath(customer.id, 'memory')}>it is on</a>.
        </>
      )
    }
  >
    <TokenForm action={customerPath(customer.id, 'tokens', 'mint')} state={state} />
  </Card>
)

/** The token is shown by the answer itself: it is kept nowhere that another page could read it from. */
function answerMinted(context: CustomerContext, name: string, token: string | null): Promise<Response> {
  const { c, service, customer } = context
  const doneHref = customerPath(customer.id, 'tokens')
  return answerPart(context, {
    part: 'tokens',
    title: name,
    above: [{ href: doneHref, label: 'MCP tokens' }],
    children: <MintedToken token={token} url={publicUrlOf(service.config, c)} doneHref={doneHref} />
  })
}
