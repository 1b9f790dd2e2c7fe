// What only a SQLite file can meet: a file that is in the way, damaged, or somebody else's.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
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
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { insertPartner } from '../../src/partners/store.ts'
import { openService } from '../../src/service.ts'
import {
  callApi,
  cliFile,
  type Environment,
  environmentAt,
  makePartner,
  mindgate,
  startService
} from '../support/cli.ts'
import { makeTestPlace, type TestPlace } from '../support/databases.ts'

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
  let place: TestPlace
  let env: Environment
  let outside: string
  let backup: string

  beforeEach(async () => {
    place = await makeTestPlace('sqlite')
    env = environmentAt(place)
    outside = mkdtempSync(join(tmpdir(), 'mindgate-backup-'))
    backup = join(outside, 'mindgate.backup')
    await addPartner(env, 'Early')
    const { code } = await mindgate(env, ['backup', '--to', backup])
    expect(code).toBe(0)
  })
  afterEach(async () => {
    rmSync(outside, { recursive: true })
    await place.remove()
  })

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
    const service = await startService(env)
    const { key } = await makePartner(env, 'Killed')
    const body = { email: 'acknowledged@killed.example' }
    expect((await callApi(service.url, key, '/customers', { method: 'POST', body })).status).toBe(200)
    await service.stop('SIGKILL')
    expect(fileNames()).toContain('mindgate.db-wal')

    const { stdout } = await restore('--force')
    expect(fileNames().filter((name) => /^mindgate\.db-/.test(name))).toEqual([])
    expect(partnersIn(database())).toEqual(['Early'])
    const [aside = ''] = z.object({ setAside: z.array(z.string()) }).parse(JSON.parse(stdout)).setAside
    const kept = new Sqlite(aside, { readonly: true })
    expect(kept.prepare('select email from customer').pluck().all()).toEqual([body.email])
    kept.close()
  })

  it('replaces a damaged database, which it keeps too', async () => {
    writeFileSync(join(place.dataDir, 'mindgate.db'), 'no database any more')
    const { code, stdout } = await restore('--force')
    expect(code).toBe(0)
    expect(partnersIn(database())).toEqual(['Early'])
    const [aside = ''] = z.object({ setAside: z.array(z.string()) }).parse(JSON.parse(stdout)).setAside
    expect(readFileSync(aside, 'utf8')).toBe('no database any more')
  })

  it('refuses a database that is not Mindgate’s, is newer or damaged, and touches nothing', async () => {
    const spoil: Record<string, () => void> = {
      'holds no database of Mindgate’s': () => {
        rmSync(backup)
        new Sqlite(backup).exec('create table note (text text)').close()
      },
      'newer version (999-tomorrow)': () => {
        new Sqlite(backup).exec("insert into kysely_migration values ('999-tomorrow', '')").close()
      },
      'points nowhere': () => {
        const opened = new Sqlite(backup)
        opened.pragma('foreign_keys = OFF')
        opened.exec('delete from partner').close()
      },
      damaged: () => truncateSync(backup, 100_000)
    }
    await addPartner(env, 'Late')
    const whole = readFileSync(backup)
    const names = fileNames()
    for (const [reason, makeBad] of Object.entries(spoil)) {
      writeFileSync(backup, whole)
      makeBad()
      const { code, stderr } = await restore('--force')
      expect([reason, code]).toEqual([reason, 1])
      expect(stderr).toContain(reason)
      expect(fileNames()).toEqual(names)
    }
    expect(partnersIn(database())).toEqual(['Early', 'Late'])
  })

  it('takes the key beside the backup and sets another one aside', async () => {
    const keyed = join(outside, 'keyed.backup')
    const service = await startService(env)
    await mindgate(env, ['backup', '--to', keyed, '--with-secret-key'])
    await service.stop()
    const fresh = await makeTestPlace('sqlite')
    const freshEnv = environmentAt(fresh)
    await addPartner(freshEnv, 'Unwanted')
    const ownKey = readFileSync(join(fresh.dataDir, 'secret.key'), 'utf8')

    const { code, stdout } = await mindgate(freshEnv, ['restore', '--from', keyed, '--force', '--json'])
    expect(code).toBe(0)
    const { setAside } = z.object({ setAside: z.array(z.string()) }).parse(JSON.parse(stdout))
    expect(setAside).toHaveLength(2)
    expect(readFileSync(setAside[1] ?? '', 'utf8')).toBe(ownKey)
    await (await startService(freshEnv)).stop()
    expect(partnersIn(join(fresh.dataDir, 'mindgate.db'))).toEqual(['Early'])
    await fresh.remove()
  })
})

describe('backup of DATA_DIR', () => {
  it('makes nothing where there is no database', async () => {
    const folder = join(tmpdir(), 'mindgate-nowhere')
    const env = {
      ...environmentAt({ dataDir: folder, databaseUrl: undefined, remove: async () => undefined })
    }
    const { code, stderr } = await mindgate(env, [
      'backup',
      '--to',
      join(tmpdir(), 'mindgate-nothing.backup')
    ])
    expect(code).toBe(1)
    expect(stderr).toContain('There is no database')
    expect([existsSync(folder), existsSync(join(tmpdir(), 'mindgate-nothing.backup'))]).toEqual([
      false,
      false
    ])
  })

  it('leaves nothing behind when it is interrupted', async () => {
    const place = await makeTestPlace('sqlite')
    const env = environmentAt(place)
    await addPartner(env, 'Large')
    const large = new Sqlite(join(place.dataDir, 'mindgate.db'))
    large.exec(`create table ballast as with recursive n(i) as (select 1 union all select i + 1 from n where i < 150000)
      select randomblob(1000) as bytes from n`)
    large.close()
    const args = [cliFile, 'backup', '--to', join(place.dataDir, 'half.backup')]
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const [said, ended] = [text(child.stderr), once(child, 'exit')]
    const draft = join(place.dataDir, `half.backup.${child.pid}.part`)
    while (!existsSync(draft) || statSync(draft).size === 0) await sleep(1)
    child.kill('SIGINT')
    expect(await ended).toEqual([1, null])
    expect(await said).toContain('Interrupted')
    expect(readdirSync(place.dataDir).filter((name) => name.startsWith('half'))).toEqual([])
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
