// What changes an agent that is there: a deploy of a smaller kind.
import type { AgentSettings } from '../../../schemas/agent-settings.ts'
import type { Scope } from '../../../schemas/api-key.ts'
import { appOf, isDeploying } from '../../../schemas/app.ts'
import { AUTO } from '../../ai-gateway/embedded/keys.ts'
import { APPS } from '../../catalog/apps.ts'
import type { WriteHandle } from '../../database/database.ts'
import { ServiceError } from '../../errors.ts'
import { changeInstanceStatus, deployingAs, type InstanceRow } from '../store.ts'
import { type NewDeploy, readSettings } from './store.ts'

/** Writes a deploy in the caller's transaction; it begins after the commit. */
export interface Enqueue {
  enqueue(tx: WriteHandle, deploy: NewDeploy): Promise<{ id: string }>
}

interface Change {
  businessName?: string | undefined
  changes: AgentSettings
  memoryScopes: readonly Scope[]
  rolloutId?: string
}

/**
 * Writes the change in the caller's transaction; it begins after the commit. What isn't sent stays.
 * @throws ServiceError `deploy_in_progress`, `agent_not_deployed`
 */
export async function changeAgent(
  tx: WriteHandle,
  deploys: Enqueue,
  instance: InstanceRow,
  { businessName, changes, ...change }: Change
): Promise<string> {
  const { partnerId, id, status, agentName } = instance
  if (isDeploying(status)) throw new ServiceError('deploy_in_progress')
  if (agentName === null) throw new ServiceError('agent_not_deployed')
  if (!(await changeInstanceStatus(tx, partnerId, id, [status], deployingAs(instance))))
    throw new ServiceError('deploy_in_progress')
  // A change of all agents goes for those of other apps, too.
  const release = APPS[appOf(status)].installCommand === undefined ? changes.release : undefined
  const wanted = withoutAbsent({ ...changes, release })
  const { model, instructions, ...settings } = { ...readSettings(instance), ...wanted }
  const deploy = await deploys.enqueue(tx, {
    ...change,
    instance,
    kind: release === undefined ? 'configure' : 'install',
    businessName: businessName ?? agentName,
    settings: {
      ...settings,
      ...(instructions ? { instructions } : {}),
      ...(model === undefined || model === AUTO ? {} : { model })
    },
    telegram: undefined
  })
  return deploy.id
}

const withoutAbsent = <T extends object>(given: T): Partial<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>
