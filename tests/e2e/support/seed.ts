// A partner that looks like one in business: customers of two months, what they spent, said and were sent.
import { fromNow, MINUTE_MS, now } from '../../../src/clock.ts'
import type { WriteHandle } from '../../../src/database/database.ts'
import { SSH_FAULTS } from '../../../src/instances/ssh/errors.ts'
import { insertPartner } from '../../../src/partners/store.ts'
import { mintLink } from '../../../src/portal-access/links.ts'
import { hashPassword } from '../../../src/portal-access/passwords.ts'
import type { Service } from '../../../src/service.ts'
import { run, stringAt } from '../../support/fixture.ts'
import { makeInstance } from '../../support/instances.ts'
import { seedAiUsage } from './ai-usage.ts'
import { seedCalls } from './calls.ts'
import { joinConsole, setConsolePassword } from './colleagues.ts'
import { type SeededDeploys, seedDeploys } from './deploys.ts'
import { seedMindWork } from './mind-work.ts'
import { backdate } from './past.ts'
import { MEMORIES, PEOPLE, type Person, TEAM } from './people.ts'
import { seedStatements } from './statements.ts'
import { seedWebhook } from './webhooks.ts'

/** What everybody on the fixture signs in with. */
export const PASSWORD = 'seven quiet lighthouses'

export interface Seeded {
  partner: { partnerId: string; slug: string; partnerUserId: string; email: string }
  /** Clínica Sol, whose owner signs in with `PASSWORD`. */
  customer: { customerId: string; identityId: string; email: string; mindId: string; memoryId: string }
  /** Servers of Clínica Sol, where an agent is ready and one doesn't answer, and of the ryokan, where none is yet. */
  instances: { ready: string; silent: string; registered: string }
  /** Deploys on servers of Clínica Sol: one that got through, one under way, one that failed. */
  deploys: SeededDeploys
  /** A colleague who only looks. */
  reader: { partnerUserId: string }
  /** Has a temporary password. */
  newcomer: { customerId: string; identityId: string }
  /** May enter two portals. */
  several: { identityId: string }
  /** Closed, of the customer. */
  statementId: string
  /** Switched off, with a log. */
  webhookId: string
  /** Tokens of links that are still good. */
  links: { reset: string; teamInvite: string; console: string }
}

export async function seed(service: Service): Promise<Seeded> {
  const email = 'ops@northwind.example'
  const { database, config } = service
  const { partnerId, slug } = await database.transaction((tx) =>
    insertPartner(tx, { name: 'Northwind Voice', email }, config.initialCreditMicros)
  )
  const act = (name: string, input: Record<string, unknown>) => run(service, partnerId, name, input)
  await act('brand_update', {
    name: 'Northwind Voice',
    accentColor: '#0f766e',
    supportEmail: 'help@northwind.example'
  })
  await makeKeys(act)
  const planId = stringAt(
    await act('plan_create', {
      name: 'Growth',
      kind: 'subscription',
      price: 149,
      features: { trialDays: 14, maxTeamMembers: 10, customerPortalEnabled: true, aiCreditsEnabled: true }
    }),
    'data',
    'planId'
  )
  const packId = stringAt(
    await act('plan_create', { name: '500 credits', kind: 'credit', features: {}, price: 49, credits: 500 }),
    'data',
    'planId'
  )
  const ids: string[] = []
  for (const person of PEOPLE) ids.push(await onboard(act, person, planId))
  const [first = '', second = '', , , fifth = '', , seventh = ''] = ids
  await seedCalls(service, partnerId, { clinic: first, ryokan: second })
  const statementId = await seedStatements(service, { partnerId, customerId: first })
  const memory = await fillFirst(act, first)
  await act('customer_update', { customerId: first, creditPlanIds: [packId] })
  await seedMindWork(service, memory.mindId)
  const instances = await registerServers(service, partnerId, { ready: first, registered: second })
  await seedAiUsage(service, { partnerId, customerId: first, instanceId: instances.ready })
  const deploys = await seedDeploys(service, partnerId, { ready: instances.ready, customerId: first })
  await act('customer_enable_portal_access', { customerId: seventh })
  const passwordHash = await hashPassword(PASSWORD, `partner ${partnerId}`)
  const kept = await database.transaction(async (tx) => {
    const partnerUserId = await setConsolePassword(tx, partnerId, passwordHash)
    const identityId = await setOwnPassword(tx, first, passwordHash)
    const several = await setOwnPassword(tx, seventh, passwordHash)
    await joinTeam(tx, fifth, several)
    const [accepted = '', invited = ''] = memory.memberIds
    await tx.updateTable('teamMember').set({ status: 'active' }).where('id', '=', accepted).execute()
    return {
      partner: { partnerId, slug, partnerUserId, email },
      identityId,
      reader: { partnerUserId: await joinConsole(tx, partnerId, passwordHash) },
      newcomer: { customerId: second, identityId: await ownerOf(tx, second) },
      several: { identityId: several },
      links: {
        reset: await mintLink(tx, partnerId, 'password_reset', { customerId: first }),
        teamInvite: await mintLink(tx, partnerId, 'team_invite', {
          customerId: first,
          teamMemberId: invited
        }),
        console: await mintLink(tx, partnerId, 'console_password', { partnerUserId })
      }
    }
  })
  await backdate(service, ids)
  const webhookId = await seedWebhook(service, partnerId, first)
  const { identityId, ...rest } = kept
  const [person] = PEOPLE
  return {
    ...rest,
    instances,
    deploys,
    statementId,
    webhookId,
    customer: {
      customerId: first,
      identityId,
      email: person?.email ?? '',
      mindId: memory.mindId,
      memoryId: memory.memoryId
    }
  }
}

type Act = (name: string, input: Record<string, unknown>) => Promise<Record<string, unknown>>

async function registerServers(
  service: Service,
  partnerId: string,
  customerIds: { ready: string; registered: string }
): Promise<Seeded['instances']> {
  const ready = await makeInstance(service, partnerId, customerIds.ready, {
    name: 'Recepción',
    host: 'vps-eu-3.northwind.example',
    port: 22,
    root: '',
    status: 'cli-agent',
    agentName: 'Sol',
    model: 'auto',
    checkedAt: fromNow(-3 * MINUTE_MS)
  })
  const silent = await makeInstance(service, partnerId, customerIds.ready, {
    name: 'Consulta 2',
    host: 'vps-eu-4.northwind.example',
    port: 22,
    root: '',
    status: 'cli-agent',
    agentName: 'Sol',
    model: 'auto',
    checkedAt: fromNow(-3 * MINUTE_MS),
    checkTrouble: SSH_FAULTS.refused,
    unreachableSince: fromNow(-23 * MINUTE_MS)
  })
  const registered = await makeInstance(service, partnerId, customerIds.registered, {
    name: 'Ryokan front desk',
    host: '2001:db8:20:5::17',
    port: 2222,
    root: ''
  })
  return { ready: ready.id, silent: silent.id, registered: registered.id }
}

async function makeKeys(act: Act): Promise<void> {
  await act('api_key_mint', { name: 'CRM sync', scopes: ['customers:read', 'customers:write', 'plans:read'] })
  await act('api_key_mint', {
    name: 'Support agents (MCP)',
    scopes: ['customers:read', 'memory:read', 'memory:write'],
    expiresAt: '2099-03-31T00:00:00Z'
  })
  const old = await act('api_key_mint', { name: 'Old billing export', scopes: ['credits:read'] })
  await act('api_key_revoke', { keyId: stringAt(old, 'keyId') })
}

async function onboard(act: Act, person: Person, planId: string): Promise<string> {
  const { email, firstName, lastName, companyName, businessPhone, useCase, languages } = person
  const onboarded = await act('customer_onboard', {
    basic: { email, firstName, lastName, ...(businessPhone ? { businessPhone } : {}) },
    business: { companyName, monthlyCallVolume: '500-1000', peakHours: '09:00-14:00' },
    requirements: { primaryUseCase: useCase, callComplexity: 'medium', scriptComplexity: 'low', languages },
    integration: { crmSystem: 'HubSpot', phoneSystem: 'Twilio' },
    deployment: { deploymentTimeline: '1-2 weeks', wantsDemo: true },
    allowPortalAccess: person.portal !== undefined,
    ...(person.hasPlan ? { planId } : {})
  })
  const customerId = stringAt(onboarded, 'data', 'id')
  if (person.portal === 'suspended') await act('customer_toggle_portal_block', { customerId })
  if (person.deploymentStatus) {
    await act('customer_update', { customerId, deploymentStatus: person.deploymentStatus })
  }
  return customerId
}

/** The customer that the pictures of the portal show: everything is switched on and in use. */
async function fillFirst(
  act: Act,
  customerId: string
): Promise<{ mindId: string; memoryId: string; memberIds: string[] }> {
  await act('customer_update', {
    customerId,
    enableAiMemory: true,
    enableApiAccess: true,
    enableAdvancedAnalytics: true,
    aiCreditsEnabled: true,
    lowCreditThreshold: 50,
    agreedPrice: 349.5
  })
  await act('credits_grant', { customerId, amount: 500, note: 'Starting balance' })
  let mindId = ''
  let memoryId = ''
  for (const [index, content] of MEMORIES.entries()) {
    const occurredAt = new Date(Date.now() - (MEMORIES.length - index) * 45 * 3_600_000).toISOString()
    const remembered = await act('memory_remember', { customerId, content, occurredAt })
    mindId = stringAt(remembered, 'mindId')
    memoryId = stringAt(remembered, 'memoryId')
  }
  await act('memory_create_mind', {
    customerId,
    name: 'Complaints',
    description: 'What went wrong on the phone, and how it was made good.'
  })
  for (const question of QUESTIONS) {
    await act('memory_ask', {
      customerId,
      question,
      reasoningLevel: question.length > 40 ? 'deep' : 'standard'
    })
  }
  await act('credits_grant', { customerId, amount: 150, note: 'Invoice 2026-114' })
  await act('customer_token_mint', { customerId, name: 'Reception agent' })
  await act('customer_token_mint', { customerId, name: 'n8n nightly report', scopes: ['memory:read'] })
  const memberIds: string[] = []
  for (const member of TEAM) {
    memberIds.push(stringAt(await act('team_member_add', { customerId, ...member }), 'data', 'id'))
  }
  return { mindId, memoryId, memberIds }
}

const QUESTIONS = [
  'When does Dr. Ferrer work?',
  'Which insurances do we take?',
  'When is the clinic closed over the week, and since when exactly?',
  'Who prefers Catalan?',
  'How long is a check-up?',
  'What did patients ask to change in the last month, and why?',
  'Who runs the front desk?',
  'When is lunch?'
]

const ownerOf = async (tx: WriteHandle, customerId: string): Promise<string> => {
  const { ownerIdentityId } = await tx
    .selectFrom('customer')
    .where('id', '=', customerId)
    .select('ownerIdentityId')
    .executeTakeFirstOrThrow()
  if (!ownerIdentityId) throw new Error(`${customerId} has no owner yet`)
  return ownerIdentityId
}

/** As if the owner had followed the invite and chosen a password. */
async function setOwnPassword(tx: WriteHandle, customerId: string, passwordHash: string): Promise<string> {
  const identityId = await ownerOf(tx, customerId)
  await tx
    .updateTable('identity')
    .set({ passwordHash, temporaryPasswordHash: null, temporaryPasswordExpiresAt: null, updatedAt: now() })
    .where('id', '=', identityId)
    .execute()
  return identityId
}

/** Makes the identity an active admin of that customer's team. */
async function joinTeam(tx: WriteHandle, customerId: string, identityId: string): Promise<void> {
  const { partnerId, email, emailKey } = await tx
    .selectFrom('identity')
    .where('id', '=', identityId)
    .select(['partnerId', 'email', 'emailKey'])
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('teamMember')
    .values({
      id: `tmm_several_${customerId.slice(-8)}`,
      partnerId,
      customerId,
      email,
      emailKey,
      name: 'Ingrid Haugen',
      role: 'admin',
      status: 'active',
      identityId,
      createdAt: now(),
      updatedAt: now()
    })
    .execute()
}
