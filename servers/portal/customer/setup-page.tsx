// What to paste into which client: with a token that was just made, or with a place for one.
import type { Context } from 'hono'
import type { Child, FC } from 'hono/jsx'
import type { PageEnv } from '../env.ts'
import { PortalPage } from '../frames.tsx'
import { SecretBox, Snippet } from '../ui/copy.tsx'
import { Card, Stack } from '../ui/layout.tsx'
import { clientSnippets, TOKEN_PLACEHOLDER } from './client-snippets.ts'
import { TestForm } from './connection-card.tsx'

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
