// One connection to one server: how many sessions it takes, how long it is kept, and that its end reaches all who wait.
import { once, setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import { constants } from 'node:os'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Client, ClientChannel } from 'ssh2'
import { orAborted } from '../../net/deadline.ts'
import { SshError } from './errors.ts'

/** OpenSSH's default is ten; somebody may have use for the others. */
const MAX_SESSIONS = 6
/** How long to wait where the server has no session left and none of ours is about to end. */
const NO_SESSION_PAUSE_MS = 50
/** What a server may send for one call, wanted or not: both outputs of a script, and as much around them. */
const MAX_BYTES_PER_CALL = 4_000_000
/** How long the server may take to close the connection after our goodbye. */
const GOODBYE_MS = 1_000

/** A command under way on the server. */
export interface RemoteProcess {
  channel: ClientChannel
  /** Its exit code; 128 + n when signal n killed it. */
  exited: Promise<number>
  /** Resolves once both sides have closed the channel. */
  closed: Promise<void>
}

export type SshConnection = ReturnType<typeof keepConnection>

/**
 * Takes over a client that has signed in. Unused for `keepMs`, the connection ends.
 * @param way what the client writes to: the socket, or a jump host's channel through it
 */
export function keepConnection(client: Client, socket: Socket, way: Duplex, keepMs: number) {
  const slots = pLimit(MAX_SESSIONS)
  const end = new AbortController()
  const ending = new AbortController()
  setMaxListeners(0, end.signal)
  let calls = 0
  let mostBytes = 0
  let idle: NodeJS.Timeout | undefined

  const lose = () => {
    clearTimeout(idle)
    // First: whoever tries again because of the loss must not find this one again.
    ending.abort()
    end.abort(new SshError('connection_lost', { hasNotBegun: true }))
    socket.destroy()
  }
  client.on('error', lose).on('end', lose).on('close', lose)
  socket.on('data', () => {
    // A server can also make us answer, and not read that.
    const unread = Math.max(socket.writableLength, way.writableLength)
    if (socket.bytesRead > mostBytes || unread > MAX_BYTES_PER_CALL) lose()
  })

  /** Ends it once the present calls have ended. Whoever calls after that is answered `connection_lost`. */
  const retire = () => {
    ending.abort()
    if (calls > 0 || end.signal.aborted) return
    client.end()
    setTimeout(lose, GOODBYE_MS).unref()
  }
  const count = (change: 1 | -1) => {
    calls += change
    mostBytes = socket.bytesRead + MAX_BYTES_PER_CALL * Math.max(1, calls)
  }
  const arrive = () => {
    clearTimeout(idle)
    count(1)
  }
  const leave = () => {
    count(-1)
    if (calls > 0 || end.signal.aborted) return
    if (ending.signal.aborted) retire()
    else idle = setTimeout(retire, keepMs).unref()
  }
  arrive()
  leave()

  const takeSlot = (signal: AbortSignal): Promise<() => void> => {
    const slot = new Promise<() => void>((resolve) => {
      const hold = () =>
        new Promise<void>((giveBack) => {
          if (signal.aborted) giveBack()
          else resolve(giveBack)
        })
      void slots(hold)
    })
    const taken = orAborted(slot, signal, end.signal)
    // Given in the very moment in which nobody wants it any more.
    taken.catch(() => slot.then((giveBack) => giveBack()))
    return taken
  }

  /** The server takes fewer sessions than we thought: next time we ask for one when another has ended. */
  const lower = async (giveBack: () => void, signal: AbortSignal): Promise<void> => {
    const others = slots.activeCount - 1
    slots.concurrency = Math.max(1, Math.min(slots.concurrency, others))
    giveBack()
    if (others === 0) await orAborted(sleep(NO_SESSION_PAUSE_MS), signal)
  }

  const executeOnce = async (command: string, giveBack: () => void, signal: AbortSignal) => {
    const asked = execute(client, command)
    try {
      const remote = await orAborted(asked, signal, end.signal)
      /** Closes the channel. The next in the queue gets its place once the server has closed it, too. */
      const release = () => void close(remote).then(giveBack).then(leave)
      return { remote, release }
    } catch (error) {
      if (isOutOfSessions(error)) return undefined
      // A channel that comes after all has run nothing yet.
      void asked.then(close).then(giveBack, giveBack)
      // ssh2 leaves the channel of a refused command open, and the server counts it on.
      if (!(error instanceof SshError)) retire()
      throw asSshError(error)
    }
  }

  /** Begins the command once there is room. @throws SshError, or the signal's reason; either way nothing was run */
  const begin = async (command: string, signal: AbortSignal) => {
    arrive()
    let hasSlot = false
    try {
      for (;;) {
        const giveBack = await takeSlot(signal)
        hasSlot = true
        const session = await executeOnce(command, giveBack, signal)
        if (session) return session
        hasSlot = false
        await lower(giveBack, signal)
      }
    } catch (error) {
      leave()
      // Who has waited for others to end, or for a server that takes fewer than usual, has had no session.
      throw hasSlot && slots.concurrency === MAX_SESSIONS ? error : asNoSession(error)
    }
  }
  return {
    /** Resolves once what was written has left us: a server's window may be larger than what should lie here. */
    async drained(signal: AbortSignal): Promise<void> {
      for (const each of [way, socket]) if (each.writableNeedDrain) await once(each, 'drain', { signal })
    },
    /** Fires when the connection is gone. A dead peer's channels say nothing themselves. */
    lost: end.signal,
    /** Fires when it takes no more calls, at the latest with `lost`. */
    ending: ending.signal,
    begin,
    retire,
    destroy: lose
  }
}

function execute(client: Client, command: string): Promise<RemoteProcess> {
  return new Promise((resolve, reject) => {
    const answer = (error: Error | undefined, channel: ClientChannel) => {
      if (error) return reject(error)
      channel.on('error', () => {})
      // Its end can come in the same packet as its start: who listens for it later may be too late.
      const exited = new Promise<number>((tell) => {
        channel.once('exit', (code: number | null, name = '') => tell(code ?? 128 + signalNumber(name)))
      })
      const closed = new Promise<void>((tell) => channel.once('close', () => tell()))
      resolve({ channel, exited, closed })
    }
    try {
      client.exec(command, answer)
    } catch (cause) {
      // ssh2 throws only where the socket is already closing.
      reject(new SshError('connection_lost', { hasNotBegun: true, cause }))
    }
  })
}

const signalNumber = (name: string): number => new Map(Object.entries(constants.signals)).get(name) ?? 0

/** Resolves once the server has closed it, too. */
function close({ channel, closed }: RemoteProcess): Promise<void> {
  // A channel tells of its end only when all that came was read. Not before: what nobody listens for yet would be lost.
  channel.resume()
  channel.stderr.resume()
  channel.close()
  return closed
}

/** ssh2 sets the server's reason only on a channel that the server refused to open. */
const isOutOfSessions = (error: unknown): boolean =>
  error instanceof Error && typeof Reflect.get(error, 'reason') === 'number'

const asSshError = (cause: unknown): SshError =>
  cause instanceof SshError ? cause : new SshError('no_session', { hasNotBegun: true, cause })

function asNoSession(error: unknown): unknown {
  if (!(error instanceof SshError && error.fault === 'command_timeout')) return error
  return new SshError('no_session', { hasNotBegun: true, cause: error })
}
