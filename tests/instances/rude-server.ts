// A customer's server that means harm, from the side of the tests.
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { z } from 'zod'
import { makeKeyPair } from '../../src/instances/ssh/key-pair.ts'

/**
 * - `silent`: takes the connection, and says nothing
 * - `greeting`: says endless lines before the one with its version
 * - `noise`: lets us in, and says endlessly what no wrapper says
 * - `output`: as if the script wrote without an end
 * - `ending`: as if the script had ended, and then endless bytes
 * - `trailer`: as if one output had ended, and then endless bytes
 * - `beside`: as much, for an output that there isn't
 * - `crumbs`: output of which each byte is a message, whether or not somebody takes it
 * - `pings`: endless questions about the connection
 */
export type Rudeness =
  | 'silent'
  | 'greeting'
  | 'noise'
  | 'output'
  | 'ending'
  | 'trailer'
  | 'beside'
  | 'crumbs'
  | 'pings'

export interface RudeServer {
  host: '127.0.0.1'
  port: number
  username: string
  hostKey: string
  /** What came to it so far, and what it sent over connections that have ended. */
  seen(): Promise<z.output<typeof Seen>>
  close(): void
}

const Port = z.object({ port: z.number() })
const Seen = z.object({
  connections: z.number(),
  open: z.number(),
  mostOpen: z.number(),
  sentBytes: z.number()
})

/** Starts one that takes any key; `algorithms` are all that it speaks, where given. */
export async function startRudeServer(rudeness: Rudeness, algorithms: object = {}): Promise<RudeServer> {
  const { publicKey, privateKey } = makeKeyPair('rude')
  const program = fork(join(import.meta.dirname, 'rude-server.mjs'), [
    rudeness,
    privateKey,
    JSON.stringify(algorithms)
  ])
  const [first] = await once(program, 'message')
  const { port } = Port.parse(first)
  const [, blob = ''] = publicKey.split(' ')
  const digest = createHash('sha256').update(Buffer.from(blob, 'base64')).digest('base64')
  return {
    host: '127.0.0.1',
    port,
    username: 'root',
    hostKey: `SHA256:${digest.replace(/=+$/, '')}`,
    async seen() {
      const told = once(program, 'message')
      program.send('tell')
      const [answer] = await told
      return Seen.parse(answer)
    },
    close: () => program.kill()
  }
}
