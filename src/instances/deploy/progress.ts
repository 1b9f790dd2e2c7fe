// A deploy as its partner sees it.
import type { Deploy, DeployProgress } from '../../../schemas/deploy.ts'
import type { InstanceRow } from '../store.ts'
import { readSteps } from './steps.ts'
import type { DeployRow } from './store.ts'

/** How far the instance's newest deploy is. */
export const progressOf = (instance: InstanceRow, deploy: DeployRow | undefined): DeployProgress =>
  deploy
    ? deployOf(instance, deploy)
    : { status: instance.status, deployId: null, state: 'none', message: '', steps: [], log: '' }

/** One deploy with everything that its page shows. */
export const deployOf = ({ status }: InstanceRow, deploy: DeployRow): Deploy => ({
  status,
  deployId: deploy.id,
  state: stateOf(deploy),
  message: deploy.message,
  steps: readSteps(deploy.steps),
  log: deploy.log,
  businessName: deploy.businessName,
  isReinstall: deploy.isReinstall === 1,
  startedAt: deploy.createdAt,
  finishedAt: deploy.finishedAt
})

const stateOf = ({ phase }: DeployRow): DeployProgress['state'] =>
  phase === 'succeeded' || phase === 'failed' ? phase : 'running'
