// A customer's server that means harm, in a process of its own: what it costs to send isn't taken for what it costs to
// read. It is told how to behave, with which host key, and in which algorithms.
import { createServer } from 'node:net'
import { constants, setPriority } from 'node:os'
import ssh2 from 'ssh2'

// It would be on another machine: what it does is done with what the others leave.
setPriority(constants.priority.PRIORITY_LOW)

const [behaviour, hostKey, algorithms = '{}'] = process.argv.slice(2)
const BLOCK = Buffer.alloc(32_768, 'x')
const LINES = Buffer.from(`${'x'.repeat(1_000)}\r\n`.repeat(30))

/** What it does instead of SSH. */
const INSTEAD = {
  silent() {},
  /** Lines may come before the one with the version. */
  greeting: (socket) => flood(() => socket.write(LINES), socket)
}

/** What it says to a command that is wrapped with that mark. */
const TO_A_COMMAND = {
  noise: ({ stream }) => flood(() => stream.write(BLOCK), stream),
  output: ({ stream, mark }) => {
    stream.write(`${mark}+`)
    flood(() => stream.write(BLOCK), stream)
  },
  /** As if the script had ended, without the end of that word. */
  ending: ({ stream, mark }) => {
    stream.write(`${mark}+${mark}-`)
    flood(() => stream.write(BLOCK), stream)
  },
  /** One output ends and goes on, the other one never begins. */
  trailer: ({ stream, mark }) => {
    stream.write(`${mark}+${mark}-0;`)
    flood(() => stream.write(BLOCK), stream)
  },
  /** A message for each byte. */
  crumbs: ({ stream, mark, protocol }) => {
    stream.write(`${mark}+`)
    flood(() => protocol.channelData(stream.outgoing.id, Buffer.from('x')))
  },
  /** For a third output that there isn't. */
  beside: ({ stream, protocol }) => flood(() => protocol.channelExtData(stream.outgoing.id, BLOCK, 2)),
  /** About the connection; each wants an answer. */
  pings: ({ protocol }) => flood(() => protocol.ping())
}

/** Says it again and again, for as long as it is heard. */
function flood(say, stream) {
  const round = () => {
    for (let i = 0; i < 200; i += 1) {
      if (sockets.size === 0) return undefined
      // What nobody takes yet would fill our own memory.
      if ([...sockets].every(({ writableNeedDrain }) => writableNeedDrain)) break
      if (say() === false && stream) return stream.once('drain', round)
    }
    return setImmediate(round)
  }
  round()
}

const options = { hostKeys: [hostKey], algorithms: JSON.parse(algorithms) }
const ssh = new ssh2.Server(options, (connection) => {
  connection.on('error', () => {})
  connection.on('authentication', (asked) => asked.accept())
  connection.on('session', (acceptSession) => {
    acceptSession().on('exec', (accept, _reject, { command }) => {
      const [, front, back] = / sh ([0-9a-f]{16}) ([0-9a-f]{16}) /.exec(command)
      const stream = accept()
      stream.on('error', () => {})
      stream.resume()
      TO_A_COMMAND[behaviour]({ stream, mark: front + back, protocol: connection._protocol })
    })
  })
})

const sockets = new Set()
const seen = { connections: 0, open: 0, mostOpen: 0, sentBytes: 0 }
const server = createServer((socket) => {
  sockets.add(socket)
  seen.connections += 1
  seen.mostOpen = Math.max(seen.mostOpen, sockets.size)
  socket.on('error', () => {})
  socket.once('close', () => {
    sockets.delete(socket)
    seen.sentBytes += socket.bytesWritten
  })
  if (behaviour in INSTEAD) INSTEAD[behaviour](socket)
  else ssh.injectSocket(socket)
})
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.on('message', () => process.send({ ...seen, open: sockets.size }))
process.on('disconnect', () => process.exit())
