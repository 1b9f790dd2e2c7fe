// What console and command line offer on a partner's keys at its voice-agent providers. None of it answers a key.
import {
  ProviderKeyList,
  ProviderKeyPath,
  ProviderKeyTest,
  SetProviderKey
} from '../../../schemas/provider-key.ts'
import { PROVIDER_APIS, PROVIDERS } from '../../../schemas/voice-agent.ts'
import { endSync, refuseWithoutKey } from '../../calls/sync-store.ts'
import { MINUTE_MS, now } from '../../clock.ts'
import { ServiceError } from '../../errors.ts'
import { CHANGES, defineOperation, type ExternalContext, READS, SETS } from '../../operation.ts'
import { importVoiceAgents } from '../import.ts'
import { type NamedAgent, ofAccount, type ProviderAccount } from '../store.ts'
import { ADAPTERS, connectionOf, providerUnavailable } from './ask.ts'
import { setProviderKey } from './keys.ts'
import { PAGE_SIZE } from './port.ts'

/** Returns for each voice-agent provider whether you have set a key, when, and what its last test said; never the key. */
export const listProviderKeys = defineOperation({
  name: 'provider_key_list',
  scope: 'customers:read',
  output: ProviderKeyList,
  async handle({ db }, { partnerId }) {
    const keys = db.selectFrom('providerKey').where('partnerId', '=', partnerId)
    const set = await keys.select(['provider', 'updatedAt', 'testedAt', 'testError']).execute()
    const data = PROVIDERS.map((provider) => {
      const key = set.find((one) => one.provider === provider)
      return { provider, isSet: key !== undefined, updatedAt: null, testedAt: null, testError: null, ...key }
    })
    return { data }
  }
})

/** Keeps your key at a voice-agent provider, sealed, in place of an earlier one. */
export const setProviderKeyOperation = defineOperation({
  name: 'provider_key_set',
  title: 'Set a provider key',
  scope: 'settings:write',
  channels: ['console', 'operator'],
  input: SetProviderKey,
  annotations: SETS,
  async write(tx, ctx, { partnerId }, { provider, key }) {
    await setProviderKey(tx, ctx.secrets, { partnerId, provider }, key)
    await ctx.audit(tx, { targetType: 'provider_key', targetId: provider, fields: ['key'] })
    return { message: 'The key is kept, sealed.' }
  }
})

/** Forgets your key at a voice-agent provider; agents that are mapped stay mapped. */
export const removeProviderKeyOperation = defineOperation({
  name: 'provider_key_remove',
  title: 'Remove a provider key',
  scope: 'settings:write',
  channels: ['console', 'operator'],
  input: ProviderKeyPath,
  annotations: CHANGES,
  errors: ['provider_key_not_found'],
  async write(tx, ctx, { partnerId }, { provider }) {
    const account = { partnerId, provider }
    await endSync(tx, account)
    const { numDeletedRows } = await tx.deleteFrom('providerKey').where(ofAccount(account)).executeTakeFirst()
    if (numDeletedRows === 0n) refuseWithoutKey()
    await ctx.audit(tx, { targetType: 'provider_key', targetId: provider, fields: ['key'] })
    return { message: 'The key was removed.' }
  }
})

/** Asks the voice-agent provider for your agents with the key that is kept; says, and keeps, what came of it. */
export const testProviderKey = defineOperation({
  name: 'provider_key_test',
  title: 'Test a provider key',
  scope: 'customers:read',
  channels: ['console', 'operator'],
  input: ProviderKeyPath,
  output: ProviderKeyTest,
  annotations: { ...READS, openWorld: true },
  errors: ['provider_key_not_found', 'provider_unavailable'],
  deadlineMs: MINUTE_MS,
  async handle(ctx, { partnerId }, { provider }) {
    // One question within its own timeout is enough to know that the key works.
    const isEnough = (agents: readonly NamedAgent[]) => agents.length === PAGE_SIZE
    const { length: agentCount } = await agentsOf(ctx, { partnerId, provider }, isEnough)
    const counted = agentCount < PAGE_SIZE ? inWords(agentCount) : `${inWords(PAGE_SIZE)} or more`
    return { message: `The key works: the account has ${counted}.`, agentCount }
  }
})

/** A hundred pages of an account, which is more than anybody has. */
const REFRESH_DEADLINE_MS = MINUTE_MS

/** Asks the voice-agent provider for all of your agents, and adds or renames them; mappings stay. */
export const refreshVoiceAgents = defineOperation({
  name: 'voice_agent_refresh',
  title: 'Refresh voice agents from their provider',
  scope: 'customers:write',
  input: ProviderKeyPath,
  output: ProviderKeyTest,
  annotations: { ...SETS, openWorld: true },
  errors: ['provider_key_not_found', 'provider_unavailable'],
  deadlineMs: REFRESH_DEADLINE_MS,
  async handle(ctx, { partnerId }, { provider }) {
    const account = { partnerId, provider }
    const agents = await agentsOf(ctx, account, () => ctx.signal.aborted)
    await ctx.step((tx) => ctx.audit(tx, { targetType: 'voice_agent', targetId: provider }))
    await importVoiceAgents(ctx.database, account, agents, ctx.onProgress)
    const message = `${PROVIDER_APIS[provider].name} has ${inWords(agents.length)}. All are here.`
    return { message, agentCount: agents.length }
  }
})

/** The account's agents, until that is enough; what comes of it is kept as a test of the key. */
async function agentsOf(
  ctx: Pick<ExternalContext, 'config' | 'secrets' | 'db' | 'step'>,
  account: ProviderAccount,
  isEnough: (agents: readonly NamedAgent[]) => boolean
) {
  const { provider } = account
  const connection = (await connectionOf(ctx, account)) ?? refuseWithoutKey()
  const agents: NamedAgent[] = []
  const startedAt = now()
  const note = (testError: string | null) =>
    ctx.step((tx) => {
      const key = tx.updateTable('providerKey').where(ofAccount(account))
      // Of a key that was set since it says nothing.
      return key.where('updatedAt', '<=', startedAt).set({ testedAt: now(), testError }).execute()
    })
  try {
    for await (const agent of ADAPTERS[provider].listAgents(connection)) {
      agents.push(agent)
      if (isEnough(agents)) break
    }
  } catch (error) {
    const refusal = providerUnavailable(provider, error)
    if (refusal instanceof ServiceError) await note(refusal.message)
    throw refusal
  }
  await note(null)
  return agents
}

const inWords = (count: number): string => `${count} agent${count === 1 ? '' : 's'}`

export const providerKeyOperations = [
  listProviderKeys,
  setProviderKeyOperation,
  testProviderKey,
  refreshVoiceAgents,
  removeProviderKeyOperation
]
