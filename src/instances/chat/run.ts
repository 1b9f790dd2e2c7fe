// One message to the agent: one command over SSH, and what came of it (§4C, §7).
import { chatScript, LEAST_RUN_MS, readChatOutcome } from '../../catalog/cli-agent/chat.ts'
import { appPaths } from '../../catalog/cli-agent/paths.ts'
import type { Log } from '../../log.ts'
import type { Secrets } from '../../secrets.ts'
import type { SshConnections } from '../ssh/connections.ts'
import { SshError } from '../ssh/errors.ts'
import type { InstanceRow } from '../store.ts'
import { sshTarget } from '../target.ts'
import { type ChatResult, failed, type NotAnswered } from './result.ts'

export interface RunContext {
  ssh: SshConnections
  secrets: Secrets
  log: Log
}

interface AgentRun {
  message: string
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
  { message, model, deadline, wholeMs, signal }: AgentRun
): Promise<ChatResult> {
  // Where the whole time is set very short, these are parts of it.
  const leastMs = Math.min(LEAST_RUN_MS, wholeMs / 4)
  const wayBackMs = Math.min(WAY_BACK_MS, wholeMs / 12)
  const leftMs = Math.floor(deadline - performance.now())
  const timeoutMs = Math.floor(leftMs - wayBackMs)
  if (timeoutMs < leastMs) return failed('agent_timeout')
  const script = chatScript(appPaths(instance.root), { timeoutMs, leastMs })
  const input = new TextEncoder().encode(message)
  try {
    const ended = await ssh.run(sshTarget(secrets, instance), { script, input, timeoutMs: leftMs, signal })
    const outcome = readChatOutcome(ended)
    switch (outcome.kind) {
      case 'reply':
        return answered(outcome.reply, outcome.sessionId, model)
      case 'not_ready':
        return failed('agent_not_ready')
      case 'timeout':
        return failed('agent_timeout', outcome.hasStarted)
      case 'agent_error':
        return failed('agent_error', true)
    }
  } catch (error) {
    if (!(error instanceof SshError)) throw error
    const hasStarted = !error.hasNotBegun
    // Not for our signal, it is the service that closes.
    if (error.fault === 'cancelled' && signal.aborted) return { state: 'cancelled', hasStarted }
    const code = codeOf(error)
    log.warn('chat over SSH failed', { partnerId: instance.partnerId, instanceId: instance.id, code, error })
    return failed(code, hasStarted)
  }
}

/** NUL is the one character that PostgreSQL can't keep. */
const answered = (reply: string, sessionId: string | null, model: string): ChatResult => {
  const text = reply.replaceAll('\0', '')
  if (text.trim() === '') return failed('agent_error', true)
  return { state: 'answered', reply: text, sessionId: sessionId ?? '', model, hasStarted: true }
}

/** §7: 503 where SSH failed; a command that was under way and didn't end, or didn't stop writing, is the agent's. */
function codeOf({ fault }: SshError): NotAnswered['code'] {
  if (fault === 'command_timeout') return 'agent_timeout'
  return fault === 'output_too_large' ? 'agent_error' : 'ssh_unavailable'
}
