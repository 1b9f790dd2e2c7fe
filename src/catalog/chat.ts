// One message to the agent: the scripts that begin, follow and stop its run on the server, and what their outcome means
// (§4C, §7). A run outlives the connection that began it.
import { stripVTControlCharacters } from 'node:util'
import type { ChatFile } from '../../schemas/chat.ts'
import { cleanFileName } from '../instances/chat/file-name.ts'
import { type ChatResult, failed, type NotAnswered } from '../instances/chat/result.ts'
import type { AppPaths } from './paths.ts'
import { assignments, environment, script, withoutSecrets } from './shell.ts'

/** With less time than this left a reply can't be hoped for, and the agent isn't started. */
export const LEAST_RUN_MS = 5_000

/** What a run writes at most of each output, and what the scripts around it add. */
export const MAX_RUN_BYTES = 1_100_000

export interface Place {
  /** The instance whose agent it must be. */
  instance: string
  /** Whether the server must say so; else one that says nothing will do. */
  isNamed?: boolean
}

interface RunName extends Place {
  /** Name of the run, safe in a path. */
  run: string
}

interface NewRun extends RunName {
  timeoutMs: number
  leastMs?: number
  limitMs: number
  thread: string
  session?: string
}

const CANNOT_BEGIN = 70
export const NOT_READY = 75
const NEVER_STARTED = 76
const EMPTY = 77
const TOO_LONG = 78
const AT_WORK = 79
const GONE = 80
export const NEVER_BEGUN = 81
const TIMED_OUT = 124
const NO_PROGRAM = 127
/** 128 + SIGTERM. */
const STOPPED = 143

/**
 * Gives the message on its standard input to the agent, going on with one conversation by its id, whatever else runs on
 * that server, and follows the run.
 * @param options.thread name of the conversation, safe in a path; the server keeps there what the agent calls its session
 * @param options.session what the agent last called it, for a server that doesn't know (any more)
 * @param options.timeoutMs how long to wait and to follow; the wait for another run is part of it
 * @param options.limitMs after so long the agent is ended
 */
export function chatScript(
  paths: AppPaths,
  { timeoutMs, leastMs = LEAST_RUN_MS, limitMs, thread, session = '', ...name }: NewRun
): string {
  const values = assignments({
    timeout_cs: hundredths(timeoutMs),
    least_cs: hundredths(leastMs),
    limit: String(limitMs / 1_000),
    thread: `${paths.threadDir}/${thread}`,
    session,
    files_out: `${paths.filesOutDir}/${name.run}`,
    runner: script('owner', 'chat-run')
  })
  return values + following(paths, name) + script('chat')
}

/** What the agent reads of a message: where the files are that came with it, and where those for the person go. */
export function toldWithFiles(
  { app, filesInDir, filesOutDir }: AppPaths,
  run: string,
  message: string,
  files: readonly ChatFile[]
): string {
  if (!app.hasHands) return message
  const came = files.map(({ id, name }) => `${filesInDir}/${id}/${name}`).join(', ')
  const told = came === '' ? '' : `Files that came with this message: ${came}. `
  return `${message}\n\n[${told}Files for the person you talk with go into ${filesOutDir}/${run}/]`
}

/** Follows a run that was begun before. @param options.offset bytes of its output that are known */
export function followScript(
  paths: AppPaths,
  { offset, timeoutMs, ...name }: RunName & { offset: number; timeoutMs: number }
): string {
  const ends = `now_cs\ndeadline=$((now + ${hundredths(timeoutMs)}))\nfollow\n`
  return following(paths, { ...name, offset, interval: '0.5' }) + ends
}

/** Ends a run on the server, and what it started. */
export const stopScript = (paths: AppPaths, name: RunName): string =>
  following(paths, name) + script('chat-stop')

const following = (
  paths: AppPaths,
  { instance, isNamed, run, offset = 0, interval = '0.25' }: RunName & { offset?: number; interval?: string }
): string =>
  assignments({
    instance,
    is_named: isNamed ? '1' : '',
    run: `${paths.runDir}/${run}`,
    offset: String(offset),
    interval
  }) +
  environment(paths) +
  script('owner', 'chat-follow')

interface NewFile extends Place {
  folder: string
  size: number
  /** Ids of files that nobody wants any more. */
  dropped: readonly string[]
}

/** Makes the folder for a file, and room for it. Exit code `NOT_READY` where the agent isn't. */
export const filesInScript = (paths: AppPaths, { folder, size, dropped, ...place }: NewFile): string =>
  assignments({ folder, size: String(size), dropped: dropped.join(' ') }) +
  following(paths, { ...place, run: 'none' }) +
  script('files-in')

/** A piece of what a run left for the person. @param file.path below `filesOutDir` */
export const filesOutScript = (
  paths: AppPaths,
  { path, offset, most, ...place }: Place & { path: string; offset: number; most: number }
): string =>
  following(paths, { ...place, run: 'none', offset }) +
  assignments({ file: `${paths.filesOutDir}/${path}`, most: String(most) }) +
  script('files-out')

const hundredths = (ms: number): string => String(Math.max(1, Math.floor(ms / 10)))

/** Looks for the completion marker (§3), of this instance. Read its exit code with `readReadiness`. */
export const readyScript = (paths: AppPaths, place: Place): string =>
  `${following(paths, { ...place, run: 'none' })}is_ready || exit ${NOT_READY}\n`

/** Whether the agent is ready; `undefined` where the server runs no commands. */
export const readReadiness = (exitCode: number): boolean | undefined =>
  exitCode === 0 || (exitCode === NOT_READY ? false : undefined)

/** How a run stands: at work still, never begun, how it ended, or nobody knows, since the look itself failed. */
export type RunState = ChatResult | 'at-work' | 'never-begun' | 'odd'

/** @param ended.stdout all that the agent has written since it began */
export function readChatOutcome(
  ended: Record<'stdout' | 'stderr', Uint8Array> & { exitCode: number },
  model: string
): RunState {
  const [notes = ''] = /^(?:(?:tool|file) .*\n)*/.exec(decode(ended.stderr)) ?? []
  const stderr = decode(ended.stderr).slice(notes.length)
  switch (ended.exitCode) {
    case 0:
      return outcomeOf(decode(ended.stdout), stderr, model, filesIn(notes))
    case NOT_READY:
      return failed('agent_not_ready')
    case NEVER_STARTED:
      return failed('agent_timeout')
    case AT_WORK:
      return 'at-work'
    case NEVER_BEGUN:
      return 'never-begun'
    case GONE:
      return trouble(decode(ended.stdout), stderr, 'agent_crashed')
    case CANNOT_BEGIN:
    case EMPTY:
      return trouble('', stderr)
    default:
      return 'odd'
  }
}

function outcomeOf(stdout: string, stderr: string, model: string, files: ChatFile[]): ChatResult {
  const [, code = '', words = ''] = /^ended (\d+)\n([\s\S]*)/m.exec(stderr) ?? []
  switch (Number(code)) {
    case 0: {
      const reply = replyOf(stdout)
      if (code === '' || reply === '') return trouble(stdout, words)
      const sessionId = sessionIdOf(words)
      return {
        state: 'answered',
        reply,
        sessionId,
        model,
        hasStarted: true,
        ...(files.length > 0 ? { files } : {})
      }
    }
    case TIMED_OUT:
    case STOPPED:
      return failed('agent_timeout', true)
    case TOO_LONG:
      return trouble('', words)
    case NO_PROGRAM:
      return trouble(stdout, words, 'agent_missing')
    default:
      return trouble(stdout, words, Number(code) > 128 ? 'agent_crashed' : undefined)
  }
}

const MAX_FILES = 10
/** In bytes. */
const MAX_FILE_SIZE = 25_000_000

/** What it left for the person, as far as the server may be believed. */
function filesIn(notes: string): ChatFile[] {
  const told = [...notes.matchAll(/^file (\d{1,8}) (.{1,1000})$/gm)].slice(0, MAX_FILES)
  return told
    .map(([, size, name = ''], place) => ({
      direction: 'out' as const,
      id: String(place + 1),
      name: cleanFileName(name),
      size: Number(size)
    }))
    .filter(({ size }) => size <= MAX_FILE_SIZE)
}

/** Lines about the session, and about questions that nobody answered, can lead the reply; they aren't part of it. */
const NOTICE =
  /^(?:\s*(?:Session .* was compressed into |↻ Resumed session |⏱ Timeout — denying command|\(clarify timed out).*\n?)+/

/** The reply, or what there is of it so far. */
export const replyOf = (stdout: string): string =>
  stdout
    // The one character that PostgreSQL can't keep.
    .replaceAll('\0', '')
    .replace(NOTICE, '')
    .replace(/^(?:[ \t\r]*\n)+/, '')
    .trimEnd()

/** What the agent last called its session; '' where it doesn't say. */
function sessionIdOf(stderr: string): string {
  const last = [...stderr.matchAll(/^session_id:[ \t]*([\w.:-]{1,200})[ \t\r]*$/gm)].at(-1)
  return last?.[1] ?? ''
}

type Reason = NonNullable<NotAnswered['reason']>

/** What the words of a failed run mean, the surest sign first: a full disk makes databases and models fail, too. */
const SIGNS: readonly [Reason, RegExp][] = [
  ['disk_full', /No space left on device|\[Errno 28\]|Disk quota exceeded|database or disk is full/i],
  ['home_read_only', /Read-only file system|\[Errno 30\]|\[Errno 13\]|Permission denied|readonly database/i],
  ['agent_missing', /hermes: (?:command )?not found/],
  ['model_away', /HTTP (?:408|429|5\d\d)|API call failed after|Connection error|ECONNREFUSED/i],
  ['model_refused', /HTTP 4\d\d|Invalid API key|Unauthorized|insufficient (?:quota|credits)/i],
  ['agent_crashed', /^Traceback \(most recent call last\)|Segmentation fault|MemoryError|out of memory/im]
]

const MOST_WORDS = 1_000

/**
 * A run that failed, with the agent's own last words: they are the partner's to read, not the customer's. What it had begun to
 * reply is none of them.
 */
function trouble(stdout: string, stderr: string, otherwise?: Reason): NotAnswered {
  const complaint = stderr.replace(/^session_id:.*$/gm, '')
  const said = `${replyOf(stdout)}\n${complaint}`.slice(-8 * MOST_WORDS)
  const [reason = otherwise] = SIGNS.find(([, sign]) => sign.test(said)) ?? []
  const sign = /^API call failed after.*$/m.exec(stdout)?.[0] ?? ''
  const words = plainWords(`${sign}\n${complaint}`).slice(-MOST_WORDS).trim()
  return { ...failed('agent_error', true), ...(reason ? { reason } : {}), ...(words ? { words } : {}) }
}

const plainWords = (text: string): string =>
  withoutSecrets(stripVTControlCharacters(text.replaceAll('\0', '').slice(-8 * MOST_WORDS)))

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
