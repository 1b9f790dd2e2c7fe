// One message to the agent: the script that runs it there, and what its outcome means (§4C, §7).
import type { AppPaths } from './paths.ts'
import { assignments, environment, script, shellQuote, withoutSecrets } from './shell.ts'

export type ChatOutcome =
  | { kind: 'reply'; reply: string; sessionId: string | null }
  | { kind: 'not_ready' }
  /** `hasStarted` false: the agent surely never saw the message, so it is safe to send it again. */
  | { kind: 'timeout'; hasStarted: boolean }
  /** `detail` is for the log: the agent's last words, without keys. */
  | { kind: 'agent_error'; detail: string }

/** With less time than this left a reply can't be hoped for, and the agent isn't started. */
export const LEAST_RUN_MS = 5_000

const NOT_READY = 75
const NEVER_STARTED = 76
const EMPTY_MESSAGE = 77
const TOO_LONG = 78
const TIMED_OUT = 124
/** 128 + SIGTERM: the script itself was told to stop. */
const STOPPED = 143

/**
 * Gives the message on its standard input to the agent, continuing its one conversation, and prints the reply.
 * @param options.timeoutMs from its start to the end of the agent, waiting for another run included
 */
export function chatScript(
  paths: AppPaths,
  { timeoutMs, leastMs = LEAST_RUN_MS }: { timeoutMs: number; leastMs?: number }
): string {
  const limits = { timeout_cs: hundredths(timeoutMs), least_cs: hundredths(leastMs) }
  return assignments(limits) + environment(paths) + script('chat')
}

const hundredths = (ms: number): string => String(Math.max(1, Math.floor(ms / 10)))

/** Looks for the completion marker (§3). Read its exit code with `readReadiness`. */
export const readyScript = (paths: AppPaths): string =>
  `[ -f ${shellQuote(paths.marker)} ] || exit ${NOT_READY}\n`

/** Whether the agent is ready; `undefined` where the server runs no commands. */
export const readReadiness = (exitCode: number): boolean | undefined =>
  exitCode === 0 || (exitCode === NOT_READY ? false : undefined)

export function readChatOutcome(
  ended: Record<'stdout' | 'stderr', Uint8Array> & { exitCode: number }
): ChatOutcome {
  const [stdout, stderr] = [decode(ended.stdout), decode(ended.stderr)]
  switch (ended.exitCode) {
    case 0:
      return replyOf(stdout, stderr)
    case NOT_READY:
      return { kind: 'not_ready' }
    case NEVER_STARTED:
      return { kind: 'timeout', hasStarted: false }
    case TIMED_OUT:
    case STOPPED:
      return { kind: 'timeout', hasStarted: true }
    case EMPTY_MESSAGE:
      return { kind: 'agent_error', detail: 'The message was empty.' }
    case TOO_LONG:
      return { kind: 'agent_error', detail: 'The reply was longer than 1 MB.' }
    default:
      return { kind: 'agent_error', detail: lastWords(stdout, stderr, ended.exitCode) }
  }
}

/** Lines about the session that can lead the reply; they aren't part of it. */
const NOTICE = /^(?:\s*(?:Session .* was compressed into |↻ Resumed session ).*\n?)+/

function replyOf(stdout: string, stderr: string): ChatOutcome {
  const reply = stdout
    .replace(NOTICE, '')
    .replace(/^(?:[ \t\r]*\n)+/, '')
    .trimEnd()
  if (reply === '') return { kind: 'agent_error', detail: `The reply was empty. ${lastLine(stderr)}`.trim() }
  return { kind: 'reply', reply, sessionId: sessionIdOf(stderr) }
}

function sessionIdOf(stderr: string): string | null {
  const last = [...stderr.matchAll(/^session_id:[ \t]*([\w.:-]{1,200})[ \t\r]*$/gm)].at(-1)
  return last?.[1] ?? null
}

function lastWords(stdout: string, stderr: string, exitCode: number): string {
  const code = /^exit_code: (\d+)$/m.exec(stderr)?.[1] ?? exitCode
  return `The agent ended with ${code}. ${lastLine(stderr) || lastLine(stdout)}`.trim()
}

function lastLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  const line = lines.findLast(
    (candidate) => candidate !== '' && !/^(?:session_id|exit_code):/.test(candidate)
  )
  return withoutSecrets((line ?? '').slice(0, 2_000)).slice(0, 300)
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
