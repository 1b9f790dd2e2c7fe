// Whoever gets a copy of the database gets in nowhere with what is in it.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { mintCustomerToken } from '../../src/keys/credentials.ts'
import { makePartner, run, uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { mailedSecret, onboard, PASSWORD, siteClient } from './site-client.ts'
import { startSites } from './sites.ts'

const CONSOLE_PASSWORD = 'console battery staple'

describe('a stolen database', () => {
  let server: TestServer
  /** Every value of every row, as text. */
  let values: string[]
  const secrets: Record<string, string> = {}

  beforeAll(async () => {
    server = await startSites('sqlite')
    const { service, partner, url } = server
    const base = `/portal/${partner.slug}`
    secrets['the API key'] = partner.key
    const owner = await onboard(service, partner.partnerId, uniqueEmail())
    const client = siteClient(url)
    await client.post(`${base}/accept`, { form: { token: owner.linkToken, password: PASSWORD } })
    secrets['the portal’s session'] = client.cookies.get('mindgate_portal') ?? ''
    secrets['the portal’s password'] = PASSWORD
    const invited = await onboard(service, partner.partnerId, uniqueEmail())
    secrets['the invite'] = invited.linkToken
    secrets['the temporary password'] = invited.temporaryPassword
    await run(service, partner.partnerId, 'customer_send_password_reset', { customerId: owner.customerId })
    secrets['the reset'] = (await mailedSecret(service, owner.email, 'password_reset')).linkToken
    const { token } = await service.database.transaction((tx) =>
      mintCustomerToken(tx, partner.partnerId, owner.customerId, { name: 'agent' })
    )
    secrets['the customer’s token'] = token

    const user = await service.database.read
      .selectFrom('partnerUser')
      .where('partnerId', '=', partner.partnerId)
      .select('email')
      .executeTakeFirstOrThrow()
    await siteClient(url).post('/console/forgot', { form: { email: user.email } })
    const { linkToken } = await vi.waitFor(
      () => mailedSecret(service, user.email, 'console_password'),
      10_000
    )
    const atConsole = siteClient(url)
    await atConsole.post('/console/set-password', { form: { token: linkToken, password: CONSOLE_PASSWORD } })
    expect((await atConsole.get('/console')).status).toBe(200)
    secrets['the console’s session'] = atConsole.cookies.get('mindgate_console') ?? ''
    secrets['the console’s password'] = CONSOLE_PASSWORD
    await siteClient(url).post('/console/forgot', { form: { email: user.email } })
    secrets['the console’s link'] = await vi.waitFor(async () => {
      const second = await mailedSecret(service, user.email, 'console_password')
      expect(second.linkToken).not.toBe(linkToken)
      return second.linkToken
    }, 10_000)
    values = await everyValue(server)
  })
  afterAll(() => server.close())

  it('holds none of them', () => {
    expect(values.length).toBeGreaterThan(200)
    expect(values).toContain(server.partner.slug)
    const found = Object.entries(secrets).filter(([, secret]) =>
      values.some((value) => value.includes(secret))
    )
    expect(found.map(([what]) => what)).toEqual([])
    for (const [what, secret] of Object.entries(secrets))
      expect([what, secret.length > 15]).toEqual([what, true])
  })

  it('has passwords as argon2id alone, with OWASP’s costs', () => {
    const hashes = values.filter((value) => value.startsWith('$argon2'))
    expect(hashes.length).toBeGreaterThanOrEqual(3)
    for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('opens no site with any value in it', { timeout: 120_000 }, async () => {
    const { url, partner } = server
    const likely = [...new Set(values)].filter((value) => /^[\w$=,./+-]{20,200}$/.test(value))
    expect(likely.length).toBeGreaterThan(20)
    const base = `/portal/${partner.slug}`
    for (const value of likely) {
      const client = siteClient(url)
      client.cookies.set('mindgate_portal', encodeURIComponent(value))
      client.cookies.set('mindgate_console', encodeURIComponent(value))
      const token = encodeURIComponent(value)
      const answers = await Promise.all([
        client.get('/api/whitelabel/session'),
        client.get('/console'),
        client.get(`${base}/accept?token=${token}`),
        client.get(`${base}/reset?token=${token}`),
        client.get(`/console/set-password?token=${token}`),
        server.api('GET', '/customers', { key: value })
      ])
      expect([value, ...answers.map(({ status }) => status)]).toEqual([value, 401, 303, 404, 404, 404, 401])
    }
  })

  it('writes none of them to the log, either', async () => {
    await makePartner(server.service)
    const found = Object.entries(secrets).filter(([, secret]) =>
      server.logs.some((line) => line.includes(secret))
    )
    expect(found.map(([what]) => what)).toEqual([])
  })
})

async function everyValue({ service }: TestServer): Promise<string[]> {
  const { database } = service
  const values: string[] = []
  await database.transaction(async (tx) => {
    const tables =
      database.kind === 'sqlite'
        ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
        : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
    for (const { name } of (await tables.execute(tx)).rows) {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(tx)
      for (const row of rows) values.push(...Object.values(row).map(String))
    }
  })
  return values
}
