// Agent access: where agents connect, their tokens, and whether a connection works.
import type { Context } from 'hono'
import type { FC } from 'hono/jsx'
import { type CustomerToken, MintCustomerToken } from '../../../schemas/customer-token.ts'
import type { PageEnv } from '../env.ts'
import { PortalPage } from '../frames.tsx'
import { TokenTable } from '../settings/token-parts.tsx'
import { Snippet } from '../ui/copy.tsx'
import { Field, Select } from '../ui/field.tsx'
import { Form, FormError, LinkButton, Submit } from '../ui/form.tsx'
import { Card, EmptyState, Stack } from '../ui/layout.tsx'
import { asked, errorAt, type Tried, typed } from '../visit.ts'
import { TestForm } from './connection-card.tsx'

interface AgentsPageProps {
  c: Context<PageEnv>
  gatewayUrl: string
  /** Those that were not revoked. */
  tokens: readonly CustomerToken[]
  /** The form that makes a token. */
  tried?: Tried | undefined
}

export const AgentsPage: FC<AgentsPageProps> = ({ c, gatewayUrl, tokens, tried }) => {
  const { base, look } = c.get('site')
  const { hasApiAccess, hasMemory } = c.get('visitor').features
  return (
    <PortalPage
      c={c}
      title="Agent access"
      current="agents"
      action={
        <LinkButton kind="plain" href={`${base}/agents/setup`}>
          Set up a client
        </LinkButton>
      }
    >
      <Stack>
        {hasMemory ? null : (
          <Card
            title="The memory is switched off"
            description={`Agents can connect, and each call is refused. Ask ${look.name} about it.`}
          />
        )}
        <Card
          title="Gateway"
          description="Agents and workflows connect here by MCP over HTTP, each with a token of its own."
        >
          <Snippet label="Gateway address" code={gatewayUrl} />
        </Card>
        <Card
          title="Tokens"
          description="A token opens your memory to whoever holds it. Give each agent its own, so that you can end one without the others."
        >
          <TokenTable
            caption="Tokens"
            tokens={tokens}
            revocation={({ tokenId }) => ({
              text: 'Whatever uses it is shut out at once, and for good. Make a new token if it is needed again.',
              action: `${base}/agents/tokens/${tokenId}/revoke`
            })}
            isRevocable={() => true}
            empty={
              <EmptyState title="No agent is connected yet">
                {hasApiAccess
                  ? 'Make a token below and hand it to your agent.'
                  : `Ask ${look.name} for a token.`}
              </EmptyState>
            }
          />
        </Card>
        {hasApiAccess ? <MintForm base={base} tried={tried} /> : null}
        <TestForm base={base} />
      </Stack>
    </PortalPage>
  )
}

/** The values of the form's choices; days until the end. */
export const LIFETIMES = [
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
  { value: 'never', label: 'Never' }
]

const MintForm: FC<{ base: string; tried: Tried | undefined }> = ({ base, tried }) => (
  <Card title="Make a token">
    <Form action={`${base}/agents/mint`}>
      <FormError refusal={tried?.refusal} />
      <Field
        {...asked(tried, 'name', 'Name')}
        required
        maxlength={MintCustomerToken.shape.name.maxLength ?? undefined}
        placeholder="Assistant in Cursor"
        help="Who will use it."
        autocomplete="off"
      />
      <Select
        label="Access"
        name="access"
        value={typed(tried, 'access')}
        options={[
          { value: 'write', label: 'Read and write: recall, ask and remember' },
          { value: 'read', label: 'Read only: recall and ask' }
        ]}
      />
      <Select
        label="Ends"
        name="lifetime"
        value={typed(tried, 'lifetime', '365')}
        options={LIFETIMES}
        error={errorAt(tried, 'expiresAt', 'Ends')}
      />
      <Submit>Make token</Submit>
    </Form>
  </Card>
)
