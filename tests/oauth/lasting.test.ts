// How long what an app got goes on, what its user's browser keeps of it, and what a token costs that is asked for wrongly.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProvider } from '../../servers/oauth/provider.ts'
import { openRecords } from '../../src/connected-apps/records.ts'
import { startSites } from '../portal/sites.ts'
import type { TestServer } from '../support/http.ts'
import { type MovedClock, moveClock } from '../support/moved-clock.ts'
import { REDIRECT } from './apps.ts'
import {
  answerTo,
  ask,
  authorizePath,
  begin,
  codeOf,
  comeBack,
  connect,
  makeClient,
  makeOwner,
  type Owner,
  redeem,
  refresh,
  sendForm,
  signedIn,
  tokensOf
} from './by-hand.ts'
import { serveClientDocument } from './client-document.ts'

const DAY_MS = 86_400_000
const OTHER_TARGET = { resource: 'https://other.example/api/mcp' }

let server: TestServer
let url: string
let owner: Owner
beforeAll(async () => {
  server = await startSites(
    'sqlite',
    { OAUTH_ALLOW_PRIVATE: '1' },
    { alone: 'the clock that moves is this process’s' }
  )
  url = server.url
  owner = await makeOwner(server)
})
afterAll(() => server.close())

describe('a connection', () => {
  let clock: MovedClock | undefined
  const wait = (days: number) => {
    clock?.restore()
    clock = moveClock(Date.now() + days * DAY_MS)
  }

  it('goes on for a year where each quarter asks for it, and no longer', async () => {
    const { clientId, ...first } = await connect(url, owner)
    let token = first.refreshToken
    try {
      for (const days of [89, 178, 267, 356, 364]) {
        wait(days)
        token = tokensOf(await refresh(url, clientId, token)).refreshToken
      }
      wait(366)
      const { status, body } = await refresh(url, clientId, token)
      expect([status, body.error]).toEqual([400, 'invalid_grant'])
    } finally {
      clock?.restore()
    }
  })

  it('is asked for within half an hour', async () => {
    const browser = await signedIn(url, owner, server.partner.slug)
    const page = await begin(browser, url, await makeClient(url))
    const statusAfter = async (minutes: number) => {
      wait(minutes / 1_440)
      return (await browser.get(page).finally(() => clock?.restore())).status
    }
    expect(await statusAfter(29)).toBe(200)
    expect(await statusAfter(31)).toBe(404)
  })
})

it('a browser keeps of a request what it goes on by, and nobody’s session', async () => {
  const browser = await signedIn(url, owner, server.partner.slug)
  const kept = () => [...browser.cookies.keys()].filter((name) => /connect|_as/.test(name)).toSorted()
  const page = await begin(browser, url, await makeClient(url))
  expect(kept()).toEqual(['mindgate_connect', 'mindgate_connect_back'])
  const { headers } = await ask(url + authorizePath(url, await makeClient(url)))
  for (const cookie of headers.getSetCookie()) expect(cookie).toMatch(/; samesite=lax; httponly$/i)
  await comeBack(browser, await browser.post(page, { form: { scopes: 'memory:read' } }))
  expect(kept()).not.toContain('mindgate_as')
  const rows = await server.service.database.read.selectFrom('oauthRecord').select('kind').execute()
  expect(rows.map(({ kind }) => kind)).not.toContain('Session')
})

describe('a token that is asked for wrongly', () => {
  it('is still to be had: a code for a gateway that is none', async () => {
    const clientId = await makeClient(url)
    const code = codeOf(await answerTo(url, clientId, owner))
    const wrong = await redeem(url, clientId, code, OTHER_TARGET)
    expect([wrong.status, wrong.body]).toEqual([
      400,
      { error: 'invalid_target', error_description: 'It isn’t for that resource.' }
    ])
    expect((await redeem(url, clientId, code)).status).toBe(200)
  })

  it('is still to be had: more often than an app may', async () => {
    const { clientId, refreshToken, accessToken } = await connect(url, owner)
    const held = await openRecords(server.service.database, 'AccessToken').find(accessToken)
    const { rateLimits } = server.service
    while (!(await rateLimits?.spend(String(held?.grantId)))?.isOverdrawn);
    const { status, headers } = await refresh(url, clientId, refreshToken)
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    const clock = moveClock(Date.now() + 120_000)
    try {
      expect((await refresh(url, clientId, refreshToken)).status).toBe(200)
    } finally {
      clock.restore()
    }
  })

  it('ends where that is asked for, and only then', async () => {
    const { clientId, accessToken, refreshToken } = await connect(url, owner)
    const end = (token: string, by = clientId) =>
      sendForm(url, '/oauth/revoke', { client_id: by, token, ...OTHER_TARGET })
    const document = 'https://app.example/client.json'
    expect([(await end(refreshToken, document)).status, (await end('unknown')).status]).toEqual([200, 200])
    expect((await redeem(url, document, 'unknown')).body.error).toBe('invalid_grant')
    expect((await refresh(url, clientId, refreshToken)).status).toBe(200)
    const held = await openRecords(server.service.database, 'AccessToken').find(accessToken)
    expect((await end(accessToken)).status).toBe(200)
    const grants = openRecords(server.service.database, 'Grant')
    expect([held?.clientId, await grants.find(String(held?.grantId))]).toEqual([clientId, undefined])
    expect((await refresh(url, clientId, refreshToken)).body.error).toBe('invalid_grant')
  })
})

it.each([
  ['ten minutes, however short it may be kept', 'max-age=1', 9, 11],
  ['a day, however long it may be kept', 'public, max-age=31536000', 1_430, 1_450],
  ['as long as it says', 'max-age=3600', 59, 61]
])('a client’s document is kept %s', async (_, cacheControl, minutesKept, minutesLater) => {
  const document = await serveClientDocument({}, { 'cache-control': cacheControl })
  const timesReadAfter = async (minutes: number) => {
    const clock = moveClock(Date.now() + minutes * 60_000)
    const asked = ask(url + authorizePath(url, document.url, { redirect_uri: REDIRECT }))
    expect((await asked.finally(() => clock.restore())).status).toBe(303)
    return document.timesRead()
  }
  try {
    expect(await timesReadAfter(0)).toBe(1)
    expect(await timesReadAfter(minutesKept)).toBe(1)
    expect(await timesReadAfter(minutesLater)).toBe(2)
  } finally {
    document.close()
  }
})

describe('a request to connect an app', () => {
  it('names a portal that there is, or its user is asked for one', async () => {
    const clientId = await makeClient(url)
    const named = (portal: string) => ask(url + authorizePath(url, clientId, { portal }))
    expect((await named(server.partner.slug)).status).toBe(303)
    const { status, headers, body } = await named('nobody')
    expect([status, headers.get('location')]).toEqual([404, null])
    expect(body.text).toContain('Which portal is yours?')
  })
})

it('what fails in the library is told to the operator', () => {
  const provider = createProvider(server.service, 'https://mindgate.example', () => '')
  provider.emit('server_error', Object(null), new Error('the disk is full'))
  const [line = ''] = server.logs.filter((one) => one.includes('the authorization server failed'))
  expect(JSON.parse(line)).toMatchObject({ level: 'error', error: { message: 'the disk is full' } })
})
