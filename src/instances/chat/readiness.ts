// Whether the agent on an instance can be asked: the completion marker is there, and we can look.
import { readyScript } from '../../catalog/cli-agent/chat.ts'
import { appPaths } from '../../catalog/cli-agent/paths.ts'
import { SshError } from '../ssh/errors.ts'
import type { InstanceRow } from '../store.ts'
import { sshTarget } from '../target.ts'
import type { NotAnswered } from './result.ts'
import type { RunContext } from './run.ts'

/** One check at a time for each instance, however many ask. */
export type ReadinessCheck = (instance: InstanceRow) => Promise<NotAnswered | undefined>

const CHECK_WITHIN_MS = 15_000
const READY = 0
/** The script's own code (sysexits' “temporary failure”) for a marker that isn't there yet. */
const NOT_READY = 75

/** Looks for the marker over SSH; answers why the agent can't be asked, or nothing when it can. */
export function createReadinessCheck({ ssh, secrets, log }: RunContext): ReadinessCheck {
  const underWay = new Map<string, Promise<NotAnswered | undefined>>()

  return (instance) => {
    const check = underWay.get(instance.id) ?? look(instance).finally(() => underWay.delete(instance.id))
    underWay.set(instance.id, check)
    return check
  }

  async function look(instance: InstanceRow): Promise<NotAnswered | undefined> {
    const script = readyScript(appPaths(instance.root))
    try {
      const { exitCode } = await ssh.run(sshTarget(secrets, instance), { script, timeoutMs: CHECK_WITHIN_MS })
      if (exitCode === READY) return undefined
      return {
        state: 'failed',
        code: exitCode === NOT_READY ? 'agent_not_ready' : 'agent_error',
        hasStarted: false
      }
    } catch (error) {
      if (!(error instanceof SshError)) throw error
      log.warn('chat over SSH failed', {
        partnerId: instance.partnerId,
        instanceId: instance.id,
        code: 'ssh_unavailable',
        error
      })
      return { state: 'failed', code: 'ssh_unavailable', hasStarted: false }
    }
  }
}
