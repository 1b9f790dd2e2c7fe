// The kit's Caddyfile in front of two real processes on one database: certificates for hosts that are approved and no other,
// addresses as the service must know them, a server's requests at one process, and a process that goes.
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  answerOf,
  CreatedPartner,
  environmentAt,
  mindgate,
  type RunningService,
  startService
} from '../support/cli.ts'
import { makeTestPlace, type TestPlace } from '../support/databases.ts'
import { freePort } from '../support/postgres.ts'
import { kit, makeFolder } from './support/kit.ts'
import { type Program, programOf, startProgram } from './support/programs.ts'

const PUBLIC_URL = 'https://voice.example.com'
const PARTNERS_HOST = 'portal.acme.example'

/** A handshake fails at once, or when Caddy has been told no. */
const SOON = { timeout: 20_000, interval: 50 }

describe('Caddy in front of two processes', () => {
  const { path: folder, remove } = makeFolder()
  let place: TestPlace
  let services: RunningService[] = []
  let caddy: Program | undefined
  let port: number
  let slug: string

  beforeAll(async () => {
    place = await makeTestPlace('postgres')
    const env = environmentAt(place, { PUBLIC_URL, TRUST_PROXY: '1' })
    services = await Promise.all([startService(env), startService(env)])
    const partner = ['partner', 'create', '--name', 'Acme', '--email', 'ops@acme.example']
    slug = (await answerOf(CreatedPartner, env, ...partner)).slug
    const origin = ['--portal-origin', `https://${PARTNERS_HOST}`]
    expect(await mindgate(env, ['partner', 'update', '--partner', slug, ...origin])).toMatchObject({
      code: 0
    })
    const [httpPort, askPort] = [await freePort(), await freePort()]
    port = await freePort()
    const options = ['admin off', 'local_certs', 'skip_install_trust', `storage file_system ${folder}`]
    caddy = startProgram(programOf('caddy'), ['run', '--config', join(kit, 'Caddyfile')], {
      env: {
        HOME: folder,
        PUBLIC_URL,
        MINDGATE_UPSTREAMS: services.map(({ url }) => new URL(url).host).join(' '),
        ASK_PORT: String(askPort),
        CADDY_GLOBAL_OPTIONS: [...options, `http_port ${httpPort}`, `https_port ${port}`].join('\n')
      }
    })
    // Caddy tells once what it found of each process.
    await vi.waitUntil(
      async () => (await ask('voice.example.com', '/readyz').catch(() => undefined))?.status === 200,
      SOON
    )
  })
  afterAll(async () => {
    await caddy?.stop()
    await Promise.all(services.map((service) => service.stop()))
    await place?.remove()
    remove()
  })

  interface Answer {
    status: number | undefined
    requestId: string
    location: string | undefined
    retryAfter: string | undefined
    text: string
  }

  /** As a browser that was led here by the name, and trusts this Caddy's own authority. */
  const ask = (host: string, path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const ca = readFileSync(join(folder, 'pki/authorities/local/root.crt'))
      const options = {
        host: '127.0.0.1',
        port,
        path,
        servername: host,
        ca,
        headers: { host, ...headers },
        agent: false
      }
      const sent = request(options, async (response) => {
        let text = ''
        for await (const chunk of response.setEncoding('utf8')) text += chunk
        const { 'x-request-id': requestId, location, 'retry-after': retryAfter } = response.headers
        resolve({ status: response.statusCode, requestId: String(requestId), location, retryAfter, text })
      })
      sent.on('error', reject)
      sent.end()
    })

  /** The answer to these bytes, until the connection is closed. */
  async function sendRaw(bytes: string): Promise<string> {
    const socket = connect({
      host: '127.0.0.1',
      port,
      servername: 'voice.example.com',
      rejectUnauthorized: false
    })
    socket.write(bytes)
    return (await buffer(socket)).toString()
  }

  const logOf = ({ requestId }: Answer, service: RunningService) =>
    service
      .stderr()
      .split('\n')
      .find((line) => line.includes(requestId))

  /** Which process answered; its log may come a moment later. */
  const answeredBy = (answer: Answer) =>
    vi.waitUntil(() => services.find((service) => logOf(answer, service) !== undefined), SOON)

  it('serves the console under PUBLIC_URL, and knows the client’s address and scheme', async () => {
    const page = await ask('voice.example.com', '/console/sign-in', { 'x-forwarded-for': '192.0.2.1' })
    expect(page.status).toBe(200)
    expect(page.text).not.toContain('http://voice.example.com')
  })

  it('serves a partner’s own host, and no other', async () => {
    const home = await ask(PARTNERS_HOST, '/')
    expect(home.status === 200 || home.location?.startsWith('/')).toBe(true)
    const page = await ask(PARTNERS_HOST, '/sign-in')
    expect(page.status).toBe(200)
    expect(page.text).toContain('Acme')
    await expect(ask('stranger.example', '/')).rejects.toThrow(/alert|ECONNRESET|disconnected/i)
  })

  it('keeps what is about one server at one process, whatever a client says, and shares out the rest', async () => {
    const about = async (path: string, headers = {}) =>
      answeredBy(await ask('voice.example.com', path, headers))
    const used = new Set<RunningService>()
    // Which is whose follows from the processes' ports: of eight servers one run in a hundred has all at one process.
    for (let index = 0; index < 8 || (used.size < 2 && index < 64); index += 1) {
      const server = `ins_${String(index).padStart(20, '0')}`
      const first = await about(`/api/whitelabel/vps/instances/${server}/cli-agent/chat`)
      used.add(first)
      for (const path of [
        `/api/whitelabel/vps/instances/${server}/cli-agent/chat/history`,
        `/api/v1/mcp/instances/${server}/cli-agent/health?lines=2`,
        `/console/instances/${server}`
      ])
        expect(await about(path, { 'mindgate-server': 'another' })).toBe(first)
    }
    expect(used.size).toBe(2)
    const shared = new Set<RunningService>()
    while (shared.size < 2)
      shared.add(await about('/api/v1/mcp/customers', { 'mindgate-server': 'always-the-same' }))
  })

  it('loses no process to requests that are broken', async () => {
    // There the body is read first: elsewhere a refusal can be quicker than Caddy, which passes it on then.
    const chunks =
      'POST /oauth/token HTTP/1.1\r\nHost: voice.example.com\r\nTransfer-Encoding: chunked\r\n\r\nno number\r\n'
    for (let count = 0; count < 4; count += 1) expect(await sendRaw(chunks)).toMatch(/^HTTP\/1\.1 502 /)
    for (const id of ['%00', 'a%0Ab', '%E2%82%AC', 'a%20b'])
      for (const path of [
        `/api/v1/mcp/instances/${id}`,
        `/console/instances/${id}/chat`,
        '/api/v1/mcp/customers'
      ])
        expect([path, (await ask('voice.example.com', path)).status]).toEqual([
          path,
          expect.toBeOneOf([303, 400, 401, 404])
        ])
    // It is sent once, whatever comes of it.
    const call =
      'POST /api/mcp HTTP/1.1\r\nHost: voice.example.com\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}'
    for (let count = 0; count < 4; count += 1) expect(await sendRaw(call)).toMatch(/^HTTP\/1\.1 401 /)
  })

  it('goes on while a process stops', async () => {
    const [first] = services
    const stopped = first?.stop()
    for (let count = 0; count < 50; count += 1)
      expect((await ask('voice.example.com', '/readyz')).status).toBe(200)
    expect(await stopped).toBe(0)
    expect((await ask('voice.example.com', '/readyz')).status).toBe(200)
  })

  it('says when to come again where no process is left, to programs as the service does', async () => {
    await Promise.all(services.map((service) => service.stop()))
    const [call, page] = [
      await ask('voice.example.com', '/api/v1/mcp/customers'),
      await ask('voice.example.com', '/console')
    ]
    // 502 as long as Caddy hasn't found out by itself.
    for (const { status } of [call, page]) expect([502, 503]).toContain(status)
    for (const { retryAfter } of [call, page]) expect(retryAfter).toBe('5')
    expect(JSON.parse(call.text)).toMatchObject({ success: false, code: 'database_unavailable' })
    expect(page.text).toBe('The service is not available for the moment. Try again shortly.')
  })
})
