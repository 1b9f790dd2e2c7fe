// Where the fuzzing happens: a real server, a partner that sends the requests, and another that must not notice.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { vi } from 'vitest'
import { revokeApiKey } from '../../src/keys/credentials.ts'
import { updatePartner } from '../../src/partners/store.ts'
import { setProviderKey } from '../../src/voice-agents/providers/keys.ts'
import type { DatabaseKind } from '../support/databases.ts'
import {
  type Fixture,
  makeFixture,
  makeKey,
  makePartner,
  makePlan,
  run,
  type TestPartner,
  unique
} from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { PROVIDER_KEY, startStandIn } from '../voice-agents/stand-in.ts'
import { createWatch, type Watch } from './watch.ts'

/** Known to both providers, and to us only once it was asked for. */
export const AGENT_AT_PROVIDER = 'agent-at-provider'

export interface Keys {
  good: string
  readOnly: string
  revoked: string
  expired: string
}

export interface FuzzFixture {
  server: TestServer
  partner: TestPartner
  keys: Keys
  /** Customers of the partner with what belongs to them, for each channel: what one has removed, the other can't. */
  fixtures: Readonly<Record<'rest' | 'mcp', readonly Fixture[]>>
  creditPlanId: string
  /** The other partner's. */
  foreign: Fixture
  /** A text that is sent where secrets go: in credentials, and in members called `password`. */
  marker: string
  watch: Watch
  /** Every row of the other partner. */
  foreignRows(): Promise<unknown>
  /** Passwords and link tokens of every mail, once all of them have left. */
  mailedSecrets(): Promise<string[]>
  close(): Promise<void>
}

export async function prepareFixture(kind: DatabaseKind, customersPerChannel: number): Promise<FuzzFixture> {
  const known = [{ id: AGENT_AT_PROVIDER, name: 'Front desk' }]
  const standIns = [await startStandIn('a', known), await startStandIn('b', known)] as const
  const [{ url: PROVIDER_A_URL }, { url: PROVIDER_B_URL }] = standIns
  const server = await startTestServer(
    kind,
    { RATE_LIMIT: '0', PROVIDER_A_URL, PROVIDER_B_URL },
    { alone: 'Caddy reads requests first, and refuses what is none' }
  )
  const { service, partner } = server
  const other = await makePartner(service)
  for (const { partnerId } of [partner, other]) await setProviderKeys(server, partnerId)
  // Without a model no agent is deployed.
  await service.database.transaction((tx) => updatePartner(tx, partner.partnerId, { models: ['small'] }))

  const marker = unique('planted-')
  const fixtures: Fixture[] = []
  for (let made = 0; made < 2 * customersPerChannel; made += 1)
    fixtures.push(await makeFixture(service, partner.partnerId))
  const foreign = await makeFixture(service, other.partnerId)
  const foreignName = unique('Foreign ')
  await run(service, other.partnerId, 'customer_update', {
    customerId: foreign.customerId,
    firstName: foreignName,
    companyName: foreignName
  })
  const keys = await makeKeys(server)
  const mailedSecrets = () => secretsInMails(server)
  const { email, firstName, searchText } = await service.database.read
    .selectFrom('customer')
    .where('id', '=', foreign.customerId)
    .select(['email', 'firstName', 'searchText'])
    .executeTakeFirstOrThrow()

  return {
    server,
    partner,
    keys,
    fixtures: { rest: fixtures.slice(0, customersPerChannel), mcp: fixtures.slice(customersPerChannel) },
    creditPlanId: await makePlan(service, partner.partnerId, 'credit'),
    foreign,
    marker,
    watch: createWatch({
      logs: server.logs,
      secrets: [...Object.values(keys), other.key, PROVIDER_KEY, marker, ...(await mailedSecrets())],
      foreignTexts: [
        ...Object.values(foreign),
        other.partnerId,
        other.keyId,
        email,
        String(firstName),
        searchText
      ]
    }),
    foreignRows: () => rowsOf(server, other.partnerId),
    mailedSecrets,
    async close() {
      await server.close()
      for (const standIn of standIns) await standIn.close()
    }
  }
}

async function setProviderKeys({ service }: TestServer, partnerId: string): Promise<void> {
  await service.database.transaction(async (tx) => {
    await setProviderKey(tx, service.secrets, { partnerId, provider: 'a' }, PROVIDER_KEY)
    await setProviderKey(tx, service.secrets, { partnerId, provider: 'b' }, PROVIDER_KEY)
  })
}

async function makeKeys({ service, partner: { partnerId, key: good } }: TestServer): Promise<Keys> {
  const { key: readOnly } = await makeKey(service, partnerId, { scopes: ['customers:read'] })
  const { key: expired } = await makeKey(service, partnerId, { expiresAt: '2020-01-01T00:00:00Z' })
  const { key: revoked, keyId } = await makeKey(service, partnerId)
  await service.database.transaction((tx) => revokeApiKey(tx, partnerId, keyId))
  return { good, readOnly, revoked, expired }
}

async function rowsOf({ service }: TestServer, partnerId: string): Promise<unknown> {
  const tables = Object.entries(await everyRow(service))
  return tables.map(([table, rows]) => [table, rows.filter((row) => row.includes(partnerId))])
}

async function secretsInMails({ service, env }: TestServer): Promise<string[]> {
  await vi.waitFor(async () => {
    const { rest } = await service.database.read
      .selectFrom('mail')
      .where('status', '=', 'queued')
      .select((eb) => eb.fn.countAll<number>().as('rest'))
      .executeTakeFirstOrThrow()
    if (Number(rest) > 0) throw new Error(`${rest} mails are still on their way`)
  }, 30_000)
  const outbox = join(env.DATA_DIR ?? '', 'outbox')
  const secrets = new Set<string>()
  for (const file of readdirSync(outbox).filter((name) => name.endsWith('.eml'))) {
    const { text = '' } = await PostalMime.parse(readFileSync(join(outbox, file)))
    for (const [secret] of text.matchAll(LINK_TOKEN_OR_PASSWORD)) secrets.add(secret)
  }
  return [...secrets]
}

const LINK_TOKEN_OR_PASSWORD = /\b[0-9A-Za-z]{43}\b|\b[2-9a-z]{4}(?:-[2-9a-z]{4}){3}\b/g
