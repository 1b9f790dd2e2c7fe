// Whoever gets a copy of the database, or of the log, gets in nowhere with what an app has.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSites } from '../portal/sites.ts'
import { databases } from '../support/databases.ts'
import type { TestServer } from '../support/http.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import {
  begin,
  callGateway,
  codeOf,
  comeBack,
  connect,
  makeClient,
  makeOwner,
  refresh,
  signedIn,
  tokensOf
} from './by-hand.ts'
import { makeStaff } from './people.ts'

describe.each(databases)('what opens anything to an app, on %s', (kind) => {
  let server: TestServer
  const secrets: Record<string, string> = {}
  let clientId: string
  beforeAll(async () => {
    server = await startSites(kind)
    const { url, partner } = server
    const owner = await makeOwner(server)
    const customers = await connect(url, owner)
    const partners = await connect(url, await makeStaff(server, partner), 'partner')
    const next = tokensOf(await refresh(url, customers.clientId, customers.refreshToken))
    await callGateway(url, '/api/mcp', next.accessToken)
    await callGateway(url, '/api/partner-mcp', next.accessToken)
    for (const [of, tokens] of Object.entries({ customers, partners, next }))
      for (const [what, secret] of Object.entries(tokens))
        if (what !== 'clientId') secrets[`${of} ${what}`] = secret
    clientId = await makeClient(url)
    const browser = await signedIn(url, owner, partner.slug)
    const uidOf = (path: string) => path.split('/').at(-1) ?? ''
    secrets['a request under way'] = uidOf(await begin(browser, url, clientId))
    const path = await begin(browser, url, clientId)
    secrets['a request that was decided'] = uidOf(path)
    const answer = await comeBack(browser, await browser.post(path, { form: { scopes: 'memory:read' } }))
    secrets['an unused code'] = codeOf(answer)
  })
  afterAll(() => server.close())

  const among = (texts: readonly string[]) =>
    Object.entries(secrets).flatMap(([what, secret]) =>
      texts.some((text) => text.includes(secret)) ? [what] : []
    )

  it('is nowhere in the database', async () => {
    expect(Object.keys(secrets)).toHaveLength(11)
    for (const secret of Object.values(secrets)) expect(secret.length).toBeGreaterThan(20)
    const rows = Object.values(await everyRow(server.service)).flat()
    expect(rows.some((row) => row.includes(clientId))).toBe(true)
    expect(rows.filter((row) => row.includes('"kind":"RefreshToken"')).length).toBeGreaterThan(1)
    expect(among(rows)).toEqual([])
  })

  it('is nowhere in the log', () => {
    expect(server.logs.some((line) => line.includes('/oauth/token'))).toBe(true)
    expect(among(server.logs)).toEqual([])
  })
})
