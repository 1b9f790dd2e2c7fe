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
import { readForm } from '../forms.ts'
import { publicUrlOf } from '../settings/address.ts'
import { Expiry, ExpirySelect, expiryOf, isLive, ValidityBadge } from '../settings/expiry.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { EmptyState } from '../ui/empty.tsx'
import { CheckboxGroup, Field } from '../ui/field.tsx'
import { Form, FormActions, FormError } from '../ui/form.tsx'
import { SecretBox } from '../ui/secret.tsx'
import { Snippet } from '../ui/snippet.tsx'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import {
  errorAbove,
  errorAt,
  refusalFor,
  run,
  submitted,
  type Tried,
  typed,
  typedAll,
  type Visit
} from './console.ts'
import {
  answerPart,
  type CustomerVisit,
  parameter,
  type ShownCustomer,
  visitCustomer
} from './customer-page.tsx'
import { customerPath } from './paths.ts'

type Token = z.output<typeof CustomerToken>

export async function showTokens(visit: Visit): Promise<Response> {
  return answerTokens(await visitCustomer(visit))
}

/** The token is shown by the answer itself: it is kept nowhere that another page could read it from. */
export async function mintToken(visit: Visit): Promise<Response> {
  const visited = await visitCustomer(visit)
  const form = await readForm(visit.c)
  const input = {
    customerId: visited.customer.id,
    name: form.raw('name').trim(),
    scopes: form.all('scopes'),
    expiresAt: expiryOf(form.raw('expiry'))
  }
  try {
    const minted = await run(visited, mintCustomerTokenOperation, MintedCustomerToken, input, form)
    return await answerMinted(visited, input.name, minted.token)
  } catch (error) {
    return answerTokens(visited, { refusal: refusalFor(visited, error), values: form.values })
  }
}

export async function revokeToken(visit: Visit): Promise<Response> {
  const visited = await visitCustomer(visit)
  const { id: customerId } = visited.customer
  return submitted(visited, {
    async act() {
      const input = { customerId, tokenId: parameter(visit, 'tokenId') }
      const { message } = await run(visited, revokeCustomerTokenOperation, Acknowledgement, input)
      return message
    },
    next: customerPath(customerId, 'tokens'),
    again: (tried) => answerTokens(visited, tried)
  })
}

async function answerTokens(visited: CustomerVisit, tried?: Tried): Promise<Response> {
  const { customer } = visited
  const { data } = await run(visited, listCustomerTokensOperation, CustomerTokenList, {
    customerId: customer.id
  })
  return answerPart(visited, {
    part: 'tokens',
    tried,
    children: (
      <>
        <FormError refusal={errorAbove(tried, FORM_FIELDS)} />
        <Card
          title="Tokens"
          description="Each opens this customer’s own memory to an agent, and nothing else."
        >
          <Tokens customer={customer} tokens={data} />
        </Card>
        <MintForm customer={customer} tried={tried} />
      </>
    )
  })
}

const Tokens: FC<{ customer: ShownCustomer; tokens: readonly Token[] }> = ({ customer, tokens }) => (
  <Table
    caption="MCP tokens of this customer"
    columns={[
      { title: 'Name' },
      { title: 'Token' },
      { title: 'May' },
      { title: 'State' },
      { title: 'Last used' },
      { title: 'Ends' },
      { title: 'Actions', hidden: true }
    ]}
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
          <ConfirmButton
            label="Revoke"
            title={`Revoke ${token.name}?`}
            text="Agents that use it are refused at once. A revoked token can’t be brought back."
            action={customerPath(customer.id, 'tokens', token.tokenId, 'revoke')}
            confirmLabel="Revoke token"
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

const FORM_FIELDS = ['name', 'scopes', 'expiresAt']

const MintForm: FC<{ customer: ShownCustomer; tried: Tried | undefined }> = ({ customer, tried }) => (
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
    <Form action={customerPath(customer.id, 'tokens', 'mint')}>
      <Field
        label="Name"
        name="name"
        value={typed(tried, 'name')}
        help="What uses it, such as “Claude” or “n8n”."
        error={errorAt(tried, 'name', 'Name')}
        maxlength={100}
        autocomplete="off"
        required
      />
      <CheckboxGroup
        legend="May"
        name="scopes"
        options={SCOPE_OPTIONS}
        values={typedAll(tried, 'scopes', CUSTOMER_SCOPES)}
        error={errorAt(tried, 'scopes', 'What it may do')}
      />
      <ExpirySelect
        value={tried ? typed(tried, 'expiry') : undefined}
        error={errorAt(tried, 'expiresAt', 'Works for')}
      />
      <FormActions>
        <Button>Make token</Button>
      </FormActions>
    </Form>
  </Card>
)

function answerMinted(visited: CustomerVisit, name: string, token: string | null): Promise<Response> {
  const { c, service, customer } = visited
  const done = customerPath(customer.id, 'tokens')
  const url = `${publicUrlOf(service.config, c)}/api/mcp`
  return answerPart(visited, {
    part: 'tokens',
    title: name,
    above: [{ href: done, label: 'MCP tokens' }],
    children: (
      <>
        {token === null ? (
          <Card title="This token was shown already">
            <p>
              The form was sent twice. The token was made once and can’t be shown again: if it wasn’t copied,
              revoke it and mint another one.
            </p>
          </Card>
        ) : (
          <>
            <SecretBox
              label="MCP token"
              secret={token}
              note="Copy it now: it is shown this once. Whoever has it reads and writes this customer’s memory."
            />
            <Card title="Use it">
              <Snippet
                label="Claude Code"
                code={`claude mcp add --transport http memory ${url} \\\n  --header "Authorization: Bearer ${token}"`}
              />
            </Card>
          </>
        )}
        <FormActions>
          <LinkButton href={done}>Done</LinkButton>
        </FormActions>
      </>
    )
  })
}
