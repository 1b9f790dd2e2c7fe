// One message to the agent: the script that runs it there, and what its outcome means (§4C, §7).
import { type ChatResult, failed } from '../../instances/chat/result.ts'
import type { AppPaths } from './paths.ts'
import { assignments, environment, script, shellQuote } from './shell.ts'

/** With less time than this left a reply can't be hoped for, and the agent isn't started. */
export const LEAST_RUN_MS = 5_000

interface ChatRun {
  timeoutMs: number
  leastMs?: number
  thread: string
  session?: string
}

const NOT_READY = 75
const NEVER_STARTED = 76
const TIMED_OUT = 124
/** 128 + SIGTERM: the script itself was told to stop. */
const STOPPED = 143

/**
 * Gives the message on its standard input to the agent, going on with one conversation by its id, whatever else runs on
 * that server, and prints the reply.
 * @param options.thread name of the conversation, safe in a path; the server keeps there what the agent calls its session
 * @param options.session what the agent last called it, for a server that doesn't know (any more)
 * @param options.timeoutMs from its start to the end of the agent, waiting for another run included
 */
export function chatScript(
  paths: AppPaths,
  { timeoutMs, leastMs = LEAST_RUN_MS, thread, session = '' }: ChatRun
): string {
  const limits = { timeout_cs: hundredths(timeoutMs), least_cs: hundredths(leastMs) }
  const threads = { thread: `${paths.threadDir}/${thread}`, session }
  return assignments({ ...limits, ...threads }) + environment(paths) + script('chat')
}

const hundredths = (ms: number): string => String(Math.max(1, Math.floor(ms / 10)))

/** Looks for the completion marker (§3). Read its exit code with `readReadiness`. */
export const readyScript = (paths: AppPaths): string =>
  `[ -f ${shellQuote(paths.marker)} ] || exit ${NOT_READY}\n`

/** Whether the agent is ready; `undefined` where the server runs no commands. */
export const readReadiness = (exitCode: number): boolean | undefined =>
  exitCode === 0 || (exitCode === NOT_READY ? false : undefined)

export function readChatOutcome(
  ended: Record<'stdout' | 'stderr', Uint8Array> & { exitCode: number },
  model: string
): ChatResult {
  switch (ended.exitCode) {
    case 0:
      return replyOf(decode(ended.stdout), decode(ended.stderr), model)
    case NOT_READY:
      return failed('agent_not_ready')
    case NEVER_STARTED:
      return failed('agent_timeout')
    case TIMED_OUT:
    case STOPPED:
      return failed('agent_timeout', true)
    default:
      return failed('agent_error', true)
  }
}

/** Lines about the session, and about questions that nobody answered, can lead the reply; they aren't part of it. */
const NOTICE =
  /^(?:\s*(?:Session .* was compressed into |↻ Resumed session |⏱ Timeout — denying command|\(clarify timed out).*\n?)+/

function replyOf(stdout: string, stderr: string, model: string): ChatResult {
  const reply = stdout
    // The one character that PostgreSQL can't keep.
    .replaceAll('\0', '')
    .replace(NOTICE, '')
    .replace(/^(?:[ \t\r]*\n)+/, '')
    .trimEnd()
  if (reply === '') return failed('agent_error', true)
  return { state: 'answered', reply, sessionId: sessionIdOf(stderr), model, hasStarted: true }
}

/** What the agent last called its session; '' where it doesn't say. */
function sessionIdOf(stderr: string): string {
  const last = [...stderr.matchAll(/^session_id:[ \t]*([\w.:-]{1,200})[ \t\r]*$/gm)].at(-1)
  return last?.[1] ?? ''
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
