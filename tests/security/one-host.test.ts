// RFC 9112 §3.2: a request names one host. What it names twice, a proxy and we could take for two different portals.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { updatePartner } from '../../src/partners/store.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { exchangeRaw, openRaw } from '../support/raw-socket.ts'

const OURS = 'portal.acme.example'

describe('a request', () => {
  let server: TestServer
  beforeAll(async () => {
    const alone = 'Caddy refuses such requests itself'
    server = await startTestServer('sqlite', { METRICS_TOKEN: 'x'.repeat(32) }, { alone })
    await server.service.database.transaction((tx) =>
      updatePartner(tx, server.partner.partnerId, { portalOrigin: `https://${OURS}` })
    )
  })
  afterAll(() => server.close())

  const head = (target: string, ...headers: string[]) =>
    [`GET ${target} HTTP/1.1`, ...headers, 'Accept: application/json', '', ''].join('\r\n')
  const ask = (target: string, ...headers: string[]) =>
    exchangeRaw(server.url, head(target, ...headers, 'Connection: close'))
  const statusesIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)

  it.each([
    '/healthz',
    '/metrics',
    '/api/v1/mcp/customers',
    '/api/v1/mcp/openapi.json',
    '/api/partner-mcp',
    '/api/mcp',
    '/api/whitelabel/session',
    '/portal/acme/sign-in',
    '/console/sign-in',
    '/assets/nothing.css',
    '/nothing'
  ])('with two hosts is 400 at %s', async (path) => {
    for (const hosts of [
      ['Host: localhost', 'Host: localhost'],
      ['Host: localhost', `Host: ${OURS}`],
      [`Host: ${OURS}`, 'hOST: evil.example']
    ]) {
      const answer = await ask(path, ...hosts)
      expect(statusesIn(answer)).toEqual(['400'])
      expect(answer).toContain('The request must name its host once')
    }
    expect(statusesIn(await ask(path, 'Host: localhost'))).not.toEqual(['400'])
  })

  it('is 400 behind others on its connection, too', async () => {
    const connection = await openRaw(server.url)
    const good = head('/healthz', 'Host: localhost')
    connection.send(good + head('/healthz', 'Host: localhost', 'Host: evil.example') + good)
    await vi.waitUntil(() => statusesIn(connection.received()).length === 3)
    expect(statusesIn(connection.received())).toEqual(['200', '400', '200'])
    connection.socket.destroy()
  })

  it('whose target names a host names the same in its Host', async () => {
    expect(statusesIn(await ask('http://LocalHost/healthz', 'Host: localhost'))).toEqual(['200'])
    for (const target of [`http://${OURS}/`, 'https://evil.example/healthz', 'http://a@localhost/healthz']) {
      expect(statusesIn(await ask(target, 'Host: localhost'))).toEqual(['400'])
    }
  })

  it.each([
    [],
    ['Host:'],
    ['Host: a b'],
    ['Host: a, b'],
    ['Host: a@b'],
    ['Host: a/'],
    ['Host: a?b'],
    ['Host: a#b'],
    ['Host: a\\b'],
    ['Host: %61'],
    ['Host: a:99999'],
    ['Host : a'],
    ['Host: a', 'Content-Length: 0', 'Content-Length: 1'],
    ['Host: a', 'Content-Length: 1', 'Transfer-Encoding: chunked']
  ])('is 400 with the headers “%s”', async (...headers) => {
    expect(statusesIn(await ask('/healthz', ...headers))).toEqual(['400'])
  })

  it('isn’t let in by one of two credentials', async () => {
    const { key } = server.partner
    for (const name of ['Authorization: Bearer ', 'X-API-Key: ']) {
      const answer = await ask('/api/v1/mcp/customers', 'Host: localhost', name + key, `${name}pkt_other`)
      expect(statusesIn(answer)).toEqual(['401'])
    }
  })
})
