// What console and command line offer on reading calls from the voice-agent providers.
import { Acknowledgement, NoInput } from '../../schemas/envelope.ts'
import { ProviderKeyPath } from '../../schemas/provider-key.ts'
import { CallHook, UsageSyncResult, UsageSyncStates } from '../../schemas/usage-sync.ts'
import { DAY_MS } from '../clock.ts'
import { createLog } from '../log.ts'
import { CHANGES, defineOperation, READS, SETS } from '../operation.ts'
import { hookOf } from './hooks.ts'
import { readCallsNow } from './sync-queue.ts'
import { findSyncs, isBehind, requestSync } from './sync-store.ts'

export const getUsageSync = defineOperation({
  name: 'usage_sync_get',
  title: 'See how far calls are read',
  summary:
    'Returns for each voice-agent provider with a key until when its calls are read, when they are next, and what went wrong.',
  scope: 'billing:read',
  channels: ['console', 'operator'],
  input: NoInput,
  output: UsageSyncStates,
  annotations: READS,
  async handle({ db }, { partnerId }) {
    const syncs = await findSyncs(db, partnerId)
    const data = syncs.map((sync) => ({
      provider: sync.provider,
      isReading: sync.leaseOwner !== null,
      readUntil: sync.syncedTo,
      lastReadAt: sync.lastDoneAt,
      nextReadAt: sync.dueAt,
      isBehind: isBehind(sync),
      error: sync.lastError
    }))
    return { data }
  }
})

export const startUsageSync = defineOperation({
  name: 'usage_sync_start',
  title: 'Read calls now',
  summary: 'Has the calls at a voice-agent provider read within seconds, also where reading has stopped.',
  scope: 'billing:write',
  channels: ['console'],
  input: ProviderKeyPath,
  output: Acknowledgement,
  annotations: SETS,
  errors: ['provider_key_not_found'],
  async handle(ctx, { partnerId }, { provider }) {
    return ctx.transaction(async (tx) => {
      await requestSync(tx, partnerId, provider)
      await ctx.audit(tx, { targetType: 'provider_key', targetId: provider })
      return { message: 'The calls are read now. Look again in a moment.' }
    })
  }
})

/** Where nobody asks it is logged; here whoever asks is told. */
const UNLOGGED = createLog('silent')

export const syncUsage = defineOperation({
  name: 'usage_sync',
  title: 'Read calls here',
  summary: 'Reads the calls at a voice-agent provider in this process, to the end.',
  scope: 'billing:write',
  channels: ['operator'],
  input: ProviderKeyPath,
  output: UsageSyncResult,
  annotations: { ...SETS, openWorld: true },
  errors: ['provider_key_not_found', 'provider_unavailable'],
  deadlineMs: DAY_MS,
  async handle(ctx, { partnerId }, { provider }) {
    await ctx.step((tx) => ctx.audit(tx, { targetType: 'provider_key', targetId: provider }))
    let calls = 0
    const onProgress = (done: number) => {
      calls = done
      ctx.onProgress(done)
    }
    const { config, database, secrets, signal } = ctx
    const deps = { config, database, secrets, log: UNLOGGED }
    await readCallsNow(deps, { partnerId, provider }, { signal, onProgress })
    return { message: calls === 1 ? 'Read 1 call.' : `Read ${calls} calls.`, calls }
  }
})

const hookOperation = (
  name: string,
  isNew: boolean,
  texts: { title: string; summary: string; done: string }
) =>
  defineOperation({
    name,
    title: texts.title,
    summary: texts.summary,
    scope: 'customers:write',
    channels: ['console'],
    input: ProviderKeyPath,
    output: CallHook,
    annotations: isNew ? CHANGES : SETS,
    errors: ['provider_key_not_found'],
    async handle(ctx, { partnerId }, { provider }) {
      return ctx.transaction(async (tx) => {
        const hook = await hookOf(tx, ctx.secrets, { partnerId, provider, isNew })
        await ctx.audit(tx, { targetType: 'provider_key', targetId: provider, fields: ['webhook'] })
        return { message: texts.done, ...hook }
      })
    }
  })

export const getCallHook = hookOperation('call_hook_get', false, {
  title: 'Get the webhook of a provider',
  summary:
    'Returns the address at which a voice-agent provider tells of calls, and its secret; made when first asked for.',
  done: 'Give these to your provider.'
})

export const rotateCallHook = hookOperation('call_hook_rotate', true, {
  title: 'Replace the webhook of a provider',
  summary:
    'Makes a new address and secret for what a voice-agent provider tells of calls; the former end at once.',
  done: 'The former address has ended. Give the new one to your provider.'
})

export const callOperations = [getUsageSync, startUsageSync, syncUsage, getCallHook, rotateCallHook]
