// How a deploy ends: with one key alive, and the instance's status as it truly is.
import { type AppId, appOf, type InstanceStatus, isDeployed } from '../../../schemas/app.ts'
import { AiGatewayError } from '../../ai-gateway/keys.ts'
import { now } from '../../clock.ts'
import type { WriteHandle } from '../../database/database.ts'
import { revokeCustomerToken } from '../../keys/credentials.ts'
import { tally } from '../../tally.ts'
import { tell } from '../../webhooks/events.ts'
import { changeInstanceStatus, deployingAs, findInstance, type InstanceRow } from '../store.ts'
import type { DeployContext, DeployLease } from './context.ts'
import { revokeAgentTokens, revokeFormerKeys } from './keys.ts'
import { cleanUp } from './prepare.ts'
import { readSteps, stepsFailed } from './progress.ts'

/** The agent runs: its key stays, those that it had before go. */
export async function succeed(ctx: DeployContext, lease: DeployLease): Promise<void> {
  const { row } = lease
  await cleanUp(ctx, lease)
  await unlessGatewayIsAway(ctx, () => revokeFormerKeys(ctx.database, ctx.aiKeys, row))
  await lease.change({ phase: 'succeeded', message: '', ...ended() }, async (tx, { tokenId }) => {
    const { partnerId, instanceId, model, settings } = row
    const instance = await findInstance(tx, partnerId, instanceId)
    if (!instance) return
    // Its own question was answered.
    const agent = { agentName: row.businessName, model, settings, checkedAt: now() }
    const app = appOf(instance.status)
    await changeInstanceStatus(tx, partnerId, instanceId, [deployingAs(instance)], app, agent)
    await revokeAgentTokens(tx, instance, tokenId)
    await tellOf(tx, 'deploy.succeeded', instance, row.id)
  })
  tally('mindgate_work_ended_total', ['deploy', 'succeeded'])
}

/** It didn't get through: its key and its token go, and what it left on the server, as far as that can be reached. */
export async function fail(ctx: DeployContext, lease: DeployLease, reason: string): Promise<void> {
  const { row } = lease
  const { keyAlias } = row
  let keyRevokedAt = row.keyRevokedAt
  if (keyAlias !== null && keyRevokedAt === null) {
    await unlessGatewayIsAway(ctx, async () => {
      await ctx.aiKeys.revoke(keyAlias)
      keyRevokedAt = now()
    })
  }
  await cleanUp(ctx, lease)
  const failed = stepsFailed(readSteps(lease.row.steps), reason)
  const steps = JSON.stringify(failed)
  const failedStep = failed.find(({ state }) => state === 'failed')?.title ?? null
  await lease.change(
    { phase: 'failed', message: reason, steps, sealedTelegram: null, keyRevokedAt, ...ended() },
    async (tx, { tokenId }) => {
      const { partnerId, instanceId } = row
      const instance = await findInstance(tx, partnerId, instanceId)
      if (!instance) return
      const status = statusAfter(lease, appOf(instance.status))
      const also = { failedAt: now(), failedStep }
      await changeInstanceStatus(tx, partnerId, instanceId, [deployingAs(instance)], status, also)
      if (tokenId !== null) {
        await revokeCustomerToken(tx, partnerId, instance.customerId, tokenId)
      }
      await tellOf(tx, 'deploy.failed', instance, row.id)
    }
  )
  tally('mindgate_work_ended_total', ['deploy', 'failed'])
}

const tellOf = (
  tx: WriteHandle,
  type: 'deploy.succeeded' | 'deploy.failed',
  { partnerId, customerId, id: instanceId }: InstanceRow,
  deployId: string
): Promise<void> => tell(tx, partnerId, type, { customerId, instanceId, deployId })

/** An agent whose server was never touched works as before. */
const statusAfter = ({ row: { phase, statusBefore } }: DeployLease, app: AppId): InstanceStatus =>
  phase === 'preparing' && isDeployed(statusBefore) ? statusBefore : `failed:${app}`

const ended = () => ({ finishedAt: now(), leaseOwner: null, leaseExpiresAt: null })

/** A key that can't be revoked now is revoked by the sweep; the deploy doesn't wait for it. */
async function unlessGatewayIsAway({ log }: DeployContext, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof AiGatewayError)) throw error
    log.warn('an AI key could not be revoked yet', { error })
  }
}
