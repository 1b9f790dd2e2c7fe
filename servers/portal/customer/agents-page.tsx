// Agent access: where agents connect, their tokens, and whether a connection works.

import type { Context } from 'hono'
import type { Child, FC } from 'hono/jsx'
import { type CustomerToken, MintCustomerToken } from '../../../schemas/customer-token.ts'
import type { PageEnv } from '../env.ts'
import { asked, errorAt, type FormState, typed } from '../form-state.ts'
import { PortalPage } from '../frames.tsx'
import { TokenTable } from '../settings/token-parts.tsx'
import { SecretBox, Snippet } from '../ui/copy.tsx'
import { Field, Select } from '../ui/field.tsx'
import { Form, FormError, LinkButton, Submit } from '../ui/form.tsx'
import { Card, DescriptionList, EmptyState, Stack } from '../ui/layout.tsx'
import { Badge } from '../ui/values.tsx'
import { clientSnippets, TOKEN_PLACEHOLDER } from './client-snippets.ts'
import type { ConnectionTest } from './connection-test.ts'

interface AgentsPageProps {
  c: Context<PageEnv>
  gatewayUrl: string
  /** Those that were not revoked. */
  tokens: readonly CustomerToken[]
  /** The form that makes a token. */
  state?: FormState | undefined
}

export const AgentsPage: FC<AgentsPageProps> = ({ c, gatewayUrl, tokens, state }) => {
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
        {hasApiAccess ? <MintForm base={base} state={state} /> : null}
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

const MintForm: FC<{ base: string; state: FormState | undefined }> = ({ base, state }) => (
  <Card title="Make a token">
    <Form action={`${base}/agents/mint`}>
      <FormError refusal={state?.refusal} />
      <Field
        {...asked(state, 'name', 'Name')}
        required
        maxlength={MintCustomerToken.shape.name.maxLength ?? undefined}
        placeholder="Assistant in Cursor"
        help="Who will use it."
        autocomplete="off"
      />
      <Select
        label="Access"
        name="access"
        value={typed(state, 'access')}
        options={[
          { value: 'write', label: 'Read and write: recall, ask and remember' },
          { value: 'read', label: 'Read only: recall and ask' }
        ]}
      />
      <Select
        label="Ends"
        name="lifetime"
        value={typed(state, 'lifetime', '365')}
        options={LIFETIMES}
        error={errorAt(state, 'expiresAt', 'Ends')}
      />
      <Submit>Make token</Submit>
    </Form>
  </Card>
)

// What to paste into which client: with a token that was just made, or with a place for one.

interface SetupPageProps {
  c: Context<PageEnv>
  gatewayUrl: string
}

export const SetupPage: FC<SetupPageProps> = ({ c, gatewayUrl }) => (
  <Frame c={c} title="Set up a client">
    <Stack>
      <p>
        Put your token in the place of <code>{TOKEN_PLACEHOLDER}</code>.
      </p>
      <Clients gatewayUrl={gatewayUrl} />
    </Stack>
  </Frame>
)

/** `token` is absent when the form that made it was sent twice. */
export const MintedPage: FC<SetupPageProps & { name: string; token: string | null }> = ({
  c,
  gatewayUrl,
  name,
  token
}) => (
  <Frame c={c} title="Your new token">
    <Stack>
      {token === null ? (
        <Card
          title="This token was shown before"
          description="It is shown once, when it is made. Revoke it and make another one if you haven’t kept it."
        />
      ) : (
        <>
          <SecretBox
            label="Token"
            secret={token}
            note={`Copy it now: it is shown this once. It is in your list as “${name}”.`}
          />
          <TestForm base={c.get('site').base} token={token} />
          <Clients gatewayUrl={gatewayUrl} token={token} />
        </>
      )}
    </Stack>
  </Frame>
)

/** A page below that of the agents. */
export const Frame: FC<{ c: Context<PageEnv>; title: string; children?: Child }> = ({
  c,
  title,
  children
}) => {
  const { base } = c.get('site')
  return (
    <PortalPage
      c={c}
      title={title}
      current="agents"
      breadcrumbs={[{ href: `${base}/agents`, label: 'Agent access' }]}
    >
      {children}
    </PortalPage>
  )
}

const Clients: FC<{ gatewayUrl: string; token?: string }> = ({ gatewayUrl, token }) => (
  <>
    {clientSnippets(gatewayUrl, token).map(({ client, how, label, code }) => (
      <Card title={client} description={how}>
        <Snippet label={label} code={code} />
      </Card>
    ))}
  </>
)

// Trying a token out: the form, and what came back.

/** `token` is the one just made; without it one is pasted. */
export const TestForm: FC<{
  base: string
  title?: string
  token?: string | undefined
  error?: string | undefined
}> = ({ base, title = 'Test a connection', token, error }) => (
  <Card
    title={title}
    description="Connects to the gateway as an agent does, lists the tools and recalls. It costs nothing."
  >
    <Form action={`${base}/agents/test`}>
      {token === undefined ? (
        <Field
          label="Token"
          name="token"
          type="password"
          required
          mono
          maxlength={100}
          placeholder="mct_…"
          autocomplete="off"
          help="It is used for this test and not kept."
          error={error}
        />
      ) : (
        <input type="hidden" name="token" value={token} />
      )}
      <Submit kind="plain">Test connection</Submit>
    </Form>
  </Card>
)

export const TestResult: FC<{ gatewayUrl: string; test: ConnectionTest }> = ({ gatewayUrl, test }) =>
  test.isConnected ? (
    <Card title="The connection works" description={`Answered in ${test.tookMs} ms, three calls together.`}>
      <DescriptionList
        items={[
          { term: 'Gateway', value: <code>{gatewayUrl}</code> },
          { term: 'Tools', value: <Tools names={test.tools} /> },
          { term: 'Recall', value: <RecallState recall={test.recall} /> }
        ]}
      />
    </Card>
  ) : (
    <Card tone="danger" title="The connection doesn’t work">
      <p role="alert">{test.reason}</p>
    </Card>
  )

const Tools: FC<{ names: readonly string[] }> = ({ names }) => (
  <ul>
    {names.map((name) => (
      <li>
        <code>{name}</code>
      </li>
    ))}
  </ul>
)

type Recall = Extract<ConnectionTest, { isConnected: true }>['recall']

const RecallState: FC<{ recall: Recall }> = ({ recall }) => {
  switch (recall.state) {
    case 'works':
      return <Badge tone="good">works</Badge>
    case 'not-allowed':
      return <Badge tone="neutral">this token may not read</Badge>
    case 'refused':
      return (
        <>
          <Badge tone="bad">refused</Badge> {recall.text}
        </>
      )
  }
}
