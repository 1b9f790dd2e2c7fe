// A customer of whom something is kept in every table, with a word that stands nowhere else wherever a text can stand.

import { SCOPES } from '../../schemas/api-key.ts'
import { reserveTokens } from '../../src/ai-gateway/embedded/spending.ts'
import { insertUsage } from '../../src/ai-gateway/embedded/store.ts'
import { recordCalls } from '../../src/calls/record.ts'
import { fromNow, HOUR_MS, now } from '../../src/clock.ts'
import { connectApp } from '../../src/connected-apps/store.ts'
import { execute } from '../../src/execute.ts'
import { newId } from '../../src/ids.ts'
import { claimExchange, finishExchange } from '../../src/instances/chat/store.ts'
import { operations } from '../../src/operations.ts'
import { addIdentity, findIdentity } from '../../src/portal-access/identities.ts'
import { beginSession } from '../../src/portal-access/sessions.ts'
import { accountOf, portalTenant } from '../../src/portal-access/sign-in.ts'
import type { Service } from '../../src/service.ts'
import { writeEvent } from '../../src/webhooks/events.ts'
import { call } from '../calls/calls.ts'
import { makePlan, makeVoiceAgent, run, stringAt, unique, uniqueEmail } from '../support/fixture.ts'
import { makeInstance } from '../support/instances.ts'
import { lineOf, post } from '../support/statements.ts'
import { makeWebhookRow } from '../support/webhooks.ts'

export interface Everything {
  partnerId: string
  customerId: string
  code: string
  email: string
  memberEmail: string
  /** Of somebody who was in its team. */
  formerEmail: string
  phone: string
  planted: string
  mindId: string
  mindKey: number
  instanceId: string
  /** The alias of the agent's key. */
  alias: string
  agentId: string
}

export async function makeEverything(service: Service, partnerId: string): Promise<Everything> {
  const [email, memberEmail, planted] = [uniqueEmail(), uniqueEmail(), unique('quill')]
  const formerEmail = `${unique('Élan')}@bücher.example`
  const phone = `+49 30 ${Math.random().toString().slice(2, 12)}`
  const act = async (name: string, input: Record<string, unknown>) => {
    const operation = operations.find((one) => one.name === name)
    if (!operation) throw new Error(`There is no operation ${name}`)
    const caller = { partnerId, actor: 'key_test', scopes: new Set(SCOPES) }
    const idempotencyKey = `${name} for ${email}`.replaceAll(' ', '-')
    return (await execute(operation, service, { caller, requestId: 'req_test', idempotencyKey }, input))
      .output
  }
  const write = service.database.transaction

  const basic = { email, firstName: planted, businessPhone: phone }
  const planId = await makePlan(service, partnerId, 'subscription', { trialDays: 7 })
  const onboarded = await act('customer_onboard', { basic, allowPortalAccess: true, planId })
  const customerId = stringAt(onboarded, 'data', 'id')
  const features = { enableAiMemory: true, aiCreditsEnabled: true, aiCreditPricePerMinute: 1 }
  const updated = await act('customer_update', { customerId, companyName: planted, ...features })
  const code = stringAt(updated, 'data', 'customerId')
  await act('credits_grant', { customerId, amount: 100, note: planted })
  await post(service, { partnerId, customerId }, lineOf({ kind: 'adjustment', description: planted }))
  await act('team_member_add', { customerId, email: memberEmail, name: planted })
  const invited = { customerId, email: formerEmail, name: planted }
  const former = await run(service, partnerId, 'team_member_add', invited)
  const teamMemberId = stringAt(former, 'data', 'id')
  await run(service, partnerId, 'team_member_remove', { customerId, teamMemberId })
  await act('customer_token_mint', { customerId, name: planted })
  await service.database.transaction(async (tx) => {
    const webhookId = await makeWebhookRow(tx, service.secrets, partnerId)
    await writeEvent(tx, partnerId, 'customer.created', { customerId }, webhookId)
  })
  const agentId = await makeVoiceAgent(service, partnerId, 'a')
  await act('voice_a_agent_map_customer', { agentId, customerId, profitMultiplier: 2 })

  const content = `Ada: My company is called ${planted} and I love ${planted}.`
  const remembered = await act('memory_remember', { customerId, content })
  const mindId = stringAt(remembered, 'mindId')
  await act('memory_ask', { customerId, question: `What is ${planted}?` })
  const { key: mindKey } = await service.database.read
    .selectFrom('mind')
    .where('id', '=', mindId)
    .select('key')
    .executeTakeFirstOrThrow()

  const { id: instanceId } = await makeInstance(service, partnerId, customerId, { name: planted })
  const alias = unique('dep_alias_')
  await service.aiKeys.mint({ partnerId, instanceId, alias, models: ['small'] })
  const identity = await findIdentity(service.database.read, partnerId, email)
  await write(async (tx) => {
    const instance = { id: instanceId, partnerId }
    await service.deploys.enqueue(tx, {
      instance: {
        ...(await tx
          .selectFrom('instance')
          .where('id', '=', instanceId)
          .selectAll()
          .executeTakeFirstOrThrow())
      },
      businessName: planted,
      memoryScopes: ['memory:read'],
      telegram: { botToken: planted, chatId: '1' }
    })
    await tx
      .updateTable('deploy')
      .set({ phase: 'succeeded', log: `Installing for ${planted}\n`, keyAlias: alias, finishedAt: now() })
      .where('instanceId', '=', instanceId)
      .execute()
    const sent = { key: undefined, message: `Hello from ${planted}`, model: 'small', timeoutMs: HOUR_MS }
    const { exchange } = await claimExchange(tx, instance, sent)
    await finishExchange(tx, exchange, {
      state: 'answered',
      reply: planted,
      sessionId: planted,
      model: 'small',
      hasStarted: true
    })
    const { id: keyId } = await tx
      .selectFrom('aiKey')
      .where('alias', '=', alias)
      .select('id')
      .executeTakeFirstOrThrow()
    const usage = { model: 'small', promptTokens: 1, completionTokens: 1, durationMs: 1, status: 200 }
    await insertUsage(tx, { partnerId, customerId, instanceId, keyId }, usage)
    await insertUsage(tx, { partnerId, customerId, instanceId: 'ins_gone', keyId: 'aik_gone' }, usage)
    const { aiGateway } = service.config
    if (aiGateway.kind !== 'embedded') throw new Error('A proxy counts for itself')
    // Whoever accepted an invite stays known when the team lets them go.
    await addIdentity(tx, partnerId, formerEmail)
    await reserveTokens(tx, { partnerId, customerId, keyId }, aiGateway.budgets, 2)

    const recordingUrl = `https://x/${planted}`
    await recordCalls(tx, { partnerId, provider: 'a' }, [
      call(unique('call-'), { agentId, endedAt: now(), outcome: planted, recordingUrl })
    ])

    const identityId = identity?.id ?? ''
    await beginSession(tx, {
      site: 'portal',
      partnerId,
      identityId,
      membership: { customerId, teamMemberId: null },
      mustChangePassword: false,
      userAgent: planted
    })
    const passkey = { kind: 'passkey', handle: planted, publicKey: planted, counter: 1 } as const
    const nothing = { partnerUserId: null, sealedSecret: null, lastUsedAt: null }
    const added = {
      ...nothing,
      id: newId('fac'),
      partnerId,
      identityId,
      createdAt: now(),
      userAgent: planted
    }
    await tx
      .insertInto('factor')
      .values({ ...passkey, ...added })
      .execute()
    const appId = await connectApp(tx, partnerId, {
      person: { identityId },
      membership: { customerId, teamMemberId: null },
      client: { clientId: 'https://assistant.example/client.json', clientName: planted },
      scopes: ['memory:read'],
      requestId: 'req_test'
    })
    const record = { kind: 'AccessToken', id: unique('digest'), payload: JSON.stringify({ planted }) }
    await tx
      .insertInto('oauthRecord')
      .values({ ...record, appId, consumedAt: null, expiresAt: fromNow(HOUR_MS) })
      .execute()
    await service.signInLimits.keepNetwork(tx, {
      account: accountOf(portalTenant(partnerId), email),
      address: '192.0.2.1'
    })
    const job = { kind: 'embed', mindKey } as const
    await tx
      .insertInto('mindJob')
      .values({ ...job, watermark: 0, waiting: 0, attempts: 0, refusals: 0, failures: 0, isUnsure: 0 })
      .execute()
    await tx
      .insertInto('mindJobFailure')
      .values({ ...job, seq: 1, error: planted, isQueued: 0 })
      .execute()
    const spent = { calls: 1, inputTokens: 1, outputTokens: 1, costMicros: 1 }
    await tx
      .insertInto('modelUsage')
      .values({ mindKey, day: '2026-05-01', purpose: 'embed', ...spent })
      .execute()
    await tx
      .insertInto('embedding')
      .values({ mindKey, block: 0, vectors: Buffer.from(planted) })
      .execute()
    await tx
      .insertInto('memoryImport')
      .values({ mindKey, digest: planted, memories: 1, isWhole: 1, updatedAt: now() })
      .execute()
    // An ask whose process has ended: its credits are still held.
    await tx
      .insertInto('creditReservation')
      .values({
        id: unique('res_'),
        partnerId,
        customerId,
        mindId,
        operation: 'memory_ask',
        ...{ partnerMicros: 0, customerMicros: 0, usageMicros: 0, status: 'held' },
        ...{ expiresAt: fromNow(HOUR_MS), createdAt: now() }
      })
      .execute()
  })
  return {
    ...{ partnerId, customerId, code, email, memberEmail, formerEmail, phone, planted },
    ...{ mindId, mindKey, instanceId, alias, agentId }
  }
}
