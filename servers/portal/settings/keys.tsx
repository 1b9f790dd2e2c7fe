// The partner's API keys: the list, making one, showing it this once, and revoking.
import type { FC } from 'hono/jsx'
import { z } from 'zod'
import { DEFAULT_SCOPES, MintApiKey, SCOPE_TEXTS, SCOPES, type Scope } from '../../../schemas/api-key.ts'
import { lookingBy } from '../../../schemas/envelope.ts'
import { endPartnerApp, listPartnerApps } from '../../../src/connected-apps/operations.ts'
import { pageOfFew } from '../../../src/database/page.ts'
import {
  listApiKeysOperation,
  mintApiKeyOperation,
  revokeApiKeyOperation
} from '../../../src/keys/operations.ts'
import { operations } from '../../../src/operations.ts'
import { AppCard } from '../belongings/apps.tsx'
import { claudeCode } from '../customer/client-snippets.ts'
import { listing, listQuery } from '../listing.tsx'
import { CredentialList, isLive, Minted, MintForm, mintingIn } from '../minting.tsx'
import { callOperation, type Page, showPage } from '../page-kit.tsx'
import { Snippet } from '../ui/copy.tsx'
import { LinkButton } from '../ui/form.tsx'
import { Card, Stack, Tabs } from '../ui/layout.tsx'
import { asked, pathTo, publicUrlOf } from './address.ts'

const LIST = pathTo('keys')
const NEW = pathTo('keys', 'new')

const Query = listQuery(lookingBy('name').sort).extend({ state: asked(z.literal('ended').optional()) })

const keysPage: Page = {
  async show(context) {
    const query = Query.parse(context.c.req.query())
    const showsEnded = query.state === 'ended'
    const list = listing(LIST, query, { name: 'name' })
    const { data: all } = await callOperation(context, listApiKeysOperation)
    const shown = all.filter((key) => isLive(key) !== showsEnded)
    const { data, pagination } = pageOfFew(shown, query)
    const tabs = (
      <Tabs
        label="Keys by state"
        items={[
          { href: LIST, label: 'Working', current: !showsEnded },
          { href: `${LIST}?state=ended`, label: 'Revoked and expired', current: showsEnded }
        ]}
      />
    )
    return showPage(
      context,
      { title: 'API keys', current: 'keys', action: <LinkButton href={NEW}>Make a key</LinkButton>, tabs },
      <>
        {list.search('Name')}
        <CredentialList
          thing="key"
          caption={`API keys that ${showsEnded ? 'no longer work' : 'work'}: ${list.order}`}
          name={list.sorted('Name', 'name')}
          of={data}
          mayOf={scopesInWords}
          actionOf={({ keyId }) => pathTo('keys', keyId, 'revoke')}
          empty={list.isSearched ? NONE_MATCHES : showsEnded ? NONE_ENDED : NONE_WORKS}
        />
        {list.pager(pagination)}
        {showsEnded ? null : (
          <AppCard
            description={`Your own people signed in and let these in at ${publicUrlOf(context.service.config, context.c)}/api/partner-mcp.`}
            of={(await callOperation(context, listPartnerApps)).data}
            actionOf={({ appId }) => pathTo('keys', 'apps', appId, 'end')}
          />
        )}
      </>
    )
  },
  buttons: {
    'apps/:appId/end': (context) => callOperation(context, endPartnerApp, context.c.req.param()),
    ':keyId/revoke': (context) => callOperation(context, revokeApiKeyOperation, context.c.req.param())
  }
}

const mintPage: Page = {
  show: (context, state) =>
    showPage(
      context,
      { title: 'Make an API key', current: 'keys', state },
      <Card>
        <MintForm
          action={NEW}
          thing="key"
          state={state}
          nameHelp="What uses it, such as “CRM” or “Night batch”. You tell keys apart by it."
          scopes={SCOPE_OPTIONS}
          granted={DEFAULT_SCOPES}
          cancelHref={LIST}
        />
      </Card>
    ),
  forms: {
    async ''(context, form) {
      const input = mintingIn(form)
      const { key, scopes } = await callOperation(context, mintApiKeyOperation, input, form)
      const url = publicUrlOf(context.service.config, context.c)
      const gateway = `${url}/api/partner-mcp`
      return showPage(
        context,
        { title: MintApiKey.shape.name.parse(input.name), current: 'keys' },
        <Minted
          thing="key"
          secret={key}
          note="Copy it now: it is shown this once. It works at once, so keep it where only your programs read it."
          use={(secret) => (
            <Stack>
              <Curl apiKey={secret} url={url} scopes={scopes} />
              <Snippet label="Claude Code, as MCP server" code={claudeCode('mindgate', gateway, secret)} />
              <Snippet label="Other MCP clients" code={clientConfig(secret, gateway)} />
            </Stack>
          )}
          doneHref={LIST}
        />
      )
    }
  }
}

export const keyPages = { '/keys': keysPage, '/keys/new': mintPage }

const NONE_MATCHES = { title: 'No key matches' }
const NONE_ENDED = {
  title: 'No key has ended',
  text: 'Keys that you revoke, and those that expire, are kept here.'
}
const NONE_WORKS = {
  title: 'No API key works',
  text: 'With a key your own programs and agents work with your customers, over REST and over MCP.',
  action: <LinkButton href={NEW}>Make a key</LinkButton>
}

/** The first thing that the key may read without saying more. */
const Curl: FC<{ apiKey: string; url: string; scopes: readonly Scope[] }> = ({ apiKey, url, scopes }) => {
  const readable = operations.find(
    ({ http, scope, input }) =>
      http?.method === 'get' && scopes.some((one) => one === scope) && input.safeParse({}).success
  )
  if (!readable?.http) return null
  return (
    <Snippet
      label="curl"
      code={`curl "${url}/api/v1/mcp${readable.http.path}" \\\n  -H "Authorization: Bearer ${apiKey}"`}
    />
  )
}

function clientConfig(key: string, url: string): string {
  const mindgate = { type: 'http', url, headers: { Authorization: `Bearer ${key}` } }
  return JSON.stringify({ mcpServers: { mindgate } }, null, 2)
}

const SCOPE_OPTIONS = SCOPES.map((scope) => ({
  value: scope,
  label: SCOPE_TEXTS[scope].label,
  help: `${SCOPE_TEXTS[scope].help} (${scope})`
}))

const scopesInWords = (scopes: readonly Scope[]): string =>
  scopes.length === SCOPES.length ? 'Everything' : scopes.map((scope) => SCOPE_TEXTS[scope].label).join(', ')
