// A client's id may be an address with a document about it: whoever names one makes us fetch it, and we are careful where and what.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { startSites } from '../portal/sites.ts'
import type { TestServer } from '../support/http.ts'
import { selfSigned } from '../support/self-signed.ts'
import {
  answerTo,
  ask,
  authorizePath,
  begin,
  CALLBACK,
  codeOf,
  connect,
  makeOwner,
  type Owner,
  redeem,
  refresh,
  sendForm,
  signedIn
} from './by-hand.ts'

type Answering = (request: IncomingMessage, response: ServerResponse) => void

describe('a client’s document', () => {
  let server: TestServer
  let url: string
  let owner: Owner
  let site: Server
  let origin: string
  let answer: Answering
  const requested: (string | undefined)[] = []
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED

  beforeAll(async () => {
    site = createServer(selfSigned('localhost'), (request, response) => {
      requested.push(request.url)
      response.on('error', () => undefined)
      answer(request, response)
    })
    await new Promise<void>((resolve) => {
      site.listen(0, '127.0.0.1', resolve)
    })
    const bound = site.address()
    if (bound === null || typeof bound === 'string') throw new Error('No port')
    origin = `https://localhost:${bound.port}`
    server = await startSites(
      'sqlite',
      { OAUTH_ALLOW_PRIVATE: '1' },
      { alone: 'this process alone trusts the certificate' }
    )
    url = server.url
    owner = await makeOwner(server)
    // Nobody vouches for the site's certificate, and the product has no switch for that.
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  })
  afterEach(() => {
    requested.length = 0
  })
  afterAll(async () => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    site.closeAllConnections()
    site.close()
    await server.close()
  })

  let documents = 0
  const newClientId = () => {
    documents += 1
    return `${origin}/client-${documents}.json`
  }
  const documentOf = (clientId: string, changed: Record<string, unknown> = {}) =>
    JSON.stringify({
      client_id: clientId,
      client_name: 'Documented',
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'none',
      ...changed
    })
  const says =
    (body: string, status = 200, headers: Record<string, string> = {}): Answering =>
    (_, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    }
  /** The client's id whose document is requested. */
  const asked = ({ url: path }: IncomingMessage) => `${origin}${path}`
  const askedFor = (clientId: string) => ask(url + authorizePath(url, clientId))
  /** What is answered about a client is refused in words, at once, and sent nowhere. */
  const expectRefused = async (clientId: string) => {
    const page = await askedFor(clientId)
    expect([page.status, page.headers.get('location')]).toEqual([400, null])
    expect(page.body.text).toContain('This app can’t be connected')
  }

  it('connects its client, and is fetched once', async () => {
    const clientId = newClientId()
    answer = says(documentOf(clientId))
    const code = codeOf(await answerTo(url, clientId, owner))
    expect((await redeem(url, clientId, code)).status).toBe(200)
    expect(requested).toEqual([new URL(clientId).pathname])
  })

  it('is named beside the host that it is of', async () => {
    const clientId = newClientId()
    answer = says(documentOf(clientId, { client_name: 'Claude' }))
    const browser = await signedIn(url, owner, server.partner.slug)
    const { text } = await browser.get(await begin(browser, url, clientId))
    expect(text).toContain(`This app is new here. ${new URL(origin).host} says that it is its own.`)
  })

  it('is of a site that somebody vouches for', async () => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    const clientId = newClientId()
    answer = says(documentOf(clientId))
    try {
      await expectRefused(clientId)
    } finally {
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    }
    expect(requested).toEqual([])
    expect((await askedFor(clientId)).status).toBe(303)
  })

  it('is read up to 16 KiB', async () => {
    const fits = newClientId()
    answer = says(documentOf(fits).padEnd(16_384))
    expect((await askedFor(fits)).status).toBe(303)
    const long = newClientId()
    answer = says(documentOf(long).padEnd(16_385))
    await expectRefused(long)
  })

  it('is cut where it never ends', async () => {
    let hasEnded = false
    answer = (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(16_384)));
      }
      response.on('drain', more).on('close', () => {
        hasEnded = true
      })
      response.writeHead(200, { 'content-type': 'application/json' })
      more()
    }
    await expectRefused(newClientId())
    await vi.waitFor(() => expect(hasEnded).toBe(true))
  })

  it.each([
    ['no byte comes', () => undefined],
    [
      'one comes now and then',
      (_: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200)
        const drip = setInterval(() => response.write(' '), 100)
        response.on('close', () => clearInterval(drip))
      }
    ]
  ] satisfies [string, Answering][])('is waited for some seconds at most: %s', async (_, slowly) => {
    answer = slowly
    const begun = performance.now()
    await expectRefused(newClientId())
    expect(performance.now() - begun).toBeGreaterThan(2_000)
    expect(performance.now() - begun).toBeLessThan(20_000)
  })

  it.each([301, 302, 303, 307, 308])('is nowhere else: %s', async (status) => {
    const clientId = newClientId()
    const target = newClientId()
    answer = (request, response) =>
      request.url === new URL(clientId).pathname
        ? says('', status, { location: target })(request, response)
        : says(documentOf(clientId))(request, response)
    await expectRefused(clientId)
    expect(new Set(requested)).toEqual(new Set([new URL(clientId).pathname]))
  })

  it.each([
    ['another client', { client_id: 'https://claude.ai/client.json' }],
    ['nobody', { client_id: undefined }],
    ['its own site', { client_id: 'https://localhost' }],
    ['a secret that is sent', { token_endpoint_auth_method: 'client_secret_post' }],
    ['a secret in a header', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['a secret that signs', { token_endpoint_auth_method: 'client_secret_jwt' }],
    ['a secret', { client_secret: 'x' }],
    ['a script that is answered', { redirect_uris: ['javascript:alert(1)'] }],
    ['plain http that is answered', { redirect_uris: ['http://app.example/callback'] }],
    ['no address that is answered', { redirect_uris: undefined }]
  ])('is refused that tells of %s', async (_, changed) => {
    const clientId = newClientId()
    answer = says(documentOf(clientId, changed))
    await expectRefused(clientId)
    answer = says(documentOf(clientId))
    expect((await askedFor(clientId)).status).toBe(303)
  })

  it.each([
    ['a page', says('<!doctype html><title>x</title>')],
    ['nothing', says('')],
    ['null', says('null')],
    ['a list', says('[]')],
    ['text', says('"client"')],
    ['depth', says('['.repeat(16_000))],
    [
      'a status that isn’t 200',
      (request, response) => says(documentOf(asked(request)), 404)(request, response)
    ],
    [
      'a status that is none',
      (request, response) => says(documentOf(asked(request)), 999)(request, response)
    ],
    ['a broken connection', (_, response) => response.destroy()]
  ] satisfies [string, Answering][])('is refused where there is %s', async (_, answering) => {
    answer = answering
    const clientId = newClientId()
    await expectRefused(clientId)
    expect(new Set(requested)).toEqual(new Set([new URL(clientId).pathname]))
  })

  it('tells the operator why it was refused', async () => {
    const reasonOf = async (answering: Answering) => {
      server.logs.length = 0
      answer = answering
      await expectRefused(newClientId())
      // The library asks a second time for whom it is to answer.
      return [...new Set(server.logs.flatMap((line) => JSON.parse(line).reason ?? []))]
    }
    expect(await reasonOf(says('<!doctype html>'))).toEqual(['malformed'])
    expect(await reasonOf((_, response) => response.destroy())).toEqual(['unreachable'])
    expect(await reasonOf(says('{}', 404))).toEqual(['status'])
    expect(await reasonOf(says(' '.repeat(16_385)))).toEqual(['too_large'])
  })

  it('isn’t fetched where its address could be read as another', async () => {
    const { host } = new URL(origin)
    for (const clientId of [
      `http://${host}/client.json`,
      `https://claude.ai@${host}/client.json`,
      `https://${host}/client.json#claude.ai`,
      `https://${host}/a/../client.json`,
      `https://${host}/%2e%2e/client.json`,
      `https://${host}\\client.json`,
      ` https://${host}/client.json`
    ])
      await expectRefused(clientId)
    expect(requested).toEqual([])
  })

  it('isn’t fetched for who has nothing that its client got', async () => {
    const { clientId: stranger, refreshToken } = await connect(url, owner)
    const clientId = newClientId()
    answer = says(documentOf(clientId))
    for (const { status, body } of [
      await redeem(url, clientId, 'x'.repeat(43)),
      await refresh(url, clientId, 'x'.repeat(43)),
      await refresh(url, clientId, refreshToken)
    ])
      expect([status, body.error]).toEqual([400, 'invalid_grant'])
    const ended = await sendForm(url, '/oauth/revoke', { client_id: clientId, token: refreshToken })
    expect(ended.status).toBe(200)
    expect(requested).toEqual([])
    expect((await refresh(url, stranger, refreshToken)).status).toBe(200)
  })
})
