// Changing an agent that is there: what it is told, its model, its release, and with each change its keys.
import type { AnyScope, Scope } from '../../../schemas/api-key.ts'
import { appOf } from '../../../schemas/app.ts'
import { CUSTOMER_SCOPES } from '../../../schemas/customer-token.ts'
import {
  ConfigureAgent,
  DeployStarted,
  RolloutResult,
  RolloutStarted,
  StartRollout
} from '../../../schemas/deploy.ts'
import { AUTO } from '../../ai-gateway/embedded/keys.ts'
import { APPS } from '../../catalog/apps.ts'
import { now } from '../../clock.ts'
import type { ReadHandle } from '../../database/database.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { invalidField } from '../../invalid-input.ts'
import { CHANGES, defineOperation } from '../../operation.ts'
import { findPartner } from '../../partners/store.ts'
import { deployingAs, getInstance } from '../store.ts'
import { changeAgent } from './change.ts'
import { finishRollout, newestRollout, type RolloutRow, rolloutProgress } from './rollouts.ts'
import { readSettings } from './store.ts'

/** Nobody gets further through the agent than its own scopes. */
export const memoryScopesOf = (scopes: ReadonlySet<AnyScope>): Scope[] =>
  CUSTOMER_SCOPES.filter((scope) => scopes.has(scope))

export const configureAgent = defineOperation({
  name: 'instance_configure',
  title: 'Change a deployed agent',
  summary:
    'Changes the name, instructions, model or release of a deployed agent, and makes it new keys; without any of them just that. Its conversation goes on. Follow it with instance_deploy_status.',
  scope: 'instances:write',
  channels: ['rest', 'console', 'operator'],
  http: { method: 'patch', path: '/instances/{instanceId}/cli-agent', group: 'Instances', status: 202 },
  input: ConfigureAgent,
  output: DeployStarted,
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  errors: ['models_missing', 'deploy_in_progress', 'agent_not_deployed'],
  async write(tx, ctx, { partnerId, scopes }, { instanceId, businessName, ...changes }) {
    const instance = await getInstance(tx, partnerId, instanceId)
    const { title, installCommand } = APPS[appOf(instance.status)]
    if (changes.release !== undefined && installCommand !== undefined)
      throw invalidField('release', `is nothing to choose for ${title}: its program comes with this service`)
    await requireModels(tx, partnerId, changes.model)
    const change = { businessName, changes, memoryScopes: memoryScopesOf(scopes) }
    const deployId = await changeAgent(tx, ctx.deploys, instance, change)
    const unset = { instructions: '', model: AUTO }
    const known = { businessName: instance.agentName, ...unset, ...readSettings(instance) }
    // A form sends all of them. The same release is installed again.
    const before: Record<string, unknown> = { ...known, release: null }
    const fields = Object.entries({ businessName, ...changes }).flatMap(([field, value]) =>
      value === undefined || value === before[field] ? [] : [field]
    )
    await ctx.audit(tx, { targetType: 'instance', targetId: instanceId, fields })
    return {
      message: `The change of the agent on ${instance.name} has begun.`,
      data: { deployId, status: deployingAs(instance) }
    }
  }
})

/** @throws ServiceError `models_missing`, `invalid_input` for a model that the partner doesn't have */
export async function requireModels(db: ReadHandle, partnerId: string, wanted?: string): Promise<void> {
  const models = (await findPartner(db, partnerId))?.models ?? []
  if (models.length === 0) throw new ServiceError('models_missing')
  if (wanted === undefined || wanted === AUTO || models.includes(wanted)) return
  const text = `model is none of the partner’s. Choose one of these: ${[AUTO, ...models].join(', ')}.`
  throw new ServiceError('invalid_input', text, { field: 'model' })
}

export const startRollout = defineOperation({
  name: 'rollout_start',
  title: 'Change all deployed agents',
  summary:
    'Changes instructions, model or release of all deployed agents, three at a time, and makes each new keys; without any of them just that. It stops after three that did not get through.',
  scope: 'instances:write',
  channels: ['rest', 'console', 'operator'],
  http: { method: 'post', path: '/rollouts', group: 'Instances', status: 202 },
  input: StartRollout,
  output: RolloutStarted,
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  errors: ['models_missing', 'deploy_in_progress', 'agent_not_deployed'],
  async write(tx, ctx, { partnerId, scopes }, changes) {
    await requireModels(tx, partnerId, changes.model)
    const former = await newestRollout(tx, partnerId)
    if (former?.finishedAt === null)
      throw new ServiceError(
        'deploy_in_progress',
        'A change of all agents is under way. Wait for its end, or cancel it.'
      )
    const row: RolloutRow = {
      id: newId('rol'),
      partnerId,
      changes: JSON.stringify(changes),
      memoryScopes: JSON.stringify(memoryScopesOf(scopes)),
      state: 'running',
      createdAt: now(),
      finishedAt: null
    }
    const data = await rolloutProgress(tx, row)
    if (data.waiting === 0) throw new ServiceError('agent_not_deployed', 'There is no agent that works.')
    await tx.insertInto('rollout').values(row).execute()
    await ctx.audit(tx, { targetType: 'partner', targetId: partnerId, fields: Object.keys(changes) })
    return { message: `The change of ${data.waiting} agents has begun, three at a time.`, data }
  }
})

export const getRollout = defineOperation({
  name: 'rollout_get',
  title: 'Follow a change of all agents',
  summary: 'Returns how far the newest change of all agents is, and which ones did not get through.',
  scope: 'instances:read',
  channels: ['rest', 'console', 'operator'],
  http: { method: 'get', path: '/rollouts/newest', group: 'Instances' },
  output: RolloutResult,
  async handle({ db }, { partnerId }) {
    const row = await newestRollout(db, partnerId)
    return { data: row ? await rolloutProgress(db, row) : null }
  }
})

export const cancelRollout = defineOperation({
  name: 'rollout_cancel',
  title: 'Cancel a change of all agents',
  summary: 'Begins with no further agent; those that are being changed are brought to their end.',
  scope: 'instances:write',
  channels: ['rest', 'console', 'operator'],
  http: { method: 'delete', path: '/rollouts/newest', group: 'Instances' },
  output: RolloutResult,
  annotations: CHANGES,
  async write(tx, ctx, { partnerId }) {
    const row = await newestRollout(tx, partnerId)
    if (row) {
      await finishRollout(tx, row, 'cancelled')
      await ctx.audit(tx, { targetType: 'partner', targetId: partnerId })
    }
    const after = await newestRollout(tx, partnerId)
    return { data: after ? await rolloutProgress(tx, after) : null }
  }
})

export const configureOperations = [configureAgent, startRollout, getRollout, cancelRollout]
