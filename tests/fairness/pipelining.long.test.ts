import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { expectUnnoticed, type Fixture, openFixture } from './fixture.ts'

const SOCKETS = 50
const AHEAD = 2_000

describe('requests sent ahead without a key', () => {
  let fixture: Fixture<undefined>

  beforeAll(async () => {
    fixture = await openFixture({})
  })
  afterAll(() => fixture.close())

  /** Sends that many requests at once and reads no answer; begins again as soon as it is thrown out. */
  const flood = async (ahead: number, path: string, signal: AbortSignal) => {
    const { hostname, port, host } = new URL(fixture.url)
    const text = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(ahead)
    const open = new Set<Socket>()
    const begin = () => {
      if (signal.aborted) return
      const socket = connect(Number(port), hostname, () => socket.write(text))
      open.add(socket)
      socket.pause()
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        setTimeout(begin, 10)
      })
    }
    for (let i = 0; i < SOCKETS; i += 1) begin()
    await sleep(60_000, undefined, { signal }).catch(() => undefined)
    for (const socket of open) socket.destroy()
  }

  it.each([
    ['far too many', AHEAD, '/api/v1/mcp/customers'],
    ['as many as may wait', 100, '/api/v1/mcp/customers'],
    ['far too many of the shortest', 20_000, '/']
  ])('delay nobody: %s', async (_, ahead, path) => {
    expectUnnoticed(await fixture.measure((signal) => flood(ahead, path, signal)))
  })
})
