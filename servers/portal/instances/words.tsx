import type { Child, FC } from 'hono/jsx'
import { type InstanceStatus, isDeployed, isDeploying } from '../../../schemas/app.ts'
import type { Rollout } from '../../../schemas/deploy.ts'
import type { InstanceListItem } from '../../../schemas/instance.ts'
import { fromNow, HOUR_MS } from '../../../src/clock.ts'
import { pathTo } from '../settings/address.ts'
import { type State, StateBadge, Time } from '../ui/values.tsx'

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

export const NO_ANSWER: State = { tone: 'bad', label: 'Doesn’t answer' }
export const DEPLOY_FAILED: State = { tone: 'bad', label: 'Deploy failed' }

const STATES: Readonly<Record<ReturnType<typeof standingOf>, State>> = {
  registered: { tone: 'neutral', label: 'Nothing deployed' },
  deploying: { tone: 'warn', label: 'Deploying' },
  deployed: { tone: 'good', label: 'Answers' },
  failed: DEPLOY_FAILED
}

/** How a server is, since when and why, in the same words wherever it is shown. */
export const InstanceState: FC<Told> = (instance) => (
  <div>
    <StateBadge {...stateOf(instance)} />
    {instance.checkTrouble ? <p class="help">{instance.checkTrouble}</p> : null}
    {instance.failedAt ? (
      <p class="help">
        The last deploy failed{instance.failedStep && ` at “${instance.failedStep}”`},{' '}
        <Time iso={instance.failedAt} />.
      </p>
    ) : null}
  </div>
)

type Told = Omit<InstanceListItem, 'customerName'>

function stateOf({ status, checkedAt, checkTrouble, unreachableSince }: Told): State & { about?: Child } {
  const standing = standingOf(status)
  const checked = <Time iso={checkedAt} />
  if (standing !== 'deployed') return STATES[standing]
  if (unreachableSince !== null)
    return { ...NO_ANSWER, about: ['stopped ', <Time iso={unreachableSince} />, ', tried ', checked] }
  if (checkedAt === null) return { tone: 'neutral', label: 'Not checked yet' }
  if (checkTrouble !== null) return { tone: 'warn', label: 'Didn’t answer', about: ['tried once, ', checked] }
  // Several looks would have been due since.
  const isOld = checkedAt < fromNow(-HOUR_MS)
  if (isOld) return { tone: 'warn', label: 'Not checked lately', about: ['answered ', checked] }
  return { ...STATES.deployed, about: ['checked ', checked] }
}

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
