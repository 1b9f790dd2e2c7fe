// Requests that a client sends before it has the answers to earlier ones (pipelining). Node hands over all that came in one
// packet at once, so a single connection could begin thousands of requests before anybody else has a turn.
import { IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Clients that pipeline at all send a handful ahead. */
const MOST_WAITING = 100
/** On all connections together; each takes some kilobytes. */
const MOST_WAITING_IN_ALL = 20_000

interface Connection {
  /** The request that came last. */
  last: IncomingMessage
  isAnswering: boolean
  waiting: (() => unknown)[]
}

/** One request at a time on each of the open `sockets`. */
export function createPipelining(serve: RequestListener, sockets: ReadonlySet<Duplex>) {
  const connections = new WeakMap<Duplex, Connection>()

  const endAnswer = (connection: Connection): void => {
    const next = connection.waiting.shift()
    connection.isAnswering = next !== undefined
    next?.()
  }

  const hasTooMany = (socket: Duplex): boolean => {
    const waiting = connections.get(socket)?.waiting.length ?? 0
    return waiting > 0 && waiting >= Math.min(MOST_WAITING, MOST_WAITING_IN_ALL / sockets.size)
  }

  /** Whatever becomes of a connection, Node goes through the rest of a packet, but stops where it meets an upgrade. */
  class Message extends IncomingMessage {
    readonly isOneTooMany = hasTooMany(this.socket)
    isUpgrade: boolean | null = null

    get upgrade() {
      return this.isOneTooMany || (this.method === 'CONNECT' && this.isUpgrade)
    }
    set upgrade(value) {
      this.isUpgrade = value
    }
  }

  return {
    /** The server's requests. One too many asks for an upgrade, so that the connection can be closed. */
    Message,
    /** Serves the request once the answers to all earlier ones of its connection have left. */
    serve(incoming: IncomingMessage, outgoing: ServerResponse): void {
      const { socket } = incoming
      const connection = connections.get(socket) ?? { last: incoming, isAnswering: false, waiting: [] }
      connections.set(socket, connection)
      connection.last = incoming
      connection.waiting.push(() => {
        // What was sent behind an answer that closes the connection may be sent again elsewhere.
        if (!socket.writable) return
        outgoing.once('close', () => endAnswer(connection))
        serve(incoming, outgoing)
      })
      if (connection.isAnswering) return
      connection.isAnswering = true
      connection.waiting.shift()?.()
    },
    /** Does it in place of the request that is being received, once the answers to all before that have left. */
    afterAnswers(socket: Duplex, act: () => void): void {
      const connection = connections.get(socket)
      // What is being received may have begun, and waits for the rest of its body.
      const hasBegun = connection && !connection.last.complete && !connection.waiting.pop()
      if (connection?.isAnswering && !hasBegun) connection.waiting.push(act)
      else act()
    },
    isAnswering: (socket: Duplex) => connections.get(socket)?.isAnswering === true,
    /** Whether there is more to come of a request that has begun. */
    isReceiving: (socket: Duplex) => connections.get(socket)?.last.complete === false
  }
}
