// Whether the agent on an instance can be asked: the completion marker is there, and we can look.
import { SshError } from '../ssh/errors.ts'
import type { InstanceRow } from '../store.ts'
import { lookForAgent } from '../try-out.ts'
import { type ChatResult, failed, type NotAnswered } from './result.ts'
import type { RunContext } from './run.ts'

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
