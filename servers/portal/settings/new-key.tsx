// An API key, this once, with what to paste where.
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { MintedApiKey, Scope } from '../../../schemas/api-key.ts'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { FormActions } from '../ui/form.tsx'
import { SecretBox } from '../ui/secret.tsx'
import { Snippet } from '../ui/snippet.tsx'
import { Stack } from '../ui/stack.tsx'

interface NewKeyProps {
  minted: z.output<typeof MintedApiKey>
  /** The service as programs reach it. */
  url: string
  doneHref: string
}

export const NewKey: FC<NewKeyProps> = ({ minted: { key, scopes }, url, doneHref }) => (
  <>
    {key === null ? (
      <Card title="This key was shown already">
        <p>
          This form was sent twice. The key was made once and can’t be shown again: if you didn’t copy it,
          revoke it and make another one.
        </p>
      </Card>
    ) : (
      <>
        <SecretBox
          label="API key"
          secret={key}
          note="Copy it now: it is shown this once. It works at once, so keep it where only your programs read it."
        />
        <Card title="Use it">
          <Stack>
            <Curl apiKey={key} url={url} scopes={scopes} />
            <Snippet
              label="Claude Code, as MCP server"
              code={`claude mcp add --transport http mindgate ${url}/api/partner-mcp \\\n  --header "Authorization: Bearer ${key}"`}
            />
            <Snippet label="Other MCP clients" code={clientConfig(key, url)} />
          </Stack>
        </Card>
      </>
    )}
    <FormActions>
      <LinkButton href={doneHref}>Done</LinkButton>
    </FormActions>
  </>
)

/** Something that the key may read, to try it with. */
const READABLE: readonly (readonly [Scope, string])[] = [
  ['customers:read', '/customers?limit=5'],
  ['credits:read', '/credits'],
  ['plans:read', '/plans'],
  ['audit:read', '/audit?limit=5']
]

const Curl: FC<{ apiKey: string; url: string; scopes: readonly Scope[] }> = ({ apiKey, url, scopes }) => {
  const path = READABLE.find(([scope]) => scopes.includes(scope))?.[1]
  if (path === undefined) return null
  return (
    <Snippet
      label="curl"
      code={`curl "${url}/api/v1/mcp${path}" \\\n  -H "Authorization: Bearer ${apiKey}"`}
    />
  )
}

const clientConfig = (key: string, url: string): string =>
  JSON.stringify(
    {
      mcpServers: {
        mindgate: {
          type: 'http',
          url: `${url}/api/partner-mcp`,
          headers: { Authorization: `Bearer ${key}` }
        }
      }
    },
    null,
    2
  )
