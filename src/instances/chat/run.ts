// One message to the agent: one command over SSH, and what came of it (§4C, §7).
import { chatScript, LEAST_RUN_MS, readChatOutcome } from '../../catalog/cli-agent/chat.ts'
import { appPaths } from '../../catalog/cli-agent/paths.ts'
import type { Log } from '../../log.ts'
import type { Secrets } from '../../secrets.ts'
import type { SshConnections } from '../ssh/connections.ts'
import { SshError } from '../ssh/errors.ts'
import { type InstanceRow, sshTarget } from '../store.ts'
import { lookForAgent } from '../try-out.ts'
import { type ChatResult, failed, type NotAnswered } from './result.ts'

export interface RunContext {
  ssh: SshConnections
  secrets: Secrets
  log: Log
}

interface AgentRun {
  message: string
  /** What the agent last called the thread, as far as we know. */
  session: string | null
  model: string
  /** When the answer must be there, by `performance.now()`; the wait for the instance's lock is within it. */
  deadline: number
  wholeMs: number
  signal: AbortSignal
}

const WAY_BACK_MS = 1_000

/** Runs the agent once; whatever goes wrong on the way is a result, too. */
export async function runAgent(
  { ssh, secrets, log }: RunContext,
  instance: InstanceRow,
  { message, session, model, deadline, wholeMs, signal }: AgentRun
): Promise<ChatResult> {
  // Where the whole time is set very short, these are parts of it.
  const leastMs = Math.min(LEAST_RUN_MS, wholeMs / 4)
  const wayBackMs = Math.min(WAY_BACK_MS, wholeMs / 12)
  const leftMs = Math.floor(deadline - performance.now())
  const timeoutMs = Math.floor(leftMs - wayBackMs)
  if (timeoutMs < leastMs) return failed('agent_timeout')
  const script = chatScript(appPaths(instance.root), {
    ...{ timeoutMs, leastMs, thread: instance.id, session: session ?? '' }
  })
  const input = new TextEncoder().encode(message)
  try {
    const ended = await ssh.run(sshTarget(secrets, instance), { script, input, timeoutMs: leftMs, signal })
    return readChatOutcome(ended, model)
  } catch (error) {
    if (!(error instanceof SshError)) throw error
    const hasStarted = !error.hasNotBegun
    // Not for our signal, it is the service that closes.
    if (error.fault === 'cancelled' && signal.aborted) return failed('cancelled', hasStarted)
    const code = codeOf(error)
    log.warn('chat over SSH failed', { partnerId: instance.partnerId, instanceId: instance.id, code, error })
    return failed(code, hasStarted)
  }
}

/** §7: 503 where SSH failed; a command that was under way and didn't end, or didn't stop writing, is the agent's. */
function codeOf({ fault }: SshError): NotAnswered['code'] {
  if (fault === 'command_timeout') return 'agent_timeout'
  return fault === 'output_too_large' ? 'agent_error' : 'ssh_unavailable'
}

const CHECK_WITHIN_MS = 15_000

/** Without a deploy that got through there is no completion marker (§3): a server that is away is not ready, either. */
export async function whereDeployed<Result extends ChatResult | undefined>(
  { status, agentName }: InstanceRow,
  ask: () => Promise<Result>
): Promise<Result | NotAnswered> {
  const result = status === 'registered' ? UNREADY : await ask()
  const isAway = result?.state === 'failed' && result.code === 'ssh_unavailable' && !result.hasStarted
  // The first deploy that gets through names the agent, and later ones keep a name.
  return isAway && status !== 'cli-agent' && agentName === null ? UNREADY : result
}

const UNREADY = failed('agent_not_ready')

/** Why the agent can't be asked, or nothing when it can; one check at a time for each instance, however many ask. */
export function createReadinessCheck({ ssh, secrets, log }: RunContext) {
  const underWay = new Map<string, Promise<NotAnswered | undefined>>()

  return (instance: InstanceRow): Promise<NotAnswered | undefined> => {
    const begin = () => whereDeployed(instance, () => look(instance))
    const check = underWay.get(instance.id) ?? begin().finally(() => underWay.delete(instance.id))
    underWay.set(instance.id, check)
    return check
  }

  async function look(instance: InstanceRow): Promise<NotAnswered | undefined> {
    try {
      const found = await lookForAgent({ ssh, secrets }, instance, { timeoutMs: CHECK_WITHIN_MS })
      if (found === true) return undefined
      return found === false ? UNREADY : failed('agent_error')
    } catch (error) {
      if (!(error instanceof SshError)) throw error
      const { partnerId, id: instanceId } = instance
      log.warn('chat over SSH failed', { partnerId, instanceId, code: 'ssh_unavailable', error })
      return failed('ssh_unavailable')
    }
  }
}
