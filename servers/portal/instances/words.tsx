import type { FC } from 'hono/jsx'
import { type InstanceStatus, isDeployed, isDeploying } from '../../../schemas/app.ts'
import type { Rollout } from '../../../schemas/deploy.ts'
import type { Instance } from '../../../schemas/instance.ts'
import { pathTo } from '../settings/address.ts'
import { type State, StateBadge } from '../ui/values.tsx'

/** One server's page, or what is below it: `instancePath(id, 'test')`. */
export const instancePath = (...segments: string[]): string => pathTo('instances', ...segments)
export const INSTANCES = instancePath()

export const deployPath = (instanceId: string, deployId: string, ...below: string[]): string =>
  instancePath(instanceId, 'deploys', deployId, ...below)

/** Of all of the partner's agents. */
export const ROLLOUT = instancePath('all')

export const ABOVE = [{ href: INSTANCES, label: 'Servers' }]

/** The statuses of every app alike. */
export const standingOf = (status: InstanceStatus) => {
  if (status === 'registered') return status
  if (isDeploying(status)) return 'deploying'
  return isDeployed(status) ? 'deployed' : 'failed'
}

const STATES: Readonly<Record<ReturnType<typeof standingOf>, State>> = {
  registered: { tone: 'neutral', label: 'No agent yet' },
  deploying: { tone: 'warn', label: 'Deploying' },
  deployed: { tone: 'good', label: 'Agent ready' },
  failed: { tone: 'bad', label: 'Deploy failed' }
}

export const NO_ANSWER: State = { tone: 'bad', label: 'No answer' }

export const InstanceState: FC<Pick<Instance, 'status' | 'unreachableSince'>> = (shown) => (
  <StateBadge {...(shown.unreachableSince === null ? STATES[standingOf(shown.status)] : NO_ANSWER)} />
)

/** `vps1.example.com`, with the port where it isn't the usual one. */
export function placeOf({ host, port }: { host: string; port: number }): string {
  if (port === 22) return host
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

export const ROLLOUT_STATES: Readonly<Record<Rollout['state'], State>> = {
  running: { tone: 'warn', label: 'Under way' },
  done: { tone: 'good', label: 'Done' },
  stopped: { tone: 'bad', label: 'Stopped' },
  cancelled: { tone: 'neutral', label: 'Cancelled' }
}
