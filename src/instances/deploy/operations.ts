import type { z } from 'zod'
import { type AppId, appOf, isDeployed, isDeploying } from '../../../schemas/app.ts'
import {
  DeployInstance,
  DeployProgressResult,
  DeployResult,
  DeployStarted,
  OneDeployPath
} from '../../../schemas/deploy.ts'
import { InstancePath } from '../../../schemas/instance.ts'
import type { App } from '../../catalog/app.ts'
import { APPS } from '../../catalog/apps.ts'
import { ServiceError } from '../../errors.ts'
import { invalidField } from '../../invalid-input.ts'
import { defineOperation } from '../../operation.ts'
import { changeInstanceStatus, deployingAs, getInstance, type InstanceRow } from '../store.ts'
import { configureOperations, memoryScopesOf, requireModels } from './configure.ts'
import { deployOf, progressOf } from './progress.ts'
import { getDeploy, newestDeploy, type Telegram } from './store.ts'

export const deployInstance = defineOperation({
  name: 'instance_deploy',
  title: 'Deploy an agent',
  summary: 'Starts to install an agent; follow it with instance_deploy_status.',
  scope: 'instances:write',
  channels: ['rest', 'mcp', 'console', 'operator'],
  http: { method: 'post', path: '/instances/{instanceId}/cli-agent/deploy', group: 'Instances', status: 202 },
  input: DeployInstance,
  output: DeployStarted,
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  errors: ['models_missing', 'deploy_in_progress', 'reinstall_not_confirmed'],
  async write(tx, ctx, { partnerId, scopes }, input) {
    const { instanceId, businessName } = input
    // The server is the caller's: through it, too, a caller gets no further than its own scopes.
    const memoryScopes = memoryScopesOf(scopes)
    const instance = await getInstance(tx, partnerId, instanceId)
    refuseUnconfirmed(instance, input.confirmReinstall === true)
    const app = appFor(instance, input.app)
    const telegram = telegramOf(input, APPS[app])
    await requireModels(tx, partnerId)
    const status = deployingAs(instance, app)
    // Two at once: the second finds another status than it saw.
    if (!(await changeInstanceStatus(tx, partnerId, instanceId, [instance.status], status)))
      throw new ServiceError('deploy_in_progress')
    const wipesFormer = input.wipeFormer === true
    const deploy = { instance, businessName, telegram, wipesFormer, memoryScopes }
    const { id: deployId } = await ctx.deploys.enqueue(tx, deploy)
    const fields = ['businessName', ...(telegram ? ['telegram'] : [])]
    await ctx.audit(tx, { targetType: 'instance', targetId: instanceId, fields })
    return {
      message: `The deploy on ${instance.name} has begun.${REACH[memoryScopes.length]}`,
      data: { deployId, status }
    }
  }
})

export const getDeployStatus = defineOperation({
  name: 'instance_deploy_status',
  title: 'Follow a deploy',
  summary: 'Returns the steps and the log of a server’s newest deploy.',
  scope: 'instances:read',
  channels: ['rest', 'mcp', 'console', 'operator'],
  http: { method: 'get', path: '/instances/{instanceId}/cli-agent/deploy', group: 'Instances' },
  input: InstancePath,
  output: DeployProgressResult,
  async handle({ db }, { partnerId }, { instanceId }) {
    // In this order: both change in one transaction, and a deploy that is over is never shown beside the status before.
    const deploy = await newestDeploy(db, partnerId, instanceId)
    return { data: progressOf(await getInstance(db, partnerId, instanceId), deploy) }
  }
})

/** The console's page of one deploy stays that deploy's, whatever is deployed later. */
export const getOneDeploy = defineOperation({
  name: 'instance_deploy_get',
  scope: 'instances:read',
  input: OneDeployPath,
  output: DeployResult,
  errors: ['not_found'],
  async handle({ db }, { partnerId }, { instanceId, deployId }) {
    const deploy = await getDeploy(db, partnerId, instanceId, deployId)
    return { data: deployOf(await getInstance(db, partnerId, instanceId), deploy) }
  }
})

const REACH = [
  ' The agent gets no memory tools, because the caller lacks memory:read and memory:write.',
  ' The agent gets as much of the memory as the caller has: one of memory:read and memory:write.',
  ''
] as const

function telegramOf(wanted: z.output<typeof DeployInstance>, { hasHands, title }: App): Telegram | undefined {
  const { telegramBotToken: botToken, telegramChatId: chatId } = wanted
  if (botToken === undefined && chatId === undefined) return undefined
  if (!hasHands)
    throw invalidField(
      'telegramBotToken',
      `and a chat id are nothing that ${title} could use: leave out both`
    )
  if (botToken === undefined) refuseHalf('telegramBotToken', 'a chat id')
  if (chatId === undefined) refuseHalf('telegramChatId', 'a bot token')
  return { botToken, chatId }
}

/** §4C: a chat id is needed with a token; without one it would be good for nothing. */
function refuseHalf(missing: string, given: string): never {
  throw new ServiceError('invalid_input', `${missing} must be given with ${given}.`, { field: missing })
}

/** An instance keeps its app, whatever came of the deploy: what that one left there would be nobody's. */
function appFor({ status, name }: InstanceRow, wanted = appOf(status)): AppId {
  if (status === 'registered' || wanted === appOf(status)) return wanted
  const text = `${name} has the app ${appOf(status)}. To deploy ${wanted} there, remove it with its agent, and register it again.`
  throw new ServiceError('invalid_input', text, { field: 'app' })
}

function refuseUnconfirmed({ status, name }: InstanceRow, isConfirmed: boolean): void {
  if (isDeploying(status)) throw new ServiceError('deploy_in_progress')
  if (!isDeployed(status) || isConfirmed) return
  const text = `The agent on ${name} is running. Confirm that it shall be installed again; its history is kept.`
  throw new ServiceError('reinstall_not_confirmed', text, { field: 'confirmReinstall' })
}

export const deployOperations = [deployInstance, getDeployStatus, getOneDeploy, ...configureOperations]
