// The kit as Docker runs it: the lines of docs/operating.md as they are typed, in a copy of these sources. From nothing to the
// first customer, back from a lost machine, over to PostgreSQL, and to a newer version while callers ask. It takes ports 80
// and 443.
import { execFile } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  copySources,
  FIRST_BUILD_MS,
  isDockerThere,
  linesWith,
  MUCH_OUTPUT,
  operating,
  withCall
} from './support/docker.ts'
import { makeFolder } from './support/kit.ts'

const HOST = 'voice.example.com'
/** Not the kit's own name: its volumes may hold somebody's data. */
const PROJECT = 'mindgate-test'
const SQLITE = 'deploy/compose.sqlite.yml'
const POSTGRES = 'deploy/compose.postgres.yml'
/** Where the replica of a lost machine is kept, besides. */
const WITH_REPLICA = `${SQLITE}:deploy/replica.yml`
const SETTINGS = {
  SECRET_KEY: 'a secret key of the test that is long enough',
  MAIL_URL: 'smtp://127.0.0.1:2525',
  LITESTREAM_REPLICA_URL: 'file:///replica',
  LITESTREAM_ACCESS_KEY_ID: 'none',
  LITESTREAM_SECRET_ACCESS_KEY: 'none',
  POSTGRES_PASSWORD: 'a-password-of-the-test',
  MINDGATE_DB_PASSWORD: 'another-password-of-the-test'
}
const REPLICA = `services:
  litestream:
    volumes:
      - ../replica:/replica
`

/** As they are typed, but for those two names. */
const typedLines = (text: string) =>
  linesWith(text)
    .replaceAll(SQLITE, WITH_REPLICA)
    .replaceAll(/mindgate_(data|default)/g, `${PROJECT}_$1`)

describe.runIf(isDockerThere)('the kit, by Docker', () => {
  const { path: folder, remove } = makeFolder()
  const clone = join(folder, 'mindgate')
  const home = join(folder, 'home')
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    EDITOR: join(home, 'editor'),
    COMPOSE_FILE: WITH_REPLICA,
    COMPOSE_PROJECT_NAME: PROJECT
  }
  let key = ''
  let authority = ''
  const acknowledged: string[] = []

  const bash = async (script: string, more = {}) => {
    const args = ['-euo', 'pipefail', '-c', script]
    const { stdout } = await promisify(execFile)('bash', args, {
      cwd: clone,
      env: { ...env, ...more },
      ...MUCH_OUTPUT
    })
    return stdout
  }

  /** Caddy makes its own authority for each set of volumes. */
  async function trust() {
    const file = join(home, 'root.crt')
    await bash(`docker compose cp caddy:/data/caddy/pki/authorities/local/root.crt "${file}"`)
    authority = readFileSync(file, 'utf8')
    writeFileSync(
      join(home, '.curlrc'),
      `cacert = "${file}"\nresolve = "${HOST}:443:127.0.0.1"\nfail\nsilent\n`
    )
  }

  const ask = (path: string, body?: unknown) =>
    new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
      const headers = { host: HOST, authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const target = { host: '127.0.0.1', servername: HOST, ca: authority, agent: false, headers }
      const method = body === undefined ? 'GET' : 'POST'
      const asked = request({ ...target, method, path: `/api/v1/mcp${path}` }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (more: string) => {
          text += more
        })
        answer.once('error', reject)
        answer.once('end', () => resolve({ status: answer.statusCode, body: JSON.parse(text) }))
      })
      asked.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
    })

  /** The ids of all that was acknowledged and can't be read. */
  async function lost() {
    const missing: string[] = []
    for (const id of acknowledged) if ((await ask(`/customers/${id}`)).status !== 200) missing.push(id)
    return missing
  }

  beforeAll(() => {
    copySources(clone)
    mkdirSync(home)
    // Who runs in the image writes there.
    mkdirSync(join(clone, 'replica'))
    chmodSync(join(clone, 'replica'), 0o777)
    writeFileSync(join(clone, 'deploy/replica.yml'), REPLICA)
    const fill = Object.entries(SETTINGS).map(([name, value]) => `s|^${name}=$|${name}='${value}'|`)
    const editor = `#!/bin/sh\nsed -i "${fill.join(';')}" "$1" && echo CADDY_GLOBAL_OPTIONS=local_certs >> "$1"\n`
    writeFileSync(env.EDITOR, editor, { mode: 0o755 })
  })
  afterAll(async () => {
    for (const COMPOSE_FILE of [WITH_REPLICA, POSTGRES])
      await bash('docker compose down --volumes --timeout 5', { COMPOSE_FILE }).catch(() => undefined)
    remove()
  })

  it('leads from nothing to the first customer', { timeout: FIRST_BUILD_MS }, async () => {
    const { before, call } = withCall(typedLines('exec mindgate mindgate partner create'))
    key = /pkt_\w+/.exec(await bash(before))?.[0] ?? ''
    await trust()
    const answer = await bash(call(key))
    const { data } = z.object({ data: z.object({ id: z.string() }) }).parse(JSON.parse(answer))
    acknowledged.push(data.id)
    expect(statSync(join(clone, 'deploy/.env')).mode & 0o777).toBe(0o600)
  })

  it('lets the service write to its volume alone, as a user without rights', async () => {
    const tell = 'id -u; grep -E "CapBnd|NoNewPrivs" /proc/1/status; touch /app/x 2>&1 || true; ls -ld /data'
    const said = await bash(`docker compose exec mindgate sh -c '${tell}'`)
    const [user, rights, none, refused, data] = said.split('\n')
    // What it could ever get: a user without rights has none in use whatever the file allows.
    expect([user, rights, none]).toEqual([
      '1000',
      expect.stringMatching(/\t0+$/),
      expect.stringMatching(/\t1$/)
    ])
    expect(refused).toContain('Read-only file system')
    expect(data).toMatch(/^drwx------ .* node node /)
  })

  it('comes back from the replica of a lost machine', async () => {
    await pause(2_000)
    await bash('docker compose kill && docker compose down --volumes')
    await bash(typedLines('litestream restore'))
    await trust()
    expect(await lost()).toEqual([])
  })

  it('goes over to PostgreSQL with what it has', { timeout: FIRST_BUILD_MS }, async () => {
    const lines = typedLines('migrate-to \\\n')
    await bash(lines.replace('MINDGATE_DB_PASSWORD@', `${SETTINGS.MINDGATE_DB_PASSWORD}@`))
    env.COMPOSE_FILE = POSTGRES
    await trust()
    expect(await lost()).toEqual([])
    const [, dump = ''] = /`(docker compose exec -T postgres pg_dump [^`]*)`/.exec(operating) ?? []
    await bash(dump)
    expect(readFileSync(join(clone, 'mindgate.dump')).subarray(0, 5).toString()).toBe('PGDMP')
  })

  it('comes to a newer version while callers ask, and refuses nothing', async () => {
    const imagesOf = () =>
      bash('docker compose ps --quiet mindgate-1 mindgate-2 | xargs docker inspect -f {{.Image}}')
    const before = await imagesOf()
    appendFileSync(join(clone, 'src/config.ts'), '\nexport const newer = true\n')
    const refused: unknown[] = []
    let [isOver, asked] = [false, 0]
    const askOn = async (caller: number) => {
      while (!isOver) {
        asked += 1
        const basic = { email: `${caller}-${asked}@lovelace.example`, firstName: 'Ada', lastName: 'Lovelace' }
        const answers = [
          await ask('/customers/onboard', { basic, business: { companyName: 'Engines' } }),
          await ask(`/customers/${acknowledged[0]}`)
        ]
        for (const answer of answers) if (answer.status !== 200) refused.push(answer)
        const made = z.object({ data: z.object({ id: z.string() }) }).safeParse(answers[0]?.body)
        if (made.success) acknowledged.push(made.data.data.id)
        await pause(500)
      }
    }
    const callers = [1, 2, 3].map(askOn)
    await bash(typedLines('--no-deps --wait mindgate-1'))
    await pause(2_000)
    isOver = true
    await Promise.all(callers)
    expect(refused).toEqual([])
    const after = await imagesOf()
    expect(new Set(after.trim().split('\n')).size).toBe(1)
    expect(after).not.toContain(before.split('\n')[0])
    expect(asked).toBeGreaterThan(50)
    expect(await lost()).toEqual([])
  })
})
