// The connections to customers' servers: one for each instance, made when it is needed and kept a while for the next call.
import { createHash } from 'node:crypto'
import { once, setMaxListeners } from 'node:events'
import type { Duplex } from 'node:stream'
import type { Config } from '../../config.ts'
import { orAborted, settlesWithin, withDeadline } from '../../net/deadline.ts'
import { tally } from '../../tally.ts'
import { inSpan } from '../../trace.ts'
import { keepConnection, type SshConnection } from './connection.ts'
import { dial, dialThrough } from './dial.ts'
import { SshError, type SshFault, sshLimits } from './errors.ts'
import { MAX_INPUT_BYTES, remoteCommand } from './remote-shell.ts'
import { converse, type Listen } from './session.ts'
import type { SshTarget } from './target.ts'
import { inTurn } from './turns.ts'
import { type FileContent, writeFile } from './write-file.ts'

const MAX_OUTPUT_BYTES = 1_000_000
/** More than stopping a run takes. */
const CLOSE_MS = 6_000

export interface SshRun {
  /** POSIX sh. The server's list of processes shows it: nothing secret in it. */
  script: string
  /** The script's standard input, byte for byte; at most 48 kB. */
  input?: Uint8Array
  /** From the call on. The remote run is then ended: usually 0.1 s, at most 4 s more. */
  timeoutMs: number
  maxOutputBytes?: number
  listen?: Listen
  signal?: AbortSignal
}

type CallLimits = Pick<SshRun, 'timeoutMs' | 'signal'>

export type SshConnections = ReturnType<typeof openSshConnections>

type Options = Pick<Config, 'sshAllowPrivate' | 'sshConnectTimeoutMs' | 'sshKeepMs'>

interface Kept {
  identity: string
  connection: Promise<SshConnection>
  /** Callers that wait for it; without any it is given up. */
  waiting: number
  abandoned: AbortController
}

export function openSshConnections(options: Options) {
  const pool = new Map<string, Kept>()
  const alive = new Set<SshConnection>()
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  let handshakes = 0

  const forget = (instanceId: string, kept: Kept | undefined) => {
    if (kept && pool.get(instanceId) === kept) pool.delete(instanceId)
  }

  const make = async (target: SshTarget, signal: AbortSignal) => {
    const connection = await connectTo(target, options, signal).catch((error: unknown) => {
      tally('mindgate_work_ended_total', ['ssh', error instanceof SshError ? error.fault : 'internal'])
      throw error
    })
    handshakes += 1
    tally('mindgate_work_ended_total', ['ssh', 'succeeded'])
    alive.add(connection)
    connection.lost.addEventListener('abort', () => alive.delete(connection), { once: true })
    if (closing.signal.aborted) connection.retire()
    return connection
  }

  /** Whoever calls while a handshake waits or is under way shares it; the last one who leaves ends it. */
  const connectionTo = async (target: SshTarget, signal: AbortSignal): Promise<SshConnection> => {
    signal.throwIfAborted()
    const kept = keptFor(target)
    kept.waiting += 1
    try {
      return await orAborted(kept.connection, signal)
    } catch (error) {
      if (kept.waiting === 1) {
        forget(target.instanceId, kept)
        kept.abandoned.abort()
      }
      throw error
    } finally {
      kept.waiting -= 1
    }
  }

  const keptFor = (target: SshTarget): Kept => {
    const identity = identityOf(target)
    const present = pool.get(target.instanceId)
    if (present?.identity === identity) return present
    if (present) end(target.instanceId)
    const abandoned = new AbortController()
    const connection = inTurn(target, () => make(target, abandoned.signal), abandoned.signal)
    const kept: Kept = { identity, connection, waiting: 0, abandoned }
    pool.set(target.instanceId, kept)
    const forgetThis = () => forget(target.instanceId, kept)
    connection.then(({ ending }) => ending.addEventListener('abort', forgetThis, { once: true }), forgetThis)
    return kept
  }

  /** Forgets the instance's connection, as after a change of its key or host. Calls that use it may end first. */
  const end = (instanceId: string): void => {
    const kept = pool.get(instanceId)
    forget(instanceId, kept)
    kept?.connection.then(
      (connection) => connection.retire(),
      () => {}
    )
  }

  /** One call over the instance's connection; once more over a fresh one where it was lost before anything began. */
  const call = <T>(
    target: SshTarget,
    limits: CallLimits,
    work: (connection: SshConnection, signal: AbortSignal) => Promise<T>
  ): Promise<T> => {
    const ends = [limits.signal, closing.signal]
    const server = { 'mindgate.instance_id': target.instanceId }
    return withDeadline(sshLimits(limits.timeoutMs, 'command_timeout', ends), (signal) => {
      const connect = () => connectionTo(target, signal)
      const attempt = async () => {
        const connection = await inSpan('ssh connect', connect, server)
        return inSpan('ssh run', () => work(connection, signal), server)
      }
      return attempt().catch((error: unknown) => {
        if (error instanceof SshError && error.fault === 'connection_lost' && error.hasNotBegun)
          return attempt()
        throw error
      })
    })
  }

  return {
    /**
     * Runs the script in a session of its own on the server, until its main process ends. What it leaves running stays
     * there; when it is stopped (time, signal, too much output, the connection gone), its whole session goes.
     * @throws SshError; RangeError for a script or an input that doesn't fit
     */
    async run(target: SshTarget, run: SshRun) {
      const { script, input = new Uint8Array(), maxOutputBytes = MAX_OUTPUT_BYTES, listen } = run
      if (input.length > MAX_INPUT_BYTES)
        throw new RangeError(`A script’s input has at most ${MAX_INPUT_BYTES} bytes`)
      const command = remoteCommand(script, input.length)
      return call(target, run, (connection, signal) =>
        converse(connection, { command, input: [input], maxOutputBytes, listen }, signal)
      )
    },
    /** Writes a file under a temporary name and puts it in its place in one step. @throws SshError */
    writeFile: (target: SshTarget, file: FileContent & CallLimits): Promise<void> =>
      call(target, file, (connection, signal) => writeFile(connection, file, signal)),
    end,
    /** Whether there is a connection to it, or one is being made. */
    has: (instanceId: string): boolean => pool.has(instanceId),
    /** Connections that are open now. */
    get open() {
      return alive.size
    },
    get handshakes() {
      return handshakes
    },
    async close() {
      closing.abort()
      const ended = [...alive].map(({ lost }) => once(lost, 'abort'))
      for (const connection of alive) connection.retire()
      await settlesWithin(Promise.all(ended), CLOSE_MS)
      for (const connection of alive) connection.destroy()
    }
  }
}

function identityOf({ host, port, username, privateKey, hostKey, jump }: SshTarget): string {
  const parts = JSON.stringify([host, port, username, privateKey, hostKey, jump])
  return createHash('sha256').update(parts).digest('base64')
}

/** @throws SshError, with nothing begun */
function connectTo(target: SshTarget, options: Options, abandoned: AbortSignal): Promise<SshConnection> {
  const { jump, privateKey } = target
  const { sshAllowPrivate: allowPrivate, sshConnectTimeoutMs, sshKeepMs } = options
  let isAtJump = jump !== undefined
  const flagged = (fault: SshFault, cause?: unknown) =>
    new SshError(fault, { hasNotBegun: true, isAtJump, cause })
  const limits = sshLimits(sshConnectTimeoutMs, 'connect_timeout', [abandoned])
  return withDeadline({ ...limits, late: () => flagged('connect_timeout') }, async (signal) => {
    const first = { ...target, ...jump }
    const direct = () => dial(first, { allowPrivate, signal })
    const { client, way: socket } = await enter(first, direct, signal).catch((error: unknown) => {
      throw error instanceof SshError && error.fault !== 'cancelled' ? flagged(error.fault, error) : error
    })
    if (!jump) return keepConnection(client, socket, socket, sshKeepMs)
    isAtJump = false
    try {
      const inner = await enter(target, () => dialThrough(client, target, signal), signal)
      return keepConnection(inner.client, socket, inner.way, sshKeepMs)
    } catch (error) {
      socket.destroy()
      throw error
    }
  })

  /** Signs in on a way that `open` opens anew for each try: the pinned key may be of another kind than is shown first. */
  async function enter<Way extends Duplex>(
    { username, hostKey }: Pick<SshTarget, 'username' | 'hostKey'>,
    open: () => Promise<Way>,
    signal: AbortSignal
  ) {
    const acceptsHostKey = (fingerprint: string) => fingerprint === hostKey
    // Many a process has no server to sign in at.
    const { HOST_KEY_KINDS, isOtherKey, signIn } = await import('./sign-in.ts')
    let refusal: unknown
    for (const hostKeyKinds of HOST_KEY_KINDS) {
      try {
        const way = await open()
        return {
          way,
          client: await signIn(way, { username, privateKey, hostKeyKinds, acceptsHostKey }, signal)
        }
      } catch (error) {
        if (!isOtherKey(error, refusal !== undefined)) throw error
        refusal ??= error
      }
    }
    throw refusal
  }
}
