import type { z } from 'zod'
import {
  ImportVoiceAgents,
  ListVoiceAgents,
  MapAnyVoiceAgent,
  MapVoiceAgent,
  MapVoiceAgentResult,
  PROVIDER_APIS,
  type Provider,
  UnmapAnyVoiceAgent,
  UnmapVoiceAgent,
  UnmapVoiceAgentResult,
  VoiceAgentPage,
  VoiceAgentsImported
} from '../../schemas/voice-agent.ts'
import type { Caller } from '../caller.ts'
import { DAY_MS } from '../clock.ts'
import { getCustomer } from '../customers/store.ts'
import type { WriteHandle } from '../database/database.ts'
import { isOwnedBy } from '../database/known.ts'
import { pageOfRows } from '../database/page.ts'
import { countedBy } from '../database/row-count.ts'
import { ServiceError } from '../errors.ts'
import { fromMicros } from '../money.ts'
import { CHANGES, defineOperation, type OperationContext, SETS } from '../operation.ts'
import { importVoiceAgents } from './import.ts'
import { mapVoiceAgent, unmapVoiceAgent } from './mapping.ts'
import { askForUnknown } from './providers/ask.ts'
import { isAgentOf, isNamedLike, upsertVoiceAgents } from './store.ts'

const MAPS = {
  scope: 'customers:write',
  output: MapVoiceAgentResult,
  annotations: { ...SETS, openWorld: true },
  errors: ['agent_not_found', 'customer_not_found', 'agent_mapped_elsewhere', 'provider_unavailable']
} as const

const UNMAPS = {
  scope: 'customers:write',
  output: UnmapVoiceAgentResult,
  annotations: CHANGES,
  errors: ['agent_not_found', 'customer_not_found', 'agent_mapped_elsewhere']
} as const

/** Tools have one for both providers; these were there before it. */
const faceOf = (provider: Provider, act: 'map' | 'unmap') =>
  ({
    name: `voice_${provider}_agent_${act}_customer`,
    channels: ['rest', 'mcp', 'console'],
    isUnlisted: true,
    http: {
      method: 'post',
      path: `/voice-${provider}-agents/{agentId}/${act}-customer`,
      group: 'Voice agents'
    }
  }) as const

async function map(
  ctx: OperationContext<z.input<typeof MapVoiceAgentResult>>,
  { partnerId }: Caller,
  { provider, ...mapping }: z.output<typeof MapAnyVoiceAgent>
) {
  requireMeant(mapping)
  const { agentId } = mapping
  const agentKey = { partnerId, provider, agentId }
  const asked = await askForUnknown(ctx, agentKey)
  return ctx.transaction(async (tx) => {
    if (asked) await upsertVoiceAgents(tx, agentKey, [asked])
    const result = await mapVoiceAgent(tx, agentKey, mapping)
    const fields = ['customerId', 'profitMultiplier', ...(mapping.since ? ['since'] : [])]
    await ctx.audit(tx, { targetType: 'voice_agent', targetId: agentId, fields, told: { provider } })
    return result
  })
}

async function unmap(
  tx: WriteHandle,
  ctx: OperationContext<z.input<typeof UnmapVoiceAgentResult>>,
  { partnerId }: Caller,
  { provider, agentId, customerId }: z.output<typeof UnmapAnyVoiceAgent>
) {
  const result = await unmapVoiceAgent(tx, { partnerId, provider, agentId }, customerId)
  const told = { provider }
  await ctx.audit(tx, { targetType: 'voice_agent', targetId: agentId, fields: ['customerId'], told })
  return result
}

const mapOperation = (provider: Provider) =>
  defineOperation({
    ...MAPS,
    ...faceOf(provider, 'map'),
    title: `Map a ${PROVIDER_APIS[provider].name} agent`,
    summary: `Maps a voice agent of provider ${provider.toUpperCase()} to a customer; its call costs are billed times profitMultiplier.`,
    input: MapVoiceAgent,
    handle: (ctx, caller, mapping) => map(ctx, caller, { provider, ...mapping })
  })

const unmapOperation = (provider: Provider) =>
  defineOperation({
    ...UNMAPS,
    ...faceOf(provider, 'unmap'),
    title: `Unmap a ${PROVIDER_APIS[provider].name} agent`,
    summary: `Removes the customer mapping from a voice agent of provider ${provider.toUpperCase()}.`,
    input: UnmapVoiceAgent,
    write: (tx, ctx, caller, unmapped) => unmap(tx, ctx, caller, { provider, ...unmapped })
  })

const mapAny = defineOperation({
  ...MAPS,
  name: 'voice_agent_map',
  title: 'Map a voice agent',
  summary: 'Maps a voice agent to a customer, who is then billed its call costs times profitMultiplier.',
  channels: ['mcp'],
  input: MapAnyVoiceAgent,
  handle: map
})

const unmapAny = defineOperation({
  ...UNMAPS,
  name: 'voice_agent_unmap',
  title: 'Unmap a voice agent',
  summary: 'Ends a voice agent’s mapping: calls from now on are billed to nobody.',
  channels: ['mcp'],
  input: UnmapAnyVoiceAgent,
  write: unmap
})

/** What lies outside is more often a slip than meant: 0.2 or 20 for 20 % on top. */
const USUAL = { least: 1, most: 5 }

/** @throws ServiceError `invalid_input` for an unusual multiplier that isn't confirmed */
function requireMeant({ profitMultiplier, confirm }: z.output<typeof MapVoiceAgent>): void {
  if (confirm || (profitMultiplier >= USUAL.least && profitMultiplier <= USUAL.most)) return
  const percent = Number((profitMultiplier * 100).toFixed(4))
  throw new ServiceError(
    'invalid_input',
    `profitMultiplier ${profitMultiplier} bills calls at ${percent} % of their cost (1.2 is cost + 20 %). Send confirm: true if that is meant.`,
    { field: 'confirm' }
  )
}

const mappingAt = (provider: Provider) => ({ map: mapOperation(provider), unmap: unmapOperation(provider) })

/** By provider. */
export const MAPPING = { a: mappingAt('a'), b: mappingAt('b') } satisfies Record<Provider, unknown>

export const listVoiceAgents = defineOperation({
  name: 'voice_agent_list',
  title: 'List voice agents',
  summary: 'Finds voice agents of both providers with their mapping, newest first.',
  scope: 'customers:read',
  channels: ['rest', 'mcp', 'console', 'portal'],
  http: { method: 'get', path: '/voice-agents', group: 'Voice agents' },
  input: ListVoiceAgents,
  output: VoiceAgentPage,
  async handle({ db }, caller, { search, provider, isMapped, customerId: reference, ...page }) {
    const { partnerId } = caller
    const agents = db.selectFrom('voiceAgent')
    let matching = agents.where('voiceAgent.partnerId', '=', partnerId)
    if (reference !== undefined) {
      const { id } = await getCustomer(db, partnerId, reference)
      matching = agents.where('voiceAgent.customerId', '=', id).where(isOwnedBy(partnerId, 'voiceAgent'))
    }
    if (search !== undefined) matching = matching.where(isNamedLike(search))
    if (provider !== undefined) matching = matching.where('voiceAgent.provider', '=', provider)
    if (isMapped !== undefined)
      matching = matching.where('voiceAgent.customerId', isMapped ? 'is not' : 'is', null)
    const newest = matching
      .leftJoin('customer', 'customer.id', 'voiceAgent.customerId')
      .leftJoin('voiceAgentPeriod as period', (join) =>
        join.on(isAgentOf('period')).on('period.endsAt', 'is', null)
      )
      .select(['voiceAgent.agentId as id', 'voiceAgent.name', 'voiceAgent.provider'])
      .select(['voiceAgent.multiplierMicros', 'customer.id as customerId', 'period.startsAt as since'])
      .select(['customer.email', 'customer.firstName', 'customer.lastName'])
      .orderBy('voiceAgent.createdAt', 'desc')
      .orderBy('voiceAgent.provider')
      .orderBy('voiceAgent.agentId')
    const isAll = search === undefined && reference === undefined && isMapped === undefined
    const counted = isAll ? countedBy(db, partnerId, 'voiceAgent', { provider }) : undefined
    const { rows, pagination } = await pageOfRows(page, newest, matching, counted)
    const data = rows.map(({ customerId, email, firstName, lastName, multiplierMicros, ...agent }) => {
      if (customerId === null || email === null || multiplierMicros === null)
        return { ...agent, customer: null, profitMultiplier: null, since: null }
      return {
        ...agent,
        customer: { id: customerId, firstName, lastName, email },
        profitMultiplier: caller.customerId === undefined ? fromMicros(multiplierMicros) : null
      }
    })
    return { data, pagination }
  }
})

/** Adds voice agents to a partner’s, or renames those that it has; mappings stay. */
export const importVoiceAgentsOperation = defineOperation({
  name: 'voice_agent_import',
  title: 'Import voice agents',
  scope: 'customers:write',
  channels: ['operator'],
  input: ImportVoiceAgents,
  output: VoiceAgentsImported,
  annotations: SETS,
  deadlineMs: DAY_MS,
  async handle(ctx, { partnerId }, { provider, agents }) {
    // First: what is interrupted has done something, too.
    await ctx.step((tx) => ctx.audit(tx, { targetType: 'voice_agent', targetId: provider }))
    await importVoiceAgents(ctx.database, { partnerId, provider }, agents, ctx.onProgress)
    return { imported: agents.length }
  }
})

/** In the order of §4A. */
export const mappingOperations = [
  mapAny,
  unmapAny,
  MAPPING.a.map,
  MAPPING.a.unmap,
  MAPPING.b.unmap,
  MAPPING.b.map
]
