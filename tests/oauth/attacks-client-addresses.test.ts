// A client's id may be the address of a document about it, which anybody names to us: none of our own network is asked.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSites } from '../portal/sites.ts'
import type { TestServer } from '../support/http.ts'
import { type Listener, listen } from '../support/listen.ts'
import { ask, authorizePath, redeem } from './by-hand.ts'

describe('a client’s document on an address of our own network', () => {
  let server: TestServer
  let listener: Listener
  beforeAll(async () => {
    server = await startSites('sqlite', {}, { alone: 'what is asked of a listener is counted' })
    listener = await listen((socket) => socket.destroy())
  })
  afterAll(async () => {
    await listener.close()
    await server.close()
  })

  const HOSTS = [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '0.0.0.0',
    '[::]',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]'
  ]
  it.each(HOSTS)('is never fetched: %s', async (host) => {
    const clientId = `https://${host}:${listener.port}/client.json`
    const page = await ask(server.url + authorizePath(server.url, clientId))
    expect([page.status, page.headers.get('location')]).toEqual([400, null])
    expect((await redeem(server.url, clientId, 'x'.repeat(43))).status).toBe(400)
    const reasons = server.logs.splice(0).flatMap((line) => JSON.parse(line).reason ?? [])
    expect(new Set(reasons)).toEqual(new Set(['forbidden_address']))
    expect(listener.connections()).toBe(0)
  })

  it('tells nothing of what is there', async () => {
    const answers = await Promise.all(
      [listener.port, 1].map((port) => {
        const clientId = `https://127.0.0.1:${port}/client.json`
        return ask(server.url + authorizePath(server.url, clientId))
      })
    )
    expect(answers[0]?.body).toEqual(answers[1]?.body)
  })
})
