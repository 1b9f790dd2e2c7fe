// An API key, this once, with what to paste where.
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { MintedApiKey, Scope } from '../../../schemas/api-key.ts'
import { Snippet } from '../ui/snippet.tsx'
import { Stack } from '../ui/stack.tsx'
import { ClaudeCode, Minted } from './minting.tsx'

interface NewKeyProps {
  minted: z.output<typeof MintedApiKey>
  /** The service as programs reach it. */
  url: string
  doneHref: string
}

export const NewKey: FC<NewKeyProps> = ({ minted: { key, scopes }, url, doneHref }) => (
  <Minted
    thing="key"
    secret={key}
    label="API key"
    note="Copy it now: it is shown this once. It works at once, so keep it where only your programs read it."
    use={(secret) => (
      <Stack>
        <Curl apiKey={secret} url={url} scopes={scopes} />
        <ClaudeCode
          label="Claude Code, as MCP server"
          server="mindgate"
          url={`${url}/api/partner-mcp`}
          secret={secret}
        />
        <Snippet label="Other MCP clients" code={clientConfig(secret, url)} />
      </Stack>
    )}
    doneHref={doneHref}
  />
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
