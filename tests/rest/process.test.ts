// The process around the channels: where it listens, and how it ends.
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { listen } from '../../servers/listener.ts'
import { startServer } from '../../servers/main.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { openService } from '../../src/service.ts'
import { environmentAt, startService } from '../support/cli.ts'
import { makeTestPlace } from '../support/databases.ts'
import { makePartner, uniqueEmail } from '../support/fixture.ts'
import { startTestServer } from '../support/http.ts'
import { openRaw, type RawConnection } from '../support/raw-socket.ts'

const ALONE = { alone: 'it is about the connections of one process' }

const silent = createLog('silent')
const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1')
)

/** Waits for it, however long the machine takes. */
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(5)
}

/** A POST whose headers have arrived and whose body hasn't. */
async function openRequest(url: string, key: string): Promise<{ connection: RawConnection; finish(): void }> {
  const connection = await openRaw(url)
  const body = JSON.stringify({ email: uniqueEmail() })
  connection.send(
    [
      'POST /api/v1/mcp/customers HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
      '',
      ''
    ].join('\r\n')
  )
  await until(() => connection.received().includes('100 Continue'))
  return { connection, finish: () => connection.send(body) }
}

describe('listening', () => {
  it('says its address with a name that can be reached', async () => {
    const anywhere = await startTestServer(
      'sqlite',
      { HOST: '0.0.0.0' },
      { alone: 'its own address is what counts' }
    )
    expect(anywhere.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    await anywhere.close()
  })

  it.skipIf(!hasIpv6)('writes an IPv6 address in brackets', async () => {
    const server = await startTestServer(
      'sqlite',
      { HOST: '::1' },
      { alone: 'its own address is what counts' }
    )
    expect(server.url).toMatch(/^http:\/\/\[::1\]:\d+$/)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    await server.close()
  })

  it('fails with EADDRINUSE when the port is taken, and leaves nothing open', async () => {
    const server = await startTestServer('sqlite', {}, ALONE)
    const place = await makeTestPlace('postgres')
    const env = { DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl, PORT: new URL(server.url).port }
    await expect(startServer(loadConfig(env), silent)).rejects.toMatchObject({ code: 'EADDRINUSE' })
    const client = new pg.Client({ connectionString: place.databaseUrl })
    await client.connect()
    // A closed connection's process lingers for a moment.
    await until(async () => {
      const { rows } = await client.query(
        'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
      )
      return rows.length === 0
    })
    await client.end()
    await server.close()
    await place.remove()
  })
})

describe('stopping', () => {
  it('closes idle connections at once, those that never sent a byte too', async () => {
    const server = await startTestServer('sqlite', {}, ALONE)
    const untouched = await openRaw(server.url)
    const idle = await openRaw(server.url)
    idle.send('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await until(() => idle.received().includes('"status":"ok"'))
    expect(idle.received()).toContain('Connection: keep-alive')
    await Promise.all([server.close(), untouched.closed, idle.closed])
  })

  it('lets an open request finish and then closes its connection', async () => {
    const server = await startTestServer('sqlite', {}, ALONE)
    const { connection, finish } = await openRequest(server.url, server.partner.key)
    const closing = server.close()
    // Who comes in the moment before is told that it stops.
    const ask = () =>
      fetch(`${server.url}/readyz`).then(
        ({ status }) => status,
        () => 'refused'
      )
    await expect.poll(ask).toBe('refused')
    finish()
    await Promise.all([closing, connection.closed])
    expect(connection.received()).toMatch(/HTTP\/1\.1 200 OK/)
    expect(connection.received()).toMatch(/^connection: close\r$/im)
  })

  it('closes a request that doesn’t finish at the deadline', async () => {
    const listener = await listen(
      () => new Promise<Response>(() => undefined),
      { host: '127.0.0.1', port: 0 },
      { drainWithinMs: 50 }
    )
    const connection = await openRaw(listener.url)
    connection.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const drained = listener.drain()
    await Promise.all([drained, connection.closed])
    expect(connection.received()).toBe('')
  })

  it('can be asked for twice', async () => {
    const server = await startTestServer('sqlite', {}, ALONE)
    const place = await makeTestPlace('sqlite')
    const running = await startServer(loadConfig({ DATA_DIR: place.dataDir, PORT: '0' }), silent)
    await Promise.all([running.stop(), running.stop()])
    await place.remove()
    await server.close()
  })
})

describe('the process', () => {
  // On SIGINT it ends in order too: cli/beside-service.test.ts.
  it('finishes the open request on SIGTERM, and exits with 0', async () => {
    const place = await makeTestPlace('sqlite')
    const env = environmentAt(place)
    const service = await openService(loadConfig(env), silent)
    const { key } = await makePartner(service)
    await service.close()

    const serving = await startService(env)
    const { connection, finish } = await openRequest(serving.url, key)
    const exited = serving.stop('SIGTERM')
    await until(() => serving.stderr().includes('"stopping"'))
    finish()
    await connection.closed
    expect(connection.received()).toMatch(/HTTP\/1\.1 200 OK/)
    expect(await exited).toBe(0)
    expect(serving.stderr()).toContain('"stopped"')
    await place.remove()
  })
})
