import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Client, ClientChannel } from 'ssh2'
import { orAborted } from '../../net/deadline.ts'
import { allowedAddresses } from './addresses.ts'
import { SshError, type SshFault } from './errors.ts'
import type { SshPlace } from './target.ts'

const NEXT_ADDRESS_AFTER_MS = 2_500

/** Read at once. What that costs is up to the server: tiny messages cost a hundred times as much as large ones. */
const PIECE_BYTES = 16_384
/** What a piece of a large message takes is less. */
const CHEAP_MS = 2
/** Reading rests for so many times as long as a dear piece took, of all servers together. */
const REST = 4

/** @throws SshError `unresolvable`, `forbidden_address`, `refused`, `unreachable`, or the signal's reason */
export async function dial(
  place: Omit<SshPlace, 'customerId'>,
  options: { allowPrivate: boolean; signal: AbortSignal }
): Promise<Socket> {
  const { signal } = options
  const { host, port } = place
  const addresses = await allowedAddresses(place, options)
  const socket: Socket = connect({
    host,
    port,
    onread: {
      buffer: Buffer.allocUnsafe(PIECE_BYTES),
      callback: (size, buffer) => take(socket, Buffer.copyBytesFrom(buffer, 0, size))
    },
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    lookup: (_host, _options, answer) => answer(null, addresses)
  })
  try {
    // Not net.connect's own signal: that would still destroy the socket long after it has connected.
    await orAborted(once(socket, 'connect'), signal)
    return socket
  } catch (error) {
    socket.destroy()
    if (signal.aborted) throw signal.reason
    throw new SshError(dialFault(error), { hasNotBegun: true, cause: error })
  }
}

/** The way on from a jump host that let us in. @throws SshError `forwarding_refused`, `no_way_on`, `connection_lost`, or the signal's reason */
export async function dialThrough(
  jump: Client,
  { host, port }: Pick<SshPlace, 'host' | 'port'>,
  signal: AbortSignal
): Promise<ClientChannel> {
  const asked = new Promise<ClientChannel>((resolve, reject) => {
    jump.once('close', reject)
    jump.forwardOut('127.0.0.1', 0, host, port, (error, channel) =>
      error ? reject(error) : resolve(channel)
    )
  })
  try {
    return await orAborted(asked, signal)
  } catch (cause) {
    if (signal.aborted) throw signal.reason
    // Of a channel that the other side refused to open: 1 where it may not be, 2 where nobody answers there.
    const reason: unknown = Reflect.get(Object(cause), 'reason')
    const isAnswered = typeof reason === 'number'
    const fault = reason === 1 ? 'forwarding_refused' : isAnswered ? 'no_way_on' : 'connection_lost'
    throw new SshError(fault, { hasNotBegun: true, cause })
  }
}

let restsUntil = 0

/** Whoever listens takes the piece apart within this very call; after one that is dear to take apart, reading rests. */
function take(socket: Socket, piece: Buffer): boolean {
  // Not by the clock, which goes on while a busy machine does something else.
  const before = process.cpuUsage()
  const isMoreWanted = socket.push(piece)
  const { user, system } = process.cpuUsage(before)
  const tookMs = (user + system) / 1_000
  if (tookMs > CHEAP_MS) {
    const at = performance.now()
    restsUntil = Math.max(restsUntil, at) + REST * tookMs
    socket.pause()
    setTimeout(() => socket.resume(), restsUntil - at)
  }
  return isMoreWanted
}

function dialFault(error: unknown): SshFault {
  const all = error instanceof AggregateError ? error.errors : [error]
  const codes = all.map((each: unknown) => (each instanceof Error && 'code' in each ? each.code : ''))
  if (codes.includes('ECONNREFUSED')) return 'refused'
  return codes.includes('ETIMEDOUT') ? 'connect_timeout' : 'unreachable'
}
