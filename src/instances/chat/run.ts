// One message to the agent: its run on the server, begun, followed and stopped over SSH, and what came of it (§4C, §7).
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeployed } from '../../../schemas/app.ts'
import type { ChatProgress } from '../../../schemas/chat.ts'
import {
  chatScript,
  followScript,
  LEAST_RUN_MS,
  MAX_RUN_BYTES,
  NEVER_BEGUN,
  type RunState,
  readChatOutcome,
  replyOf,
  stopScript,
  toldWithFiles
} from '../../catalog/chat.ts'
import type { Database } from '../../database/database.ts'
import type { Log } from '../../log.ts'
import { backoffMs } from '../../net/backoff.ts'
import type { Secrets } from '../../secrets.ts'
import type { SshConnections, SshRun } from '../ssh/connections.ts'
import { SshError } from '../ssh/errors.ts'
import type { SshOutcome } from '../ssh/session.ts'
import { findInstance, type InstanceRow, pathsOf, sshTarget } from '../store.ts'
import { lookForAgent, placeOf } from '../try-out.ts'
import { type ChatResult, failed, type NotAnswered } from './result.ts'
import { type ExchangeRow, filesOf } from './store.ts'

export interface RunContext {
  ssh: SshConnections
  secrets: Secrets
  log: Log
}

interface Start {
  /** What the agent last called the conversation, as far as we know. */
  session: string | null
  /** Until when to follow it, by `performance.now()`; the wait for the instance's lock is within it. */
  deadline: number
  wholeMs: number
  limitMs: number
}

interface Watch {
  signal: AbortSignal
  /** Hears whether the server can be asked, each time anew. */
  onAway(isAway: boolean): void
  /** What it is called that the agent never began. */
  neverBegun?: NotAnswered['code']
}

/** A script that is cut off with its connection may begin a run in that very moment: it isn't asked for earlier. */
const AWAY = { firstMs: 3_000, longestMs: 8_000 }
const WAY_BACK_MS = 1_000
/** Between two looks at a run that is at work: a server could end each at once. */
const REST_MS = 500
/** Exit codes in a row that no script of ours has: the look was cut off, or the server runs no scripts. */
const MAX_ODD = 3
/** How long one session of SSH follows a run. */
const HOLD_MS = 25_000
const STOP_WITHIN_MS = 8_000

/** `away`: nobody knows, since the server can't be asked right now. */
export type Standing = RunState | 'away'

/** What the run is called on its server. */
export const runOf = ({ id, seq }: ExchangeRow): string => `${id}-${seq}`

/** The run of one message on its server. Each call ends at once when `signal` fires, and leaves the run as it is. */
export function agentRun(
  { ssh, secrets, log, database }: RunContext & { database: Pick<Database, 'read'> },
  instance: InstanceRow,
  exchange: ExchangeRow
) {
  const paths = pathsOf(instance)
  // Begun again it is another run.
  const name = { ...placeOf(instance), run: runOf(exchange) }
  const heard = hearRun()
  const ask = async (run: Pick<SshRun, 'script' | 'input' | 'timeoutMs' | 'signal' | 'listen'>) => {
    // It may have got another key since, or another host key.
    const current = await findInstance(database.read, instance.partnerId, instance.id)
    return ssh.run(sshTarget(secrets, current ?? instance), { ...run, maxOutputBytes: MAX_RUN_BYTES })
  }
  const read = ({ exitCode, stderr }: SshOutcome): RunState =>
    readChatOutcome({ exitCode, stdout: heard.output(), stderr }, exchange.model)
  const refused = (error: unknown): SshError => {
    if (!(error instanceof SshError)) throw error
    const { partnerId, id: instanceId } = instance
    if (error.fault !== 'cancelled')
      log.warn('chat over SSH failed', { partnerId, instanceId, code: error.code, error })
    return error
  }

  /** How it stands: soon where it ends, else after a while. */
  const follow = async (signal: AbortSignal): Promise<Standing> => {
    const { listen, offset } = heard
    const script = followScript(paths, { ...name, offset: offset(), timeoutMs: HOLD_MS })
    try {
      return read(await ask({ script, timeoutMs: HOLD_MS + WAY_BACK_MS * 10, signal, listen }))
    } catch (error) {
      return refused(error) && 'away'
    }
  }

  return {
    /** Begins it and follows it until the deadline. A connection that breaks off after that began is `away`. */
    async begin({ session, deadline, wholeMs, limitMs }: Start, signal: AbortSignal): Promise<Standing> {
      // Where the whole time is set very short, these are parts of it.
      const leastMs = Math.min(LEAST_RUN_MS, wholeMs / 4)
      const wayBackMs = Math.min(WAY_BACK_MS, wholeMs / 12)
      const leftMs = Math.floor(deadline - performance.now())
      const timeoutMs = Math.floor(leftMs - wayBackMs)
      if (timeoutMs < leastMs) return failed('agent_timeout')
      const limits = { timeoutMs, leastMs, limitMs }
      const kept = { thread: exchange.conversationId, session: session ?? '' }
      const script = chatScript(paths, { ...name, ...limits, ...kept })
      const told = toldWithFiles(paths, name.run, exchange.message, filesOf(exchange))
      const input = new TextEncoder().encode(told)
      try {
        return read(await ask({ script, input, timeoutMs: leftMs, signal, listen: heard.listen }))
      } catch (error) {
        return refused(error).hasNotBegun && !signal.aborted ? failed('ssh_unavailable') : 'away'
      }
    },
    /** Asks again and again, through all that may pass by itself. @throws the signal's reason */
    async toItsEnd(
      from: Standing,
      { signal, onAway, neverBegun = 'agent_timeout' }: Watch
    ): Promise<ChatResult> {
      let standing = from
      for (let failures = 0, odd = 0; ; failures = standing === 'away' ? failures + 1 : 0) {
        if (standing === 'never-begun') return failed(neverBegun)
        if (typeof standing === 'object') return standing
        odd = standing === 'odd' ? odd + 1 : 0
        if (odd === MAX_ODD || heard.isFull()) return failed('agent_error', true)
        signal.throwIfAborted()
        onAway(standing === 'away' && failures > 0)
        const restMs = standing === 'at-work' ? REST_MS : backoffMs(AWAY, failures)
        await sleep(restMs, undefined, { signal }).catch(() => signal.throwIfAborted())
        standing = await follow(signal)
      }
    },
    /** Ends it on the server, if that can be reached; whether it surely had not begun. */
    async stop(): Promise<{ hasStarted: boolean }> {
      try {
        const { exitCode } = await ask({ script: stopScript(paths, name), timeoutMs: STOP_WITHIN_MS })
        return { hasStarted: exitCode !== NEVER_BEGUN }
      } catch (error) {
        return { hasStarted: refused(error) !== undefined }
      }
    },
    /** What is known of it so far. */
    progress: heard.progress
  }
}

/** Of a reply under way as much is shown before it is there. */
const MAX_PROGRESS_BYTES = 65_536
const MAX_TOOLS = 50
/** A line that tells a tool is shorter. */
const MAX_LINE = 100

/** What a run tells over all of its looks, whatever a server sends: as much as a run may write, and the last few tools. */
export function hearRun() {
  const pieces: Buffer[] = []
  let size = 0
  let text = ''
  let line = ''
  let tools: string[] = []
  const decoder = new TextDecoder()
  const hearText = (piece: Buffer) => {
    const shown = piece.subarray(0, Math.max(0, MAX_PROGRESS_BYTES - size))
    if (shown.length > 0) text += decoder.decode(shown, { stream: true })
    if (size < MAX_RUN_BYTES) pieces.push(piece)
    size += piece.length
  }
  const hearNotes = (piece: Buffer) => {
    const lines = (line + piece.toString('utf8')).split('\n')
    line = (lines.pop() ?? '').slice(0, MAX_LINE)
    const told = lines.flatMap((one) => /^tool ([\w.:-]{1,64})$/.exec(one)?.[1] ?? [])
    if (told.length > 0) tools = [...tools, ...told].slice(-MAX_TOOLS)
  }
  return {
    listen: (piece: Buffer, from: 'stdout' | 'stderr') =>
      from === 'stderr' ? hearNotes(piece) : hearText(piece),
    offset: () => size,
    isFull: () => size >= MAX_RUN_BYTES,
    output: () => Buffer.concat(pieces),
    progress: (): ChatProgress => ({ text: replyOf(text), tools })
  }
}

/** Without a deploy that got through there is no completion marker (§3): a server that is away is not ready, either. */
export async function whereDeployed<Result extends Standing | undefined>(
  { status, agentName }: InstanceRow,
  ask: () => Promise<Result>
): Promise<Result | NotAnswered> {
  const result = status === 'registered' ? UNREADY : await ask()
  const isAway =
    typeof result === 'object' &&
    result.state === 'failed' &&
    result.code === 'ssh_unavailable' &&
    !result.hasStarted
  // The first deploy that gets through names the agent, and later ones keep a name.
  return isAway && !isDeployed(status) && agentName === null ? UNREADY : result
}

const UNREADY = failed('agent_not_ready')

/** Why the agent can't be asked, or nothing when it can; one check at a time for each instance, however many ask. */
const CHECK_WITHIN_MS = 15_000

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
