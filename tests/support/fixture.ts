// Small factories: a partner with a key, and a customer with everything that an operation can point at.
import { hash } from '@node-rs/argon2'
import { ALL_SCOPES, SCOPES, type Scope } from '../../schemas/api-key.ts'
import type { Provider } from '../../schemas/voice-agent.ts'
import { execute } from '../../src/execute.ts'
import { newId } from '../../src/ids.ts'
import { mintApiKey } from '../../src/keys/credentials.ts'
import { operations } from '../../src/operations.ts'
import { insertPartner } from '../../src/partners/store.ts'
import { insertPlan } from '../../src/plans/store.ts'
import type { Service } from '../../src/service.ts'
import { upsertVoiceAgents } from '../../src/voice-agents/store.ts'
import { makeInstance } from './instances.ts'
import { nextInstant } from './next-instant.ts'
import { makeClosedStatement } from './statements.ts'
import { makeWebhookRow } from './webhooks.ts'

/** A text that no other call returns. By its digit it is found as it is: letters alone the index would stem as a word. */
export const unique = (prefix: string): string => `${prefix}${newId('u').slice(2, 12)}7`
export const uniqueEmail = (): string => `${unique('person')}@example.com`

/** Where networks are counted: which of them share a counter follows from it, and none that one test tells apart do. */
export const SECRET_KEY = 'a secret key of tests that is long enough'

/** A password's hash that is verified at once, for who signs in only to get somewhere. */
export const quickHash = (password: string): Promise<string> =>
  hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })

export interface TestPartner {
  partnerId: string
  slug: string
  keyId: string
  key: string
}

/** A partner and a key of it, with every scope unless told otherwise. */
export async function makePartner(service: Service, scopes: readonly Scope[] = SCOPES): Promise<TestPartner> {
  return service.database.transaction(async (tx) => {
    const { partnerId, slug } = await insertPartner(
      tx,
      { name: unique('Partner '), email: uniqueEmail() },
      service.config.initialCreditMicros
    )
    const { keyId, key } = await mintApiKey(tx, partnerId, { name: 'test', scopes: [...scopes] })
    return { partnerId, slug, keyId, key }
  })
}

export async function makeKey(
  service: Service,
  partnerId: string,
  options: { scopes?: Scope[]; expiresAt?: string } = {}
): Promise<{ keyId: string; key: string }> {
  const { scopes = [...SCOPES], expiresAt } = options
  return service.database.transaction((tx) =>
    mintApiKey(tx, partnerId, { name: 'test', scopes, ...(expiresAt ? { expiresAt } : {}) })
  )
}

export async function makePlan(
  service: Service,
  partnerId: string,
  kind: 'subscription' | 'credit' = 'subscription',
  features: Parameters<typeof insertPlan>[2]['features'] = {}
): Promise<string> {
  const { planId } = await service.database.transaction((tx) =>
    insertPlan(tx, partnerId, { name: unique('Plan '), kind, features })
  )
  return planId
}

/** A voice agent of the partner that is mapped to nobody. */
export async function makeVoiceAgent(
  service: Service,
  partnerId: string,
  provider: Provider
): Promise<string> {
  const agentId = unique(`agent-${provider}-`)
  await nextInstant()
  const agent = { id: agentId, name: `Agent ${agentId}` }
  await service.database.transaction((tx) => upsertVoiceAgents(tx, { partnerId, provider }, [agent]))
  return agentId
}

/** Runs an operation of the list by its name, as the partner. */
export async function run(
  service: Service,
  partnerId: string,
  name: string,
  input: Record<string, unknown>
): Promise<Record<string, unknown>> {
  const operation = operations.find((candidate) => candidate.name === name)
  if (!operation) throw new Error(`There is no operation ${name}`)
  await nextInstant()
  const caller = { partnerId, actor: 'key_test', scopes: new Set(ALL_SCOPES) }
  const { output } = await execute(operation, service, { caller, requestId: 'req_test' }, input)
  return output
}

/** Everything that an operation can point at, of one partner. */
export interface Fixture {
  customerId: string
  code: string
  agentA: string
  agentB: string
  teamMemberId: string
  planId: string
  /** A server of the customer, at a port where nobody listens. */
  instanceId: string
  /** The customer's primary Mind, with one memory in it. */
  mindId: string
  memoryId: string
  /** Closed, and of the customer. */
  statementId: string
  /** Switched off. */
  webhookId: string
}

/** A customer with portal access, a team member, a server, a memory, and a voice agent of each provider, unmapped. */
export async function makeFixture(service: Service, partnerId: string): Promise<Fixture> {
  const planId = await makePlan(service, partnerId)
  const basic = { email: uniqueEmail(), firstName: 'Ada', lastName: 'Lovelace' }
  const onboarded = await run(service, partnerId, 'customer_onboard', {
    basic,
    allowPortalAccess: true,
    planId
  })
  const customerId = stringAt(onboarded, 'data', 'id')
  const got = await run(service, partnerId, 'customer_get', { customerId })
  const member = await run(service, partnerId, 'team_member_add', {
    customerId,
    email: uniqueEmail(),
    name: 'Grace'
  })
  return {
    customerId,
    code: stringAt(got, 'data', 'customerId'),
    agentA: await makeVoiceAgent(service, partnerId, 'a'),
    agentB: await makeVoiceAgent(service, partnerId, 'b'),
    teamMemberId: stringAt(member, 'data', 'id'),
    planId,
    instanceId: (
      await makeInstance(service, partnerId, customerId, { status: 'cli-agent', agentName: 'Sol' })
    ).id,
    webhookId: await service.database.transaction((tx) => makeWebhookRow(tx, service.secrets, partnerId)),
    statementId: await makeClosedStatement(service, { partnerId, customerId }),
    ...(await makeMemory(service, partnerId, customerId))
  }
}

/** Switches the customer's memory on and tells it something. */
export async function makeMemory(
  service: Service,
  partnerId: string,
  customerId: string,
  content = `Ada: the code word is ${unique('word')}.`
): Promise<{ mindId: string; memoryId: string }> {
  await run(service, partnerId, 'customer_update', { customerId, enableAiMemory: true })
  const remembered = await run(service, partnerId, 'memory_remember', { customerId, content })
  return { mindId: stringAt(remembered, 'mindId'), memoryId: stringAt(remembered, 'memoryId') }
}

/** The value at a path of an answer; `undefined` where the path ends early. */
export function at(answer: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value && typeof value === 'object' ? Reflect.get(value, key) : undefined),
    answer
  )
}

/** The text at a path of an answer. */
export function stringAt(answer: unknown, ...path: (string | number)[]): string {
  const value = at(answer, ...path)
  if (typeof value !== 'string') throw new Error(`No text at ${path.join('.')} of ${JSON.stringify(answer)}`)
  return value
}
