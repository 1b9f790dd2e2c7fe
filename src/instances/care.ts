// What whoever runs agents asks of a server: each is one script over SSH, and changes nothing here.
import { isDeploying } from '../../schemas/app.ts'
import {
  AgentHealthResult,
  AgentLogs,
  AgentLogsPath,
  AgentRestarted,
  InstancePath
} from '../../schemas/instance.ts'
import {
  healthScript,
  logsScript,
  OTHERS,
  readHealth,
  readLogs,
  readRestart,
  restartScript
} from '../catalog/care.ts'
import { now } from '../clock.ts'
import { LONGEST_CONNECT_MS } from '../config.ts'
import { ServiceError } from '../errors.ts'
import { type AnyOperation, CHANGES, defineOperation, type ExternalContext, READS } from '../operation.ts'
import { lineOf, plainText } from './deploy/progress.ts'
import { SshError } from './ssh/errors.ts'
import { getInstance, type InstanceRow, pathsOf, sshTarget } from './store.ts'
import { placeOf } from './try-out.ts'

/** For a script, beside the connection. */
const SCRIPT_MS = 20_000
/** For one script on a server, the connection included. */
export const SERVER_DEADLINE_MS = LONGEST_CONNECT_MS + 2 * SCRIPT_MS

/** What is asked of one script there. */
const ASKS = {
  scope: 'instances:read',
  channels: ['rest', 'mcp', 'console', 'operator'],
  annotations: { ...READS, openWorld: true },
  errors: ['instance_unreachable']
} as const

export const getAgentLogs = defineOperation({
  ...ASKS,
  name: 'instance_logs',
  title: 'Read an agent’s log',
  summary: 'Returns the end of an agent’s log.',
  http: { method: 'get', path: '/instances/{instanceId}/cli-agent/logs', group: 'Instances' },
  input: AgentLogsPath,
  output: AgentLogs,
  deadlineMs: SERVER_DEADLINE_MS,
  async handle(ctx, { partnerId }, { instanceId, lines }) {
    const instance = await getInstance(ctx.db, partnerId, instanceId)
    const script = logsScript(pathsOf(instance), placeOf(instance), lines)
    return { data: { log: plainText(readLogs(await askServer(ctx, instance, script))) } }
  }
})

export const getAgentHealth = defineOperation({
  ...ASKS,
  name: 'instance_health',
  title: 'Check a server',
  summary: 'Returns an agent’s version, and disk, load and memory of its server.',
  http: { method: 'get', path: '/instances/{instanceId}/cli-agent/health', group: 'Instances' },
  input: InstancePath,
  output: AgentHealthResult,
  deadlineMs: SERVER_DEADLINE_MS,
  async handle(ctx, { partnerId }, { instanceId }) {
    const instance = await getInstance(ctx.db, partnerId, instanceId)
    const told = await askServer(ctx, instance, healthScript(pathsOf(instance), placeOf(instance)))
    return { data: { ...readHealth(told), checkedAt: now() } }
  }
})

export const restartAgent = defineOperation({
  ...ASKS,
  name: 'instance_restart',
  title: 'Restart an agent',
  summary: 'Ends what an agent works on and restarts its service.',
  scope: 'instances:write',
  http: { method: 'post', path: '/instances/{instanceId}/cli-agent/restart', group: 'Instances' },
  input: InstancePath,
  output: AgentRestarted,
  annotations: { ...CHANGES, openWorld: true },
  errors: ['deploy_in_progress', 'instance_unreachable'],
  deadlineMs: SERVER_DEADLINE_MS,
  async handle(ctx, { partnerId }, { instanceId }) {
    const instance = await getInstance(ctx.db, partnerId, instanceId)
    // Its script restarts the service, and asks the agent a first question.
    if (isDeploying(instance.status)) throw new ServiceError('deploy_in_progress')
    const data = readRestart(
      await askServer(ctx, instance, restartScript(pathsOf(instance), placeOf(instance)))
    )
    return ctx.transaction(async (tx) => {
      await ctx.audit(tx, { targetType: 'instance', targetId: instanceId })
      return { message: RUNS(data.endedRuns) + GATEWAY_WORDS[data.gateway], data }
    })
  }
})

const RUNS = (ended: number) => (ended === 1 ? '1 run was ended.' : `${ended || 'No'} runs were ended.`)

const GATEWAY_WORDS = {
  none: ' It has no service of its own: each message starts it anew.',
  restarted: ' Its service restarts.',
  failed: ' Its service could not be restarted: that takes root, or sudo without a password.'
}

export type AskContext = Pick<ExternalContext, 'ssh' | 'secrets' | 'config' | 'signal'>

/** What the script printed. @throws ServiceError `instance_unreachable` */
export async function askServer(
  { ssh, secrets, config, signal }: AskContext,
  instance: InstanceRow,
  script: string,
  scriptMs = SCRIPT_MS
): Promise<Uint8Array> {
  const timeoutMs = config.sshConnectTimeoutMs + scriptMs
  const { exitCode, stdout, stderr } = await ssh
    .run(sshTarget(secrets, instance), { script, timeoutMs, signal })
    .catch(refuseUnreachable)
  if (exitCode === 0) return stdout
  const text =
    exitCode === OTHERS
      ? 'What lies at this place on the server is another instance’s.'
      : `The server let us in, but couldn’t do it: ${lineOf(stderr) || `exit code ${exitCode}`}.`
  throw new ServiceError('instance_unreachable', text)
}

/** @throws ServiceError `instance_unreachable` for a fault of SSH's */
export function refuseUnreachable(error: unknown): never {
  if (!(error instanceof SshError)) throw error
  throw new ServiceError('instance_unreachable', error.text, { cause: error })
}

export const careOperations: readonly AnyOperation[] = [getAgentLogs, getAgentHealth, restartAgent]
