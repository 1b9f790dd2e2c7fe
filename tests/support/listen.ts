// TCP listeners for what a well-behaved server never does.
import { connect, createServer, type Server, type Socket } from 'node:net'

export interface Listener {
  host: '127.0.0.1'
  port: number
  /** How many connections came so far. */
  connections(): number
  /** Bytes that came over all of them. */
  received(): number
  close(): Promise<void>
}

/** Listens on a free port of 127.0.0.1. */
export async function listen(onConnection: (socket: Socket) => void = () => {}): Promise<Listener> {
  const sockets = new Set<Socket>()
  let connections = 0
  let received = 0
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      received += chunk.length
    })
    onConnection(socket)
  })
  return {
    host: '127.0.0.1',
    port: await boundPort(server),
    connections: () => connections,
    received: () => received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
}

export interface Relay extends Listener {
  /** From now on nothing comes through, and nobody is told. */
  freeze(): void
  /** The same for connections that are still to come: they are taken, and that is all. */
  stall(): void
  /** Everything that was held comes through, and what follows. */
  resume(): void
  /** Ends the connections of now; new ones come through again. */
  drop(): void
}

/** Passes on to another port of this machine, until told otherwise. */
export async function relayTo(port: number): Promise<Relay> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let isStalled = false
  const listener = await listen((near) => {
    const far = connect(port, '127.0.0.1')
    const pair = [near, far] as const
    pairs.add(pair)
    if (!isStalled) near.pipe(far).pipe(near)
    for (const [one, other] of [pair, pair.toReversed()]) {
      one?.on('error', () => {})
      one?.once('close', () => {
        pairs.delete(pair)
        other?.destroy()
      })
    }
  })
  const freeze = () => {
    for (const [near, far] of pairs) {
      near.unpipe()
      far.unpipe()
    }
  }
  return {
    ...listener,
    freeze,
    stall() {
      isStalled = true
      freeze()
    },
    resume() {
      isStalled = false
      for (const [near, far] of pairs) near.pipe(far).pipe(near)
    },
    drop() {
      for (const [near] of pairs) near.destroy()
    }
  }
}

/** Nothing listens there, and no system hands it out. */
export const DEAD_PORT = 1

function boundPort(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (typeof address === 'object' && address) resolve(address.port)
    })
  })
}
