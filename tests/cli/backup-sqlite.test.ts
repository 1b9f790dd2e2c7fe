// What only a SQLite file can meet: a file that is in the way, damaged, or somebody else's.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { insertPartner } from '../../src/partners/store.ts'
import { openService } from '../../src/service.ts'
import { cliFile, type Environment, environmentAt, mindgate } from '../support/cli.ts'
import { makeEmptyPlace, makeTestPlace, type TestPlace } from '../support/databases.ts'
import { makePartner } from '../support/fixture.ts'
import { makeCustomerRow } from '../support/rows.ts'

/** Without a process of its own, which takes most of such a test's time. */
async function addPartner(env: Environment, name: string): Promise<void> {
  const service = await openService(loadConfig(env), createLog('silent'))
  await service.database.transaction((tx) =>
    insertPartner(tx, { name, email: `${name.toLowerCase()}@partner.example` })
  )
  await service.close()
}

/** Names of the partners in that database, in the order in which they came. */
function partnersIn(file: string): unknown[] {
  const database = new Sqlite(file, { fileMustExist: true })
  const names = database.prepare('select name from partner order by createdAt, rowid').pluck().all()
  database.close()
  return names
}

describe('restore into DATA_DIR', () => {
  let original: TestPlace
  let place: TestPlace
  let env: Environment
  let outside: string
  let backup: string

  beforeAll(async () => {
    original = await makeTestPlace('sqlite')
    outside = mkdtempSync(join(tmpdir(), 'mindgate-backup-'))
    backup = join(outside, 'mindgate.backup')
    await addPartner(environmentAt(original), 'Early')
    const { code } = await mindgate(environmentAt(original), ['backup', '--to', backup])
    expect(code).toBe(0)
  })
  afterAll(async () => {
    rmSync(outside, { recursive: true })
    await original.remove()
  })
  beforeEach(async () => {
    place = await makeEmptyPlace('sqlite')
    env = environmentAt(place)
    cpSync(original.dataDir, place.dataDir, { recursive: true })
  })
  afterEach(() => place.remove())

  const restore = (...more: string[]) => mindgate(env, ['restore', '--from', backup, '--json', ...more])
  const database = () => join(place.dataDir, 'mindgate.db')
  const fileNames = () => readdirSync(place.dataDir).toSorted()

  it('leaves the database that is there unless it is told to, and then sets it aside', async () => {
    await addPartner(env, 'Late')
    const names = fileNames()
    const refused = await restore()
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('--force')
    expect(fileNames()).toEqual(names)
    expect(partnersIn(database())).toEqual(['Early', 'Late'])

    const { stdout } = await restore('--force')
    expect(partnersIn(database())).toEqual(['Early'])
    const [aside = ''] = z.object({ setAside: z.array(z.string()) }).parse(JSON.parse(stdout)).setAside
    expect(aside).toMatch(/mindgate\.db\.before-\d{8}T\d{6}Z$/)
    expect(partnersIn(aside)).toEqual(['Early', 'Late'])
  })

  it('leaves no WAL of the old database to the new one, after a kill either', async () => {
    const email = 'acknowledged@killed.example'
    const running = place
    const service = await openService(loadConfig(env), createLog('silent'))
    await makeCustomerRow(service, (await makePartner(service)).partnerId, { email })
    // A kill leaves the files as they are while the service runs.
    place = await makeEmptyPlace('sqlite')
    env = environmentAt(place)
    cpSync(running.dataDir, place.dataDir, { recursive: true })
    await service.close()
    await running.remove()
    expect(fileNames()).toContain('mindgate.db-wal')

    const { stdout } = await restore('--force')
    expect(fileNames().filter((name) => /^mindgate\.db-/.test(name))).toEqual([])
    expect(partnersIn(database())).toEqual(['Early'])
    const [aside = ''] = z.object({ setAside: z.array(z.string()) }).parse(JSON.parse(stdout)).setAside
    const kept = new Sqlite(aside, { readonly: true })
    expect(kept.prepare('select email from customer').pluck().all()).toEqual([email])
    kept.close()
  })

  it('replaces a damaged database, which it keeps too', async () => {
    writeFileSync(database(), 'no database any more')
    writeFileSync(`${database()}-wal`, 'its WAL')
    const { code, stdout } = await restore('--force')
    expect(code).toBe(0)
    expect(partnersIn(database())).toEqual(['Early'])
    expect(fileNames().filter((name) => /^mindgate\.db-/.test(name))).toEqual([])
    const [aside = ''] = z.object({ setAside: z.array(z.string()) }).parse(JSON.parse(stdout)).setAside
    expect(readFileSync(aside, 'utf8')).toBe('no database any more')
    expect(readFileSync(`${aside}-wal`, 'utf8')).toBe('its WAL')
  })

  it('refuses a database that is not Mindgate’s, is newer or damaged, and touches nothing', async () => {
    const bad = join(outside, 'bad.backup')
    const spoil: Record<string, () => void> = {
      'holds no database of Mindgate’s': () => {
        rmSync(bad)
        new Sqlite(bad).exec('create table note (text text)').close()
      },
      'newer version (999-tomorrow)': () => {
        new Sqlite(bad).exec("insert into kysely_migration values ('999-tomorrow', '')").close()
      },
      'points nowhere': () => {
        const opened = new Sqlite(bad)
        opened.pragma('foreign_keys = OFF')
        opened.exec('delete from partner').close()
      },
      damaged: () => truncateSync(bad, 100_000)
    }
    await addPartner(env, 'Late')
    const names = fileNames()
    for (const [reason, makeBad] of Object.entries(spoil)) {
      copyFileSync(backup, bad)
      makeBad()
      const { code, stderr } = await mindgate(env, ['restore', '--from', bad, '--force'])
      expect([reason, code]).toEqual([reason, 1])
      expect(stderr).toContain(reason)
      expect(fileNames()).toEqual(names)
    }
    expect(partnersIn(database())).toEqual(['Early', 'Late'])
  })

  it('takes the key beside the backup and sets another one aside', async () => {
    const keyed = join(outside, 'keyed.backup')
    await mindgate(env, ['backup', '--to', keyed, '--with-secret-key'])
    const fresh = await makeTestPlace('sqlite')
    const freshEnv = environmentAt(fresh)
    await addPartner(freshEnv, 'Unwanted')
    const ownKey = readFileSync(join(fresh.dataDir, 'secret.key'), 'utf8')

    const { code, stdout } = await mindgate(freshEnv, ['restore', '--from', keyed, '--force', '--json'])
    expect(code).toBe(0)
    const { setAside } = z.object({ setAside: z.array(z.string()) }).parse(JSON.parse(stdout))
    expect(setAside).toHaveLength(2)
    expect(readFileSync(setAside[1] ?? '', 'utf8')).toBe(ownKey)
    await (await openService(loadConfig(freshEnv), createLog('silent'))).close()
    expect(partnersIn(join(fresh.dataDir, 'mindgate.db'))).toEqual(['Early'])
    await fresh.remove()
  })
})

describe('backup of DATA_DIR', () => {
  it('makes nothing where there is no database', async () => {
    const place = await makeEmptyPlace('sqlite')
    const env = environmentAt(place, { DATA_DIR: join(place.dataDir, 'nowhere') })
    const { code, stderr } = await mindgate(env, ['backup', '--to', join(place.dataDir, 'nothing.backup')])
    const made = readdirSync(place.dataDir)
    await place.remove()
    expect([code, made]).toEqual([1, []])
    expect(stderr).toContain('There is no database')
  })

  it('leaves nothing behind when it is interrupted', async () => {
    const place = await makeTestPlace('sqlite')
    const env = environmentAt(place)
    await addPartner(env, 'Large')
    const large = new Sqlite(join(place.dataDir, 'mindgate.db'))
    large.exec(`create table ballast as with recursive n(i) as (select 1 union all select i + 1 from n where i < 40000)
      select randomblob(1000) as bytes from n`)
    large.close()
    const args = [cliFile, 'backup', '--to', join(place.dataDir, 'half.backup')]
    const halves = () => readdirSync(place.dataDir).filter((name) => name.startsWith('half'))
    let said = ''
    // One that was done before the signal reached it was not interrupted.
    for (let isDone = true; isDone; ) {
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
      const [complained, ended] = [text(child.stderr), once(child, 'exit')]
      const draft = join(place.dataDir, `half.backup.${child.pid}.part`)
      const isBegun = () => (statSync(draft, { throwIfNoEntry: false })?.size ?? 0) > 0
      while (!isBegun() && child.exitCode === null) await sleep(1)
      child.kill('SIGINT')
      said = await complained
      const [code, signal] = await ended
      expect(signal).toBe(null)
      isDone = code === 0
      if (isDone) rmSync(join(place.dataDir, 'half.backup'))
    }
    expect(said).toContain('Interrupted')
    expect(halves()).toEqual([])
    await place.remove()
  })

  it('takes the whole of what was committed while a transaction is open', async () => {
    const place = await makeTestPlace('sqlite')
    const env = environmentAt(place)
    await addPartner(env, 'Committed')
    const writer = new Sqlite(join(place.dataDir, 'mindgate.db'))
    writer.exec("begin immediate; update partner set name = 'Uncommitted'")
    const file = join(place.dataDir, 'open.backup')
    const { code } = await mindgate(env, ['backup', '--to', file])
    writer.exec('rollback')
    writer.close()
    expect(code).toBe(0)
    expect(partnersIn(file)).toEqual(['Committed'])
    await place.remove()
  })
})
