// Backups of a running service, and what is restored from them.

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { z } from 'zod'
import { startServer } from '../../servers/main.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { openService, type Service } from '../../src/service.ts'
import { answersOf, listedCustomers, makeQuietCustomer, startWriter } from '../backup/backed-up.ts'
import { expectCreditsToAddUp } from '../credits/invariants.ts'
import { type MemoryFixture, makeMemoryFixture } from '../mcp/memory-fixture.ts'
import { answerOf, type Environment, environmentAt, mindgate } from '../support/cli.ts'
import {
  type DatabaseKind,
  databases,
  makeEmptyPlace,
  makeTestPlace,
  type TestPlace
} from '../support/databases.ts'
import { makePartner, run, stringAt, unique } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'

const BackedUp = z.strictObject({
  file: z.string(),
  bytes: z.int().positive(),
  database: z.enum(databases),
  secretKey: z.strictObject({ from: z.string().nullable(), copiedTo: z.string().nullable() })
})
const Restored = z.strictObject({
  database: z.string(),
  setAside: z.array(z.string()),
  secretKeyFrom: z.string().nullable()
})

const LIMITS = { RATE_LIMIT: '0', MEMORY_RATE_LIMIT: '0', CREDITS_INITIAL: '1000000' }

const environmentOf = (place: TestPlace): Environment => environmentAt(place, LIMITS)

const openAt = (env: Environment): Promise<Service> => openService(loadConfig(env), createLog('silent'))

beforeAll(() => {
  vi.stubEnv('PATH', `${inject('postgresPrograms')}:${process.env.PATH}`)
})
afterAll(() => {
  vi.unstubAllEnvs()
})

describe.each(databases)('backup and restore on %s', (kind) => {
  let running: TestServer
  let env: Environment
  let dataDir: string
  let service: Service
  let fixture: MemoryFixture

  beforeAll(async () => {
    running = await startTestServer(kind, LIMITS, { alone: 'it is made at the database’s own address' })
    env = running.env
    dataDir = running.service.config.dataDir
    service = running.service
    fixture = await makeQuietCustomer(service, await makePartner(service))
  })
  afterAll(() => running.close())

  const backUp = (name: string, ...more: string[]) =>
    answerOf(BackedUp, env, 'backup', '--to', join(dataDir, name), ...more)

  it('gives a copy of a service that is being written to the same answers elsewhere', async () => {
    const busy = await Promise.all([1, 2, 3].map(() => makeMemoryFixture(service, fixture.partner)))
    const customers = await listedCustomers(running.url, fixture.partner.key)
    const answers = await answersOf(running.url, fixture)

    const writers = busy.map((customer, i) => startWriter(running.url, customer, `Writer ${i}`))
    const written = () => writers.map(({ acknowledged }) => acknowledged.length)
    let [before, after] = [written(), written()]
    let backedUp: z.infer<typeof BackedUp>
    // Until one meets a call of each writer that began and ended beside it: nobody waits for a backup to end.
    do {
      before = written()
      backedUp = await backUp('busy.backup', '--with-secret-key', '--force')
      after = written()
    } while (after.some((count, i) => count < (before[i] ?? 0) + 2))
    await Promise.all(writers.map((writer) => writer.stop()))

    const elsewhere = await makeEmptyPlace(kind)
    const restored = await answerOf(Restored, environmentOf(elsewhere), 'restore', '--from', backedUp.file)
    expect(restored.setAside).toEqual([])
    const copy = await startServer(loadConfig(environmentOf(elsewhere)), createLog('silent'))
    expect(await answersOf(copy.url, fixture)).toEqual(answers)
    expect(await listedCustomers(copy.url, fixture.partner.key)).toEqual(customers)
    await expectCreditsToAddUp(copy.service.database.read)
    for (const [i, customer] of busy.entries()) {
      const kept = await contentsOf(copy.service, customer)
      // One moment of each writer: all from before, and nothing without what came earlier.
      expect(kept).toEqual(writers[i]?.acknowledged.slice(0, kept.length))
      expect(kept.length).toBeGreaterThanOrEqual(before[i] ?? 0)
      expect(kept.length).toBeLessThanOrEqual((after[i] ?? 0) + 1)
    }
    await copy.stop()
    await elsewhere.remove()
  })

  it('holds nothing of what was forgotten before', async () => {
    const [kept, forgotten] = [unique('kept'), unique('forgotten')]
    const filler = 'We met at the harbour and talked of boats. '.repeat(300)
    const told = (content: string) =>
      run(service, fixture.partner.partnerId, 'memory_remember', { customerId: fixture.customerId, content })
    await told(`The word is ${kept}. ${filler}${kept}`)
    const memories = [
      await told(`The word is ${forgotten}.`),
      await told(`Another word is ${forgotten}. ${filler}${forgotten}`)
    ]
    for (const memory of memories) {
      await run(service, fixture.partner.partnerId, 'memory_forget', {
        customerId: fixture.customerId,
        memoryId: stringAt(memory, 'memoryId')
      })
    }
    const { file } = await backUp('forgotten.backup')
    const bytes = bytesOf(kind, file)
    expect(bytes.includes(kept)).toBe(true)
    expect(bytes.includes(forgotten)).toBe(false)
  })

  it('writes one file for its owner’s eyes, and replaces none unless it is told to', async () => {
    const { file, bytes, ...answer } = await backUp('once.backup')
    expect(answer).toEqual({
      database: kind,
      secretKey: { from: join(dataDir, 'secret.key'), copiedTo: null }
    })
    expect([statSync(file).size, statSync(file).mode & 0o777]).toEqual([bytes, 0o600])

    const first = readFileSync(file)
    const again = await mindgate(env, ['backup', '--to', file])
    expect([again.code, again.stdout]).toEqual([1, ''])
    expect(again.stderr).toContain('--force')
    expect(readFileSync(file).equals(first)).toBe(true)

    await makeMemoryFixture(service, fixture.partner)
    await backUp('once.backup', '--force')
    expect(readFileSync(file).equals(first)).toBe(false)
    expect(readdirSync(dataDir).filter((name) => name.startsWith('once.'))).toEqual(['once.backup'])
  })

  it('writes the secret key beside it when asked, and says where it is otherwise', async () => {
    const { file, secretKey } = await backUp('keyed.backup', '--with-secret-key')
    expect(secretKey.copiedTo).toBe(`${file}.key`)
    expect(readFileSync(`${file}.key`, 'utf8')).toBe(readFileSync(join(dataDir, 'secret.key'), 'utf8'))
    expect(statSync(`${file}.key`).mode & 0o777).toBe(0o600)
    const { stdout } = await mindgate(env, ['backup', '--to', join(dataDir, 'unkeyed.backup')])
    expect(stdout).toContain(`needed with it and not in it; it is ${join(dataDir, 'secret.key')}`)
  })

  it('refuses to keep a key that doesn’t fit', async () => {
    const other = { ...env, SECRET_KEY: 'another-key-another-key-another-key' }
    const file = join(dataDir, 'misfit.backup')
    const { code, stderr } = await mindgate(other, ['backup', '--to', file, '--with-secret-key'])
    expect([code, existsSync(file), existsSync(`${file}.key`)]).toEqual([1, false, false])
    expect(stderr).toContain('SECRET_KEY is not the secret key')
  })

  it('refuses to restore without the key that opens it', async () => {
    const { file } = await backUp('sealed.backup')
    const elsewhere = await makeEmptyPlace(kind)
    const { code, stderr } = await mindgate(environmentOf(elsewhere), ['restore', '--from', file])
    expect(code).toBe(1)
    expect(stderr).toContain('sealed with another secret key')
    expect(readdirSync(elsewhere.dataDir)).toEqual([])

    const withKey = { ...environmentOf(elsewhere), SECRET_KEY: service.config.secretKey }
    const { secretKeyFrom } = await answerOf(Restored, withKey, 'restore', '--from', file)
    expect(secretKeyFrom).toBe('SECRET_KEY')
    await elsewhere.remove()
  })

  it('refuses to restore over a service that runs, --force or not', async () => {
    const { file } = await backUp('running.backup')
    const customers = await listedCustomers(running.url, fixture.partner.key)
    for (const force of [[], ['--force']]) {
      const { code, stderr } = await mindgate(env, ['restore', '--from', file, ...force])
      expect(code).toBe(1)
      expect(stderr).toContain(kind === 'sqlite' ? 'Stop it first' : 'not empty')
    }
    expect(await listedCustomers(running.url, fixture.partner.key)).toEqual(customers)
  })

  it('refuses a database of a newer version, and makes nothing', async () => {
    const ahead = await makeTestPlace(kind)
    const newer = await openAt(environmentOf(ahead))
    const table = newer.database.transaction((tx) =>
      tx
        .withTables<{ kysely_migration: { name: string; timestamp: string } }>()
        .insertInto('kysely_migration')
        .values({ name: '999-tomorrow', timestamp: '2030-01-01T00:00:00.000Z' })
        .execute()
    )
    await table
    await newer.close()
    const made = await mindgate(environmentOf(ahead), ['backup', '--to', join(ahead.dataDir, 'newer.backup')])
    await ahead.remove()
    expect(made.code).toBe(1)
    expect(made.stderr).toContain('newer version (999-tomorrow)')
  })

  it('refuses what is no backup', async () => {
    const elsewhere = await makeEmptyPlace(kind)
    const file = join(dataDir, 'letter.txt')
    writeFileSync(file, 'Dear operator, this is a letter and no database.')
    for (const from of [file, join(dataDir, 'missing.backup')]) {
      const { code, stderr } = await mindgate(environmentOf(elsewhere), ['restore', '--from', from])
      expect(code).toBe(1)
      expect(stderr).toMatch(/is no backup|There is no file/)
    }
    expect(readdirSync(elsewhere.dataDir)).toEqual([])
    await elsewhere.remove()
  })
})

/** The backup's own bytes; a dump is compressed, so its text. */
const bytesOf = (kind: DatabaseKind, file: string): Buffer =>
  kind === 'sqlite'
    ? readFileSync(file)
    : execFileSync(join(inject('postgresPrograms'), 'pg_restore'), ['--file=-', file])

async function contentsOf(service: Service, { customerId }: MemoryFixture): Promise<string[]> {
  const rows = await service.database.read
    .selectFrom('memory')
    .innerJoin('mind', 'mind.key', 'memory.mindKey')
    .where('customerId', '=', customerId)
    .where('isPrimary', '=', 1)
    .select(['content', 'seq'])
    .orderBy('seq')
    .execute()
  return rows.map(({ content }) => content)
}
