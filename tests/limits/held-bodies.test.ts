// What the bodies of all requests together may take of the process's memory.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { call } from '../mcp/messages.ts'
import { at, makePartner, type TestPartner } from '../support/fixture.ts'
import { openRaw, type RawConnection } from '../support/raw-socket.ts'
import { type LimitedPlace, openLimited } from './limited-server.ts'

const MEBIBYTE = 1_048_576
/** Of what one partner may have. */
const SHARE = 32

describe('bodies that are on their way', () => {
  let server: LimitedPlace
  const open: RawConnection[] = []
  beforeEach(async () => {
    server = await openLimited('sqlite', { quota: 0 })
  })
  afterEach(async () => {
    for (const { socket } of open.splice(0)) socket.destroy()
    // Until the server has seen each connection go, its bodies count, in the next test, too.
    await server.close()
  })

  /** Announces a body and sends none of it. */
  const announce = async (bytes: number, { key }: TestPartner = server.partner) => {
    const connection = await openRaw(server.url)
    open.push(connection)
    connection.send(
      [
        'POST /api/v1/mcp/customers HTTP/1.1',
        `Host: ${new URL(server.url).host}`,
        `Authorization: Bearer ${key}`,
        'Content-Type: application/json',
        `Content-Length: ${bytes}`,
        '',
        ''
      ].join('\r\n')
    )
    return connection
  }
  const post = async (path: string, bytes: number, { key }: TestPartner = server.partner) => {
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(call('customer_list', {})).padEnd(bytes, ' ')
    })
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      body: await answer.json()
    }
  }
  const postMcp = (bytes: number, partner?: TestPartner) => post('/api/partner-mcp', bytes, partner)
  /** Waits until the partner holds all that it may. */
  const fill = async (partner?: TestPartner) => {
    await Promise.all(Array.from({ length: SHARE }, () => announce(MEBIBYTE, partner)))
    const isFull = async () => {
      if ((await postMcp(100_000, partner)).status === 429) return true
      // One that came while such a question was held itself was refused.
      await announce(MEBIBYTE, partner)
      return false
    }
    await vi.waitUntil(isFull, 10_000)
  }

  it('are refused beyond a partner’s share, with the time to wait', async () => {
    await fill()
    expect(await postMcp(100_000)).toMatchObject({ status: 429, retryAfter: '1' })
    const { status, retryAfter, body } = await post('/api/v1/mcp/customers', 100_000)
    expect([status, retryAfter, at(body, 'code')]).toEqual([429, '1', 'rate_limited'])
  })

  it('leave room for every other partner', async () => {
    await fill()
    const other = await makePartner(server.service)
    expect((await postMcp(900_000, other)).status).toBe(200)
  })

  it('leave room for what is short, whoever fills the process', async () => {
    const others = await Promise.all([1, 2, 3].map(() => makePartner(server.service)))
    for (const other of others) await fill(other)
    expect((await postMcp(100_000)).status).toBe(429)
    expect((await postMcp(50_000)).status).toBe(200)
  })

  it('count no longer once their connection has gone', async () => {
    await fill()
    for (const { socket } of open) socket.destroy()
    await vi.waitUntil(async () => (await postMcp(900_000)).status === 200, 10_000)
  })

  it('count no longer once they are answered', async () => {
    for (let i = 0; i < 2 * SHARE; i += 1) expect((await postMcp(MEBIBYTE)).status).toBe(200)
  })

  it('count as they come where nothing was announced', async () => {
    const connection = await openRaw(server.url)
    open.push(connection)
    await Promise.all(Array.from({ length: SHARE - 1 }, () => announce(MEBIBYTE)))
    const head = `POST /api/v1/mcp/customers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.partner.key}\r\n`
    const chunk = `${(900_000).toString(16)}\r\n${' '.repeat(900_000)}\r\n`
    connection.send(`${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`)
    await vi.waitUntil(async () => (await postMcp(200_000)).status === 429, 10_000)
    expect(connection.received()).toBe('')
  })
})
