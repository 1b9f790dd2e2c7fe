import { chmodSync, writeFileSync } from 'node:fs'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Environment, environmentAt, mindgate, mindgateProcess } from '../support/cli.ts'
import { databases, makeTestPlace, type TestPlace } from '../support/databases.ts'
import { selfSigned } from '../support/self-signed.ts'
import { openTestService } from '../support/service.ts'

const Report = z.strictObject({
  healthy: z.boolean(),
  findings: z.array(
    z.strictObject({
      check: z.string(),
      state: z.enum(['ok', 'warn', 'fail']),
      message: z.string(),
      remedy: z.string().optional()
    })
  )
})

async function examine(env: Environment, run: typeof mindgate = mindgate) {
  const { code, stdout } = await run(env, ['doctor', '--json'])
  const { healthy, findings } = Report.parse(JSON.parse(stdout))
  expect(healthy).toBe(code === 0)
  const found = (check: string) => findings.find((finding) => finding.check === check)
  return { code, stdout, findings, found }
}

/** A service as the internet would reach it, with what it says of itself to who would sign in. */
async function openAddress(dataDir: string, resourceOf = (url: string) => `${url}/api/mcp`) {
  const tls = selfSigned('localhost')
  const file = join(dataDir, 'localhost.pem')
  writeFileSync(file, tls.cert)
  const server = createHttps(tls, (_, response) =>
    response.end(JSON.stringify({ resource: resourceOf(url) }))
  )
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const url = `https://localhost:${(server.address() as AddressInfo).port}`
  const env = { PUBLIC_URL: url, NODE_EXTRA_CA_CERTS: file, OAUTH_ALLOW_PRIVATE: '1' }
  return { env, close: () => new Promise((resolve) => server.close(resolve)) }
}

describe.each(databases)('doctor on %s', (kind) => {
  let place: TestPlace
  let env: Environment
  beforeAll(async () => {
    place = await makeTestPlace(kind)
    env = environmentAt(place)
  })
  afterAll(() => place.remove())

  it('finds a fresh installation healthy', async () => {
    const address = await openAddress(place.dataDir)
    const { code, findings, found } = await examine({ ...env, ...address.env }, mindgateProcess)
    await address.close()
    expect(code).toBe(0)
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([])
    expect(found('database')?.message).toContain(kind === 'sqlite' ? 'SQLite' : 'PostgreSQL')
  })

  it('fails when SECRET_KEY is not the one that sealed the database', async () => {
    const sealed = await openTestService(kind)
    const { code, found } = await examine({
      ...environmentAt(place),
      ...sealed.env,
      SECRET_KEY: 'another-key-another-key-another-key'
    })
    const right = await examine({ ...environmentAt(place), ...sealed.env })
    await sealed.close()
    expect(code).toBe(1)
    expect(found('secret key')).toMatchObject({
      state: 'fail',
      remedy: expect.stringContaining('SECRET_KEY')
    })
    expect(right.found('secret key')?.state).toBe('ok')
  })
})

describe('doctor', () => {
  let place: TestPlace
  let env: Environment
  beforeAll(async () => {
    place = await makeTestPlace('sqlite')
    // Nothing leaves this machine: it is refused before it is asked.
    env = environmentAt(place, { PUBLIC_URL: 'https://127.0.0.1:1' })
  })
  afterAll(() => place.remove())

  it('stops at a configuration that can’t be read and names the variable', async () => {
    const { code, findings } = await examine({ ...env, PORT: 'eighty' })
    expect(code).toBe(1)
    expect(findings).toMatchObject([
      { check: 'configuration', state: 'fail', message: expect.stringContaining('PORT') }
    ])
  })

  it('warns of a data folder that others may read', async () => {
    chmodSync(place.dataDir, 0o755)
    const { code, found } = await examine(env)
    chmodSync(place.dataDir, 0o700)
    expect(code).toBe(0)
    expect(found('data folder')).toMatchObject({
      state: 'warn',
      remedy: expect.stringContaining('chmod 700')
    })
  })

  it('warns of a missing PUBLIC_URL and of one without TLS', async () => {
    const missing = await examine({ ...env, PUBLIC_URL: '' })
    expect(missing.found('public address')).toMatchObject({ state: 'warn' })
    const plain = await examine({ ...env, PUBLIC_URL: 'http://voice.example' })
    expect(plain.found('public address')).toMatchObject({
      state: 'warn',
      message: expect.stringContaining('http')
    })
    const local = await examine({ ...env, PUBLIC_URL: 'http://localhost:8080' })
    expect(local.found('public address')).toMatchObject({ state: 'ok' })
  })

  it('warns of an address at which no hosted assistant could sign in', async () => {
    const plain = await examine({ ...env, PUBLIC_URL: 'http://localhost:8080' })
    const inside = await examine(env)
    const renamed = await openAddress(place.dataDir, () => 'http://backend:8080/api/mcp')
    const behind = await examine({ ...env, ...renamed.env }, mindgateProcess)
    await renamed.close()
    const told = [plain, inside, behind].map(({ found }) => found('hosted assistants'))
    expect(told).toMatchObject([
      { state: 'warn', message: expect.stringContaining('https') },
      { state: 'warn', message: expect.stringContaining('forbidden_address') },
      { state: 'warn', message: expect.stringContaining('doesn’t speak of') }
    ])
  })

  it('fails when another process keeps the database locked', async () => {
    await examine(env)
    const holder = new Sqlite(join(place.dataDir, 'mindgate.db'))
    holder.exec('begin immediate')
    const { code, found } = await examine(env)
    holder.exec('rollback')
    holder.close()
    expect(code).toBe(1)
    expect(found('database')).toMatchObject({ state: 'fail', message: expect.stringContaining('locked') })
  })

  it('fails when PostgreSQL can’t be reached, without its password', async () => {
    const { code, stdout, found } = await examine({
      ...env,
      DATABASE_URL: 'postgres://mindgate:hunter2@127.0.0.1:1/mindgate'
    })
    expect(code).toBe(1)
    expect(found('database')).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('ECONNREFUSED')
    })
    expect(stdout).not.toContain('hunter2')
  })

  it('warns of what was written in the future', async () => {
    await mindgate(env, ['partner', 'create', '--name', 'Early', '--email', 'early@partner.example'])
    const file = new Sqlite(join(place.dataDir, 'mindgate.db'))
    file.prepare('update partner set updatedAt = ?').run('2999-01-01T00:00:00.000Z')
    const { found } = await examine(env)
    file.prepare('update partner set updatedAt = ?').run('2020-01-01T00:00:00.000Z')
    file.close()
    expect(found('clock')).toMatchObject({ state: 'warn', message: expect.stringContaining('2999') })
  })

  it('says for people what to do, and keeps colours out of pipes', async () => {
    const { stdout } = await mindgate({ ...env, PUBLIC_URL: '' }, ['doctor'])
    expect(stdout).toMatch(/^ok {4}configuration/m)
    expect(stdout).toMatch(/^warn {2}public address/m)
    expect(stdout).toContain('Set PUBLIC_URL to the address')
  })

  describe('with an SMTP server', () => {
    const servers: (SMTPServer | Server)[] = []
    afterAll(() => {
      for (const server of servers) server.close()
    })

    const smtp = (password: string) =>
      new Promise<number>((resolve) => {
        const server = new SMTPServer({
          disabledCommands: ['STARTTLS'],
          allowInsecureAuth: true,
          onAuth: (auth, _, done) =>
            auth.password === password ? done(null, { user: 'us' }) : done(new Error(`no ${auth.password}`))
        })
        servers.push(server)
        const listening = server.listen(0, '127.0.0.1', () => resolve(portOf(listening)))
      })

    it('is content when it takes our login', async () => {
      const port = await smtp('right')
      const { found } = await examine({ ...env, MAIL_URL: `smtp://us:right@127.0.0.1:${port}` })
      expect(found('mail')).toMatchObject({
        state: 'ok',
        message: expect.stringContaining(`127.0.0.1:${port}`)
      })
    })

    it('fails when it refuses our login, without the password', async () => {
      const port = await smtp('right')
      const { code, stdout, found } = await examine({
        ...env,
        MAIL_URL: `smtp://us:hunter2@127.0.0.1:${port}`
      })
      expect(code).toBe(1)
      expect(found('mail')).toMatchObject({ state: 'fail', message: expect.stringContaining('EAUTH') })
      expect(stdout).not.toContain('hunter2')
    })

    it('fails when it never says a word, and ends', async () => {
      const port = await new Promise<number>((resolve) => {
        const silent = createServer((socket) => socket.on('error', () => undefined))
        servers.push(silent)
        silent.listen(0, '127.0.0.1', () => resolve(portOf(silent)))
      })
      const { code, found } = await examine({
        ...env,
        MAIL_URL: `smtp://127.0.0.1:${port}`,
        MAIL_TIMEOUT_MS: '300'
      })
      expect(code).toBe(1)
      expect(found('mail')?.state).toBe('fail')
    })

    it('fails when nobody listens', async () => {
      const { found } = await examine({ ...env, MAIL_URL: 'smtp://127.0.0.1:1' })
      expect(found('mail')).toMatchObject({ state: 'fail', remedy: expect.stringContaining('MAIL_URL') })
    })
  })
})

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
