// Requests that are answered before their body has come.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/http.ts'
import { openRaw, type RawConnection } from '../support/raw-socket.ts'

const MEBIBYTE = 1_048_576

describe('a request that is answered before its body has come', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(
      'sqlite',
      {},
      { alone: 'Caddy reads requests first, and refuses what is none' }
    )
  })
  afterAll(() => server.close())

  const head = (path: string, ...more: string[]) =>
    [`POST ${path} HTTP/1.1`, `Host: ${new URL(server.url).host}`, ...more, '', ''].join('\r\n')
  const statusesIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)

  /** Writes until so much is sent or nothing is taken any more; how many bytes that was. */
  const sendAll = async ({ socket }: RawConnection, bytes: number): Promise<number> => {
    const chunk = Buffer.alloc(65_536)
    let taken = 0
    while (taken < bytes && (await Promise.race([write(socket, chunk), sleep(300, false)])))
      taken += chunk.length
    return taken
  }
  const write = (socket: RawConnection['socket'], bytes: Buffer): Promise<boolean> =>
    new Promise((resolve) => socket.write(bytes, (error) => resolve(!error)))

  it.each([
    ['an operation', '/api/v1/mcp/customers', [], '413'],
    ['nothing', '/nowhere', [], '404'],
    ['a page', '/console/sign-in', Array.from({ length: 101 }, (_, i) => `X-${i}: x`), '431']
  ])('is read no further than some megabytes, at %s', async (_, path, headers, status) => {
    const connection = await openRaw(server.url)
    const { socket, received, closed } = connection
    socket.pause()
    const key = `Authorization: Bearer ${server.partner.key}`
    const type = 'Content-Type: application/json'
    socket.write(head(path, `Content-Length: ${200 * MEBIBYTE}`, key, type, ...headers))
    // What the two ends of a connection hold is some megabytes more.
    expect(await sendAll(connection, 200 * MEBIBYTE)).toBeLessThan(40 * MEBIBYTE)
    socket.resume()
    await closed
    expect(statusesIn(received())).toEqual([status])
    expect(received()).toMatch(/\r\nConnection: close\r\n/i)
  })

  it('has its answer read by a client that sends everything first', async () => {
    const connection = await openRaw(server.url)
    connection.socket.pause()
    connection.socket.write(head('/nowhere', `Content-Length: ${8 * MEBIBYTE}`))
    for (let sent = 0; sent < 8; sent += 1) {
      expect(await write(connection.socket, Buffer.alloc(MEBIBYTE))).toBe(true)
      await sleep(20)
    }
    connection.socket.resume()
    await connection.closed
    expect(statusesIn(connection.received())).toEqual(['404'])
  })

  it('ends what was sent behind it, which is not done without an answer', async () => {
    const next = head('/console/sign-in', 'Content-Type: application/json', 'Content-Length: 2')
    for (let round = 0; round < 10; round += 1) {
      const { send, received, closed } = await openRaw(server.url)
      send(`${head('/nowhere', 'Content-Length: 100000')}${' '.repeat(100_000)}${next}{}`)
      await closed
      const served = server.logs.filter((line) => line.includes('/console/sign-in')).length
      expect(served).toBe(statusesIn(received()).filter((status) => status !== '404').length)
    }
  })

  it('keeps its connection where the body is short', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { socket, send, received } = await openRaw(server.url)
      send(head('/nowhere', 'Content-Length: 4'))
      await sleep(2)
      send(`body${head('/nowhere', 'Content-Length: 4', 'Connection: close')}body`)
      await new Promise((resolve) => socket.once('close', resolve))
      expect(statusesIn(received())).toEqual(['404', '404'])
    }
  })
})
