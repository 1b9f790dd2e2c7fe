// The MCP tokens of one customer's own agents.
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import {
  CUSTOMER_SCOPES,
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
import { Expiry, isLive, ValidityBadge } from '../settings/expiry.tsx'
import { ClaudeCode, Minted, MintForm, mintingOf, RevokeButton } from '../settings/minting.tsx'
import { FormError } from '../ui/form.tsx'
import { Card, EmptyState } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/values.tsx'
import { errorAbove, runFor, type Tried } from '../visit.ts'
import {
  answerPart,
  type CustomerVisit,
  type PartPages,
  parameter,
  type ShownCustomer
} from './customer-page.tsx'
import { customerPath } from './paths.ts'

type Token = z.output<typeof CustomerToken>

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

const Tokens: FC<{ customer: ShownCustomer; tokens: readonly Token[] }> = ({ customer, tokens }) => (
  <Table
    caption="MCP tokens of this customer"
    columns={['Name', 'Token', 'May', 'State', 'Last used', 'Ends', { title: 'Actions', hidden: true }]}
    rows={tokens.map((token) => ({
      key: token.tokenId,
      cells: [
        token.name,
        <code>{token.prefix}…</code>,
        scopesInWords(token.scopes),
        <ValidityBadge of={token} />,
        token.lastUsedAt === null ? 'Never' : <Time iso={token.lastUsedAt} />,
        <Expiry iso={token.expiresAt} />,
        isLive(token) ? (
          <RevokeButton
            thing="token"
            name={token.name}
            text="Agents that use it are refused at once."
            action={customerPath(customer.id, 'tokens', token.tokenId, 'revoke')}
          />
        ) : null
      ]
    }))}
    empty={
      <EmptyState title="No token yet">
        <p>Mint one below and hand it to the customer’s agent.</p>
      </EmptyState>
    }
  />
)

const SCOPE_OPTIONS: readonly { value: (typeof CUSTOMER_SCOPES)[number]; label: string; help: string }[] = [
  { value: 'memory:read', label: 'Read', help: 'Recall and ask.' },
  { value: 'memory:write', label: 'Write', help: 'Remember.' }
]

const scopesInWords = (scopes: readonly string[]): string =>
  SCOPE_OPTIONS.filter(({ value }) => scopes.includes(value))
    .map(({ label }) => label)
    .join(', ')

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
    <MintForm
      action={customerPath(customer.id, 'tokens', 'mint')}
      thing="token"
      tried={tried}
      nameHelp="What uses it, such as “Claude” or “n8n”."
      scopes={{ legend: 'May', options: SCOPE_OPTIONS, granted: CUSTOMER_SCOPES }}
    />
  </Card>
)

/** The token is shown by the answer itself: it is kept nowhere that another page could read it from. */
function answerMinted(visited: CustomerVisit, name: string, token: string | null): Promise<Response> {
  const { c, service, customer } = visited
  const doneHref = customerPath(customer.id, 'tokens')
  const url = `${publicUrlOf(service.config, c)}/api/mcp`
  return answerPart(visited, {
    part: 'tokens',
    title: name,
    above: [{ href: doneHref, label: 'MCP tokens' }],
    children: (
      <Minted
        thing="token"
        secret={token}
        label="MCP token"
        note="Copy it now: it is shown this once. Whoever has it reads and writes this customer’s memory."
        sentTwice="The form was sent twice. The token was made once and can’t be shown again: if it wasn’t copied, revoke it and mint another one."
        use={(secret) => <ClaudeCode server="memory" url={url} secret={secret} />}
        doneHref={doneHref}
      />
    )
  })
}
