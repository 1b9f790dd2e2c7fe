// A customer's tokens, as console and portal list, make and show them.
import type { Child, FC } from 'hono/jsx'
import { CUSTOMER_SCOPES, type CustomerToken } from '../../../schemas/customer-token.ts'
import { namedBy } from '../customer/stored-text.tsx'
import { ConfirmButton } from '../ui/form.tsx'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/values.tsx'
import {
  ClaudeCode,
  Expiry,
  isLive,
  Minted,
  MintForm,
  type MintFormProps,
  ValidityBadge
} from './minting.tsx'

interface TokenTableProps<Token> {
  caption: string
  tokens: readonly Token[]
  /** Whose a token is, in a list of more than one customer’s. */
  ownerOf?: (token: Token) => Child
  /** What revoking means for whoever uses it, and where that is asked for. */
  revocation: (token: Token) => { text: string; action: string }
  /** Tells the tokens that can be revoked from those that have ended. */
  isRevocable?: (token: Token) => boolean
  empty: Child
}

export function TokenTable<Token extends CustomerToken>(props: TokenTableProps<Token>) {
  const { caption, tokens, ownerOf, revocation, isRevocable = isLive, empty } = props
  return (
    <Table
      caption={caption}
      columns={[
        ...(ownerOf ? ['Customer'] : []),
        ...['Name', 'Token', 'May', 'Last used', 'Ends', 'State'],
        { title: 'Revoke', hidden: true }
      ]}
      rows={tokens.map((token) => ({
        key: token.tokenId,
        cells: [
          ...(ownerOf ? [ownerOf(token)] : []),
          <bdi>{token.name}</bdi>,
          <span class="id">
            <code>{token.prefix}…</code>
          </span>,
          scopesInWords(token.scopes),
          token.lastUsedAt === null ? 'Never' : <Time iso={token.lastUsedAt} />,
          <Expiry iso={token.expiresAt} />,
          <ValidityBadge of={token} />,
          isRevocable(token) ? (
            <ConfirmButton
              label="Revoke"
              title={`Revoke the token ${namedBy(token.name)}?`}
              {...revocation(token)}
              confirmLabel="Revoke"
            />
          ) : null
        ]
      }))}
      empty={empty}
    />
  )
}

const scopesInWords = (scopes: readonly string[]): string =>
  scopes.includes('memory:write')
    ? scopes.includes('memory:read')
      ? 'Read and write'
      : 'Write only'
    : 'Read only'

const SCOPE_OPTIONS = [
  { value: CUSTOMER_SCOPES[0], label: 'Recall and ask', help: 'Read what the customer’s Minds hold.' },
  { value: CUSTOMER_SCOPES[1], label: 'Remember', help: 'Store new memories.' }
]

/** What the console asks for to make a token for a customer. */
export const TokenForm: FC<Omit<MintFormProps, 'thing' | 'nameHelp' | 'scopes'>> = (props) => (
  <MintForm
    thing="token"
    nameHelp="The agent that uses it, such as “Claude Code” or “Phone assistant”."
    scopes={{ legend: 'What it may do', options: SCOPE_OPTIONS, granted: CUSTOMER_SCOPES }}
    {...props}
  />
)

/** The token, this once; `url` is the service as agents reach it. */
export const MintedToken: FC<{ token: string | null; url: string; doneHref: string }> = ({
  token,
  url,
  doneHref
}) => (
  <Minted
    thing="token"
    secret={token}
    label="MCP token"
    note="Copy it now and hand it over safely: it is shown this once. Whoever has it reads and writes this customer’s memory."
    use={(secret) => <ClaudeCode server="memory" url={`${url}/api/mcp`} secret={secret} />}
    doneHref={doneHref}
  />
)
