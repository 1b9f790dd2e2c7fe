// An answer goes to the address that the app registered, and to none that looks like it (RFC 9700 §4.1).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSites } from '../portal/sites.ts'
import type { TestServer } from '../support/http.ts'
import {
  answerTo,
  ask,
  authorizePath,
  codeOf,
  makeClient,
  makeOwner,
  type Owner,
  redeem,
  register
} from './by-hand.ts'

describe('the address that is answered', () => {
  let server: TestServer
  let url: string
  let owner: Owner
  beforeAll(async () => {
    server = await startSites('sqlite')
    url = server.url
    owner = await makeOwner(server)
  })
  afterAll(() => server.close())

  const askFor = (clientId: string, redirect_uri: string | undefined) =>
    ask(url + authorizePath(url, clientId, { redirect_uri }))

  describe('registers', () => {
    it.each([
      'https://claude.ai/api/mcp/auth_callback',
      'https://chatgpt.com/connector/oauth/some_id-1',
      'http://127.0.0.1:33333/callback',
      'http://localhost/callback',
      'http://[::1]:8080/callback',
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'com.example.app:/callback'
    ])('as %s', async (uri) => {
      const { status, body } = await register(url, { redirect_uris: [uri] })
      expect([status, body.redirect_uris]).toEqual([201, [uri]])
      const { location } = Object.fromEntries((await askFor(String(body.client_id), uri)).headers)
      expect(location).toMatch(/\/connect\//)
    })

    it.each([
      ['userinfo', 'https://claude.ai@evil.example/callback'],
      ['userinfo with a password', 'https://claude.ai:443@evil.example/callback'],
      ['a fragment', 'https://app.example/callback#x'],
      ['an empty fragment', 'https://app.example/callback#'],
      ['an IDN', 'https://аpp.example/callback'],
      ['a full-width dot', 'https://app。example/callback'],
      ['a backslash', 'https://evil.example\\@app.example/callback'],
      ['a line end', 'https://app.example/\ncallback'],
      ['a space', ' https://app.example/callback'],
      ['a wildcard', 'https://*.example/callback'],
      ['plain http', 'http://app.example/callback'],
      ['plain http of a name like this machine’s', 'http://localhost.evil.example/callback'],
      ['plain http of an address like this machine’s', 'http://127.0.0.1.evil.example/callback'],
      ['a script', 'javascript:alert(1)'],
      ['a script in other letters', 'JavaScript:alert(1)'],
      ['a script behind a tab', 'java\tscript:alert(1)'],
      ['a document of its own', 'data:text/html,<script>alert(1)</script>'],
      ['a blob', 'blob:https://app.example/1'],
      ['a file', 'file:///etc/passwd'],
      ['a page’s source', 'view-source:https://app.example/callback'],
      ['an app’s intent', 'intent://scan/#Intent;scheme=x;end'],
      ['no scheme', '//app.example/callback'],
      ['a path', '/callback'],
      ['nothing', '']
    ])('nothing with %s', async (_, uri) => {
      for (const redirect_uris of [[uri], ['https://app.example/callback', uri]]) {
        const { status, body } = await register(url, { redirect_uris })
        expect([status, body.error]).toEqual([400, 'invalid_redirect_uri'])
      }
    })

    it.each([
      ['none at all', undefined],
      ['an empty list', []],
      ['no list', 'https://app.example/callback'],
      ['what isn’t text', [{ toString: 'x' }]]
    ])('not where there is %s', async (_, redirect_uris) => {
      const { status, body } = await register(url, { redirect_uris })
      expect([status, body.error]).toEqual([400, 'invalid_redirect_uri'])
    })
  })

  describe('is the very one that was registered', () => {
    const OWN = 'https://app.example/callback'
    it.each([
      ['userinfo', 'https://app.example@evil.example/callback'],
      ['userinfo of its own', 'https://evil@app.example/callback'],
      ['another port', 'https://app.example:8443/callback'],
      ['the default port', 'https://app.example:443/callback'],
      ['a fragment', 'https://app.example/callback#x'],
      ['an IDN', 'https://аpp.example/callback'],
      ['its punycode', 'https://xn--pp-6kc.example/callback'],
      ['a host below', 'https://evil.app.example/callback'],
      ['a host that begins like it', 'https://app.example.evil.example/callback'],
      ['a host that ends like it', 'https://evilapp.example/callback'],
      ['a dot behind the host', 'https://app.example./callback'],
      ['other letters', 'https://APP.example/callback'],
      ['a longer path', 'https://app.example/callback/evil'],
      ['a path that begins like it', 'https://app.example/callback.evil'],
      ['a path out of it', 'https://app.example/callback/../evil'],
      ['an encoded path out of it', 'https://app.example/callback%2f..%2fevil'],
      ['a shorter path', 'https://app.example/'],
      ['a query', 'https://app.example/callback?next=evil'],
      ['plain http', 'http://app.example/callback'],
      ['a script', 'javascript:alert(1)'],
      ['a document of its own', 'data:text/html,x'],
      ['this machine', 'http://127.0.0.1/callback'],
      ['nothing', ''],
      ['none', undefined]
    ])('and nothing is sent to one with %s', async (_, uri) => {
      const clientId = await makeClient(url, { redirect_uris: [OWN] })
      const refused = await askFor(clientId, uri)
      expect([refused.status, refused.headers.get('location'), refused.headers.get('refresh')]).toEqual([
        400,
        null,
        null
      ])
      expect(refused.headers.getSetCookie()).toEqual([])
      expect(refused.headers.get('content-type')).toContain('text/html')
      expect(String(refused.body.text)).not.toMatch(
        /href="(?:https?:)?\/\/|href="(?:javascript|data):|http-equiv/i
      )
      expect((await askFor(clientId, OWN)).headers.get('location')).toMatch(/\/connect\//)
    })

    it('even when it is asked for twice', async () => {
      const clientId = await makeClient(url, { redirect_uris: [OWN] })
      const twice = `${authorizePath(url, clientId)}&redirect_uri=${encodeURIComponent('https://evil.example/callback')}`
      const { status, headers } = await ask(url + twice)
      expect([status, headers.get('location')]).toEqual([400, null])
    })
  })

  describe('is on any port where the app is on the user’s own machine', () => {
    it.each([
      ['http://127.0.0.1/callback', 'http://127.0.0.1:51234/callback'],
      ['http://[::1]:1/callback', 'http://[::1]:51234/callback'],
      ['http://localhost:3000/callback', 'http://localhost:51234/callback']
    ])('%s', async (registered, asked) => {
      const clientId = await makeClient(url, { redirect_uris: [registered] })
      const answer = await answerTo(url, clientId, owner, { redirect_uri: asked })
      expect(answer.origin + answer.pathname).toBe(asked)
      const code = codeOf(answer)
      expect((await redeem(url, clientId, code, { redirect_uri: registered })).status).toBe(400)
      expect((await redeem(url, clientId, code, { redirect_uri: asked })).status).toBe(200)
    })

    it.each([
      ['another path', 'http://127.0.0.1:51234/callback/evil'],
      ['another query', 'http://127.0.0.1:51234/callback?x'],
      ['userinfo', 'http://127.0.0.1@evil.example:51234/callback'],
      ['userinfo of its own', 'http://evil@127.0.0.1:51234/callback'],
      ['another machine', 'http://127.0.0.2:51234/callback'],
      ['a name that begins so', 'http://127.0.0.1.evil.example:51234/callback'],
      ['the name of this machine', 'http://localhost:51234/callback'],
      ['https', 'https://127.0.0.1:51234/callback']
    ])('and nothing else: %s', async (_, asked) => {
      const clientId = await makeClient(url, { redirect_uris: ['http://127.0.0.1:33333/callback'] })
      const { status, headers } = await askFor(clientId, asked)
      expect([status, headers.get('location')]).toEqual([400, null])
    })
  })
})
