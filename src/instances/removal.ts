// Removing a server: what its agent was let in with ends first, then the records go.
import { isDeploying } from '../../schemas/app.ts'
import { AiGatewayError, type AiKeys } from '../ai-gateway/keys.ts'
import { caring, forgetKeyScript, uninstallScript } from '../catalog/care.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { type AskContext, askServer } from './care.ts'
import { liveKeyAliases, revokeAgentTokens } from './deploy/keys.ts'
import { deleteInstance, getInstance, type InstanceRow, keyOf, pathsOf } from './store.ts'
import { placeOf } from './try-out.ts'

/**
 * Ends the AI keys of the instance's agent. Before the records go: with them the names of the keys would be lost.
 * @throws ServiceError `deploy_in_progress`, and `provider_unavailable` when the AI gateway can't be asked
 */
export async function endKeys(
  { db, aiKeys }: { db: ReadHandle; aiKeys: AiKeys },
  { partnerId, id, status }: InstanceRow
): Promise<void> {
  if (isDeploying(status)) refuseWhileDeploying()
  await revokeKeys(aiKeys, await liveKeyAliases(db, partnerId, id))
}

/** @throws ServiceError `provider_unavailable` when the AI gateway can't be asked */
export async function revokeKeys(aiKeys: AiKeys, aliases: Iterable<string>): Promise<void> {
  try {
    for (const alias of aliases) await aiKeys.revoke(alias)
  } catch (error) {
    if (!(error instanceof AiGatewayError)) throw error
    const text =
      'The AI gateway could not be asked to end an agent’s key, so the records were kept. Try again later.'
    throw new ServiceError('provider_unavailable', text, { cause: error })
  }
}

/** Deleting what an agent has gathered takes longer than other scripts. */
export const UNINSTALL_MS = 60_000

/**
 * Takes the agent off its server, and its keys with it. Only a server that can be asked loses any.
 * @throws ServiceError `instance_unreachable`, and what `endKeys` throws
 */
export async function uninstall(
  ctx: AskContext & { db: ReadHandle; aiKeys: AiKeys },
  instance: InstanceRow,
  how: 'keep' | 'wipe'
): Promise<void> {
  const paths = pathsOf(instance)
  const place = placeOf(instance)
  try {
    await askServer(ctx, instance, caring(paths, place))
    await endKeys(ctx, instance)
    // All that took its time: a deploy that has begun meanwhile would lose what it has put there.
    const { status, customerId: customer } = await getInstance(ctx.db, instance.partnerId, instance.id)
    if (isDeploying(status)) refuseWhileDeploying()
    await askServer(ctx, instance, uninstallScript(paths, place, { how, customer }), UNINSTALL_MS)
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'instance_unreachable')) throw error
    const text = `${error.message} It was not removed. To remove it here alone, take onServer leave.`
    throw new ServiceError('instance_unreachable', text, { cause: error })
  }
}

/** The last word with a server that is removed; without us its line lets nobody in. */
export async function forgetKey(
  ctx: AskContext,
  instance: InstanceRow,
  key = keyOf(instance)
): Promise<void> {
  await Promise.allSettled([askServer(ctx, instance, forgetKeyScript(pathsOf(instance), key))])
}

/** Its deploys and its chat go, too. @throws ServiceError `deploy_in_progress`, `instance_not_found` to who is second */
export async function forgetInstance(tx: WriteHandle, instance: InstanceRow): Promise<void> {
  const { partnerId, id } = instance
  await revokeAgentTokens(tx, instance)
  if (await deleteInstance(tx, partnerId, id)) return
  await getInstance(tx, partnerId, id)
  refuseWhileDeploying()
}

function refuseWhileDeploying(): never {
  const text = 'A deploy is under way on this server. Wait for its end, then remove it.'
  throw new ServiceError('deploy_in_progress', text)
}
