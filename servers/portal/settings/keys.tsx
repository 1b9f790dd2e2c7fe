// The partner's API keys: the list, making one, showing it this once, and revoking.
import { type Context, Hono } from 'hono'
import type { FC } from 'hono/jsx'
import {
  type ApiKey,
  ApiKeyList,
  DEFAULT_SCOPES,
  MintApiKey,
  MintedApiKey
} from '../../../schemas/api-key.ts'
import { Acknowledgement } from '../../../schemas/envelope.ts'
import {
  listApiKeysOperation,
  mintApiKeyOperation,
  revokeApiKeyOperation
} from '../../../src/keys/api-key-operations.ts'
import type { Service } from '../../../src/service.ts'
import { page } from '../answer.tsx'
import type { PageEnv } from '../env.ts'
import { type Form as Filled, fieldError, type Refusal, readForm } from '../forms.ts'
import { consoleFrame } from '../frames.tsx'
import { perform } from '../perform.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { EmptyState } from '../ui/empty.tsx'
import { CheckboxGroup, Field } from '../ui/field.tsx'
import { Form, FormActions, FormError } from '../ui/form.tsx'
import { ConsoleFrame } from '../ui/frame.tsx'
import { Table } from '../ui/table.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Time } from '../ui/time.tsx'
import { pathTo, publicUrlOf } from './address.ts'
import { Expiry, ExpirySelect, expiryOf, isLive, ValidityBadge } from './expiry.tsx'
import { NewKey } from './new-key.tsx'
import { acted, tried } from './outcome.ts'
import { SCOPE_OPTIONS, scopesInWords } from './scopes.ts'

const LIST = pathTo('keys')
const NEW = pathTo('keys', 'new')

/** `/keys` and below. */
export function keyPages(service: Service): Hono<PageEnv> {
  const pages = new Hono<PageEnv>()

  pages.get('/', async (c) => {
    const { caller } = c.get('consoleVisitor')
    const { data } = await perform(service, c, listApiKeysOperation, {
      caller,
      input: {},
      output: ApiKeyList
    })
    return page(c, <KeysPage c={c} keys={data} showsEnded={c.req.query('state') === 'ended'} />)
  })

  pages.get('/new', (c) => page(c, <MintPage c={c} />))

  pages.post('/new', async (c) => {
    const form = await readForm(c)
    const { caller } = c.get('consoleVisitor')
    const input = {
      name: form.text('name'),
      scopes: form.all('scopes'),
      expiresAt: expiryOf(form.raw('expiry'))
    }
    const { answer, refusal } = await tried({ name: 'Name', scopes: 'What it may do' }, () =>
      perform(service, c, mintApiKeyOperation, {
        caller,
        input,
        output: MintedApiKey,
        idempotencyKey: form.text('idempotencyKey')
      })
    )
    if (refusal) return page(c, <MintPage c={c} form={form} refusal={refusal} />, refusal.status)
    const name = MintApiKey.shape.name.parse(input.name)
    return page(
      c,
      <ConsoleFrame {...consoleFrame(c)} title={name} current="keys">
        <NewKey minted={answer} url={publicUrlOf(service.config, c)} doneHref={LIST} />
      </ConsoleFrame>
    )
  })

  pages.post('/:keyId/revoke', (c) => {
    const { caller } = c.get('consoleVisitor')
    const input = { keyId: c.req.param('keyId') }
    return acted(c, service, LIST, () =>
      perform(service, c, revokeApiKeyOperation, { caller, input, output: Acknowledgement })
    )
  })

  return pages
}

const KeysPage: FC<{ c: Context<PageEnv>; keys: readonly ApiKey[]; showsEnded: boolean }> = ({
  c,
  keys,
  showsEnded
}) => (
  <ConsoleFrame
    {...consoleFrame(c)}
    title="API keys"
    current="keys"
    action={<LinkButton href={NEW}>Make a key</LinkButton>}
  >
    <Tabs
      label="Keys by state"
      items={[
        { href: LIST, label: 'Working', current: !showsEnded },
        { href: `${LIST}?state=ended`, label: 'Revoked and expired', current: showsEnded }
      ]}
    />
    <KeyTable keys={keys.filter((key) => isLive(key) !== showsEnded)} showsEnded={showsEnded} />
  </ConsoleFrame>
)

const KeyTable: FC<{ keys: readonly ApiKey[]; showsEnded: boolean }> = ({ keys, showsEnded }) => (
  <Table
    caption={showsEnded ? 'API keys that no longer work' : 'API keys that work'}
    columns={[
      { title: 'Name' },
      { title: 'Key' },
      { title: 'Allowed to' },
      { title: 'Last used' },
      { title: 'Ends' },
      showsEnded ? { title: 'State' } : { title: 'Revoke', hidden: true }
    ]}
    rows={keys.map((key) => ({
      key: key.keyId,
      cells: [
        <b>{key.name}</b>,
        <span class="id">
          <code>{key.prefix}…</code>
        </span>,
        scopesInWords(key.scopes),
        key.lastUsedAt === null ? 'Never' : <Time iso={key.lastUsedAt} />,
        <Expiry iso={key.expiresAt} />,
        showsEnded ? <ValidityBadge of={key} /> : <RevokeKey apiKey={key} />
      ]
    }))}
    empty={
      showsEnded ? (
        <EmptyState title="No key has ended">
          Keys that you revoke, and those that expire, are kept here.
        </EmptyState>
      ) : (
        <EmptyState title="No API key works" action={<LinkButton href={NEW}>Make a key</LinkButton>}>
          With a key your own programs and agents work with your customers, over REST and over MCP.
        </EmptyState>
      )
    }
  />
)

const RevokeKey: FC<{ apiKey: ApiKey }> = ({ apiKey: { keyId, name, prefix } }) => (
  <ConfirmButton
    label="Revoke"
    title={`Revoke ${name}?`}
    text={`Whatever uses ${prefix}… is refused from now on. A revoked key can’t be brought back.`}
    action={pathTo('keys', keyId, 'revoke')}
    confirmLabel="Revoke key"
  />
)

const MintPage: FC<{ c: Context<PageEnv>; form?: Filled; refusal?: Refusal }> = ({ c, form, refusal }) => (
  <ConsoleFrame {...consoleFrame(c)} title="Make an API key" current="keys">
    <Card>
      <Form action={NEW}>
        <FormError refusal={refusal} />
        <Field
          label="Name"
          name="name"
          value={form?.raw('name')}
          help="What uses it, such as “CRM” or “Night batch”. You tell keys apart by it."
          error={fieldError(refusal, 'name')}
          maxlength={100}
          required
        />
        <CheckboxGroup
          legend="What it may do"
          name="scopes"
          options={SCOPE_OPTIONS}
          values={form?.all('scopes') ?? DEFAULT_SCOPES}
          help="Give it no more than its work needs."
          error={fieldError(refusal, 'scopes') && 'Tick at least one.'}
        />
        <ExpirySelect value={form?.text('expiry')} error={fieldError(refusal, 'expiresAt')} />
        <FormActions>
          <Button>Make key</Button>
          <LinkButton href={LIST} kind="plain">
            Cancel
          </LinkButton>
        </FormActions>
      </Form>
    </Card>
  </ConsoleFrame>
)
