// Who catches an answer, or has another server answer, gets no token for it (RFC 9207, RFC 7636, RFC 9700 §4).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSites } from '../portal/sites.ts'
import type { TestServer } from '../support/http.ts'
import { moveClock } from '../support/moved-clock.ts'
import {
  answerTo,
  ask,
  authorizePath,
  CALLBACK,
  callGateway,
  challengeOf,
  codeOf,
  makeClient,
  makeOwner,
  type Owner,
  redeem,
  refresh,
  sendForm,
  tokensOf,
  VERIFIER
} from './by-hand.ts'

describe('an answer to an app', () => {
  let server: TestServer
  let url: string
  let owner: Owner
  let clientId: string
  beforeAll(async () => {
    server = await startSites('sqlite', {}, { alone: 'the clock that moves is this process’s' })
    url = server.url
    owner = await makeOwner(server)
    clientId = await makeClient(url)
  })
  afterAll(() => server.close())

  const newCode = async (changed: Record<string, string | undefined> = {}) =>
    codeOf(await answerTo(url, clientId, owner, changed))

  describe('names the server that it is of', () => {
    it('as the metadata of that server does', async () => {
      const { body } = await ask(`${url}/.well-known/oauth-authorization-server`)
      expect(body).toMatchObject({ issuer: url, authorization_response_iss_parameter_supported: true })
      const answer = await answerTo(url, clientId, owner)
      expect(answer.searchParams.getAll('iss')).toEqual([body.issuer])
      expect(answer.searchParams.get('state')).toBe('some-state')
    })

    it('when the person declines', async () => {
      const answer = await answerTo(url, clientId, { ...owner, refuses: true })
      expect(Object.fromEntries(answer.searchParams)).toMatchObject({
        error: 'access_denied',
        iss: url,
        state: 'some-state'
      })
      expect(answer.searchParams.has('code')).toBe(false)
    })

    it.each([
      ['a response type that isn’t served', { response_type: 'token' }, 'unsupported_response_type'],
      ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
      ['a gateway that isn’t here', { resource: 'https://other.example/api/mcp' }, 'invalid_target'],
      ['no gateway', { resource: undefined }, 'invalid_target'],
      ['a page that posts it', { response_mode: 'form_post' }, 'unsupported_response_mode'],
      ['a fragment', { response_mode: 'fragment' }, 'unsupported_response_mode'],
      ['nobody who is asked', { prompt: 'none' }, 'login_required']
    ])('when it is an error: %s', async (_, changed, error) => {
      const { headers } = await ask(url + authorizePath(url, clientId, changed))
      // What asks for tokens is answered behind the fragment's sign.
      const answer = new URL((headers.get('location') ?? '').replace('#', '?'))
      expect(answer.origin + answer.pathname).toBe(CALLBACK)
      expect(Object.fromEntries(answer.searchParams)).toMatchObject({ error, iss: url, state: 'some-state' })
      expect(answer.searchParams.has('access_token')).toBe(false)
    })
  })

  describe('is worth nothing to who catches it', () => {
    const refused = async (code: string, changed: Record<string, string | undefined>, by = clientId) => {
      const { status, body } = await redeem(url, by, code, changed)
      expect(body).not.toHaveProperty('access_token')
      return [status, body.error]
    }

    it('and has a client of its own', async () => {
      const code = await newCode()
      expect(await refused(code, {}, await makeClient(url))).toEqual([400, 'invalid_grant'])
      expect((await redeem(url, clientId, code)).status).toBe(200)
    })

    it('with another address than it went to', async () => {
      const code = await newCode()
      const elsewhere = { redirect_uri: 'https://app.example/callback/' }
      expect(await refused(code, elsewhere)).toEqual([400, 'invalid_grant'])
      expect((await refused(code, { redirect_uri: undefined }))[0]).toBe(400)
      expect((await redeem(url, clientId, code)).status).toBe(200)
    })

    it('without the verifier, or with another', async () => {
      const code = await newCode()
      for (const code_verifier of [undefined, 'w'.repeat(43), challengeOf(VERIFIER), '', 'v'])
        expect((await refused(code, { code_verifier }))[0]).toBe(400)
      expect((await redeem(url, clientId, code)).status).toBe(200)
    })

    it('for the other gateway', async () => {
      const code = await newCode()
      expect(await refused(code, { resource: `${url}/api/partner-mcp` })).toEqual([400, 'invalid_target'])
    })

    it('a second time, which ends all that came of it', async () => {
      const code = await newCode()
      const first = tokensOf(await redeem(url, clientId, code))
      const next = tokensOf(await refresh(url, clientId, first.refreshToken))
      for (const { accessToken } of [first, next])
        expect(await callGateway(url, '/api/mcp', accessToken)).toBe(200)
      expect(await refused(code, {})).toEqual([400, 'invalid_grant'])
      for (const { accessToken } of [first, next])
        expect(await callGateway(url, '/api/mcp', accessToken)).toBe(401)
      for (const { refreshToken } of [first, next])
        expect((await refresh(url, clientId, refreshToken)).body).toMatchObject({ error: 'invalid_grant' })
    })

    it('at the same time as its owner: one of both gets tokens', async () => {
      const code = await newCode()
      const answers = await Promise.all([1, 2, 3].map(() => redeem(url, clientId, code)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    })

    it('as long as a minute later', async () => {
      const code = await newCode()
      const clock = moveClock(Date.now() + 61_000)
      try {
        expect(await refused(code, {})).toEqual([400, 'invalid_grant'])
      } finally {
        clock.restore()
      }
    })
  })

  describe('is asked for with a challenge that nobody can turn round', () => {
    it.each([
      ['none', { code_challenge: undefined, code_challenge_method: undefined }],
      ['plain', { code_challenge: VERIFIER, code_challenge_method: 'plain' }],
      ['plain by default', { code_challenge_method: undefined }],
      ['S1', { code_challenge_method: 'S1' }],
      ['too short', { code_challenge: 'short' }]
    ])('or is refused: %s', async (_, changed) => {
      const { status, headers } = await ask(url + authorizePath(url, clientId, changed))
      const answer = new URL(headers.get('location') ?? '')
      expect([status, answer.searchParams.get('error')]).toEqual([303, 'invalid_request'])
      expect(answer.searchParams.has('code')).toBe(false)
    })

    it('which the metadata says', async () => {
      const { body } = await ask(`${url}/.well-known/oauth-authorization-server`)
      expect(body).toMatchObject({
        code_challenge_methods_supported: ['S256'],
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token']
      })
    })
  })

  it.each(['password', 'client_credentials', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code'])(
    'is not to be had by the grant %s',
    async (grant_type) => {
      const { email, password } = owner
      const { status, body } = await sendForm(url, '/oauth/token', {
        grant_type,
        client_id: clientId,
        username: email,
        password
      })
      expect([status, body.error]).toEqual([400, 'unsupported_grant_type'])
    }
  )
})
