// What whoever runs agents asks of a server: each is one script over SSH, and changes nothing here.
import { AgentHealthResult, AgentLogs, AgentLogsPath, InstancePath } from '../../schemas/instance.ts'
import { healthScript, logsScript, OTHERS, readHealth, readLogs } from '../catalog/cli-agent/care.ts'
import { appPaths } from '../catalog/cli-agent/paths.ts'
import { now } from '../clock.ts'
import { LONGEST_CONNECT_MS } from '../config.ts'
import { ServiceError } from '../errors.ts'
import { type AnyOperation, defineOperation, type ExternalContext, READS } from '../operation.ts'
import { lineOf, plainText } from './deploy/progress.ts'
import { SSH_FAULTS, SshError } from './ssh/errors.ts'
import { getInstance, type InstanceRow, sshTarget } from './store.ts'

/** For a script, beside the connection. */
const SCRIPT_MS = 20_000
const DEADLINE_MS = LONGEST_CONNECT_MS + 2 * SCRIPT_MS

export const getAgentLogs = defineOperation({
  name: 'instance_logs',
  title: 'Read an agent’s log',
  summary: 'Returns the last lines of what the agent on a server logs itself.',
  scope: 'instances:read',
  channels: ['rest', 'mcp', 'console', 'operator'],
  http: { method: 'get', path: '/instances/{instanceId}/cli-agent/logs', group: 'Instances' },
  input: AgentLogsPath,
  output: AgentLogs,
  annotations: { ...READS, openWorld: true },
  errors: ['instance_not_found', 'instance_unreachable'],
  deadlineMs: DEADLINE_MS,
  async handle(ctx, { partnerId }, { instanceId, lines }) {
    const instance = await getInstance(ctx.db, partnerId, instanceId)
    const script = logsScript(appPaths(instance.root), instanceId, lines)
    return { data: { log: plainText(readLogs(await askServer(ctx, instance, script))) } }
  }
})

export const getAgentHealth = defineOperation({
  name: 'instance_health',
  title: 'Check a server',
  summary: 'Returns the agent’s version and its server’s disk, load and memory.',
  scope: 'instances:read',
  channels: ['rest', 'mcp', 'console', 'operator'],
  http: { method: 'get', path: '/instances/{instanceId}/cli-agent/health', group: 'Instances' },
  input: InstancePath,
  output: AgentHealthResult,
  annotations: { ...READS, openWorld: true },
  errors: ['instance_not_found', 'instance_unreachable'],
  deadlineMs: DEADLINE_MS,
  async handle(ctx, { partnerId }, { instanceId }) {
    const instance = await getInstance(ctx.db, partnerId, instanceId)
    const told = await askServer(ctx, instance, healthScript(appPaths(instance.root), instanceId))
    return { data: { ...readHealth(told), checkedAt: now() } }
  }
})

type AskContext = Pick<ExternalContext, 'ssh' | 'secrets' | 'config' | 'signal'>

/** What the script printed. @throws ServiceError `instance_unreachable` */
async function askServer(
  { ssh, secrets, config, signal }: AskContext,
  instance: InstanceRow,
  script: string
): Promise<Uint8Array> {
  const timeoutMs = config.sshConnectTimeoutMs + SCRIPT_MS
  const { exitCode, stdout, stderr } = await ssh
    .run(sshTarget(secrets, instance), { script, timeoutMs, signal })
    .catch((error: unknown) => {
      if (!(error instanceof SshError)) throw error
      throw new ServiceError('instance_unreachable', SSH_FAULTS[error.fault], { cause: error })
    })
  if (exitCode === 0) return stdout
  const text =
    exitCode === OTHERS
      ? 'Another instance’s agent was put at this place on the server since.'
      : `The server let us in, but couldn’t do it: ${lineOf(stderr) || `exit code ${exitCode}`}.`
  throw new ServiceError('instance_unreachable', text)
}

export const careOperations: readonly AnyOperation[] = [getAgentLogs, getAgentHealth]
