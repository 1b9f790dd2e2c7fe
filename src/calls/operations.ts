// What console and command line offer on reading calls from the voice-agent providers.
import { CallHook, ProviderKeyPath, UsageSyncResult, UsageSyncStates } from '../../schemas/provider-key.ts'
import { DAY_MS } from '../clock.ts'
import { createLog } from '../log.ts'
import { defineOperation, SETS } from '../operation.ts'
import { hookOf } from './hooks.ts'
import { readCallsNow } from './sync.ts'
import { isBehind } from './sync-store.ts'

/**
 * Returns for each voice-agent provider with a key until when its calls are read, when they are next, and what went
 * wrong.
 */
export const getUsageSync = defineOperation({
  name: 'usage_sync_get',
  scope: 'billing:read',
  channels: ['console', 'operator'],
  output: UsageSyncStates,
  async handle({ db }, { partnerId }) {
    const syncs = db.selectFrom('usageSync').where('partnerId', '=', partnerId).orderBy('provider')
    const shown = syncs
      .select(['provider', 'syncedTo', 'syncedTo as readUntil', 'lastDoneAt as lastReadAt'])
      .select(['dueAt as nextReadAt', 'lastError as error'])
    return { data: (await shown.execute()).map((sync) => ({ ...sync, isBehind: isBehind(sync) })) }
  }
})

/** Where nobody asks it is logged; here whoever asks is told. */
const UNLOGGED = createLog('silent')

/** Reads the calls at a voice-agent provider in this process, to the end. */
export const syncUsage = defineOperation({
  name: 'usage_sync',
  title: 'Read calls here',
  scope: 'billing:write',
  channels: ['operator'],
  input: ProviderKeyPath,
  output: UsageSyncResult,
  annotations: { ...SETS, openWorld: true },
  errors: ['provider_key_not_found', 'provider_unavailable'],
  deadlineMs: DAY_MS,
  async handle(ctx, { partnerId }, { provider }) {
    await ctx.step((tx) => ctx.audit(tx, { targetType: 'provider_key', targetId: provider }))
    return { calls: await readCallsNow({ ...ctx, log: UNLOGGED }, { partnerId, provider }, ctx) }
  }
})

/** Returns the address at which a voice-agent provider tells of calls, and its secret; made when first asked for. */
export const getCallHook = defineOperation({
  name: 'call_hook_get',
  title: 'Get the webhook of a provider',
  scope: 'settings:write',
  input: ProviderKeyPath,
  output: CallHook,
  annotations: SETS,
  errors: ['provider_key_not_found'],
  async write(tx, ctx, { partnerId }, { provider }) {
    await ctx.audit(tx, { targetType: 'provider_key', targetId: provider, fields: ['webhook'] })
    return hookOf(tx, ctx.secrets, { partnerId, provider })
  }
})

export const callOperations = [getUsageSync, syncUsage, getCallHook]
