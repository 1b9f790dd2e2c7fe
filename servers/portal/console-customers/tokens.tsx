// The MCP tokens of one customer's own agents.
import type { FC } from 'hono/jsx'
import {
  type CustomerToken,
  CustomerTokenList,
  MintedCustomerToken
} from '../../../schemas/customer-token.ts'
import { Acknowledgement } from '../../../schemas/envelope.ts'
import {
  listCustomerTokensOperation,
  mintCustomerTokenOperation,
  revokeCustomerTokenOperation
} from '../../../src/keys/customer-token-operations.ts'
import { publicUrlOf } from '../settings/address.ts'
import { mintingOf } from '../settings/minting.tsx'
import { MintedToken, TokenForm, TokenTable } from '../settings/token-parts.tsx'
import { FormError } from '../ui/form.tsx'
import { Card, EmptyState } from '../ui/layout.tsx'
import { errorAbove, runFor, type Tried } from '../visit.ts'
import {
  answerPart,
  type CustomerVisit,
  type PartPages,
  parameter,
  type ShownCustomer
} from './customer-page.tsx'
import { customerPath } from './paths.ts'

export const tokensPart: PartPages = {
  show: answerTokens,
  forms: {
    async mint(visited, form) {
      const input = { ...mintingOf(form), name: form.raw('name').trim() }
      const { token } = await runFor(visited, mintCustomerTokenOperation, MintedCustomerToken, input, form)
      return answerMinted(visited, input.name, token)
    },
    ':tokenId/revoke'(visited) {
      const input = { tokenId: parameter(visited, 'tokenId') }
      return runFor(visited, revokeCustomerTokenOperation, Acknowledgement, input)
    }
  }
}

async function answerTokens(visited: CustomerVisit, tried?: Tried): Promise<Response> {
  const { customer } = visited
  const { data } = await runFor(visited, listCustomerTokensOperation, CustomerTokenList)
  return answerPart(visited, {
    part: 'tokens',
    tried,
    children: (
      <>
        <FormError refusal={errorAbove(tried, ['name', 'scopes', 'expiresAt'])} />
        <Card
          title="Tokens"
          description="Each opens this customer’s own memory to an agent, and nothing else."
        >
          <Tokens customer={customer} tokens={data} />
        </Card>
        <Mint customer={customer} tried={tried} />
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

const Mint: FC<{ customer: ShownCustomer; tried: Tried | undefined }> = ({ customer, tried }) => (
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
    <TokenForm action={customerPath(customer.id, 'tokens', 'mint')} tried={tried} />
  </Card>
)

/** The token is shown by the answer itself: it is kept nowhere that another page could read it from. */
function answerMinted(visited: CustomerVisit, name: string, token: string | null): Promise<Response> {
  const { c, service, customer } = visited
  const doneHref = customerPath(customer.id, 'tokens')
  return answerPart(visited, {
    part: 'tokens',
    title: name,
    above: [{ href: doneHref, label: 'MCP tokens' }],
    children: <MintedToken token={token} url={publicUrlOf(service.config, c)} doneHref={doneHref} />
  })
}
