// What has to do with the database itself runs on both: `describe.each(databases)('… on %s', (database) => …)`.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nanoid } from 'nanoid'
import type pg from 'pg'
import { inject } from 'vitest'
import { connected, databaseUrl, shapeOf } from './postgres.ts'

export type DatabaseKind = 'sqlite' | 'postgres'

/** `TEST_DATABASES=sqlite` leaves the other out, where each test is to run a thousand times. */
export const databases: readonly DatabaseKind[] =
  process.env.TEST_DATABASES === 'sqlite' ? ['sqlite'] : ['sqlite', 'postgres']

export interface TestPlace {
  /** A fresh folder, for DATA_DIR. */
  dataDir: string
  /** DATABASE_URL when the test runs on PostgreSQL. */
  databaseUrl: string | undefined
  remove(): Promise<void>
}

/** A fresh folder and a database that has every table and no row. */
export async function makeTestPlace(kind: DatabaseKind): Promise<TestPlace> {
  const { dataDir, removeFolder } = makeFolder()
  if (kind === 'sqlite') {
    copyFileSync(inject('sqliteTemplate'), join(dataDir, 'mindgate.db'))
    return { dataDir, databaseUrl: undefined, remove: async () => removeFolder() }
  }
  const name = await takeDatabase()
  return {
    dataDir,
    databaseUrl: databaseUrl(inject('postgresUrl'), name),
    async remove() {
      await giveBack(name)
      removeFolder()
    }
  }
}

/** A fresh folder and, on PostgreSQL, a database of its own without any table. */
export async function makeEmptyPlace(kind: DatabaseKind): Promise<TestPlace> {
  const { dataDir, removeFolder } = makeFolder()
  if (kind === 'sqlite') return { dataDir, databaseUrl: undefined, remove: async () => removeFolder() }
  const name = newName()
  await administer((admin) => admin.query(`create database ${name}`))
  return {
    dataDir,
    databaseUrl: databaseUrl(inject('postgresUrl'), name),
    async remove() {
      await administer((admin) => dropDatabase(admin, name))
      removeFolder()
    }
  }
}

function makeFolder(): { dataDir: string; removeFolder(): void } {
  const dataDir = mkdtempSync(join(tmpdir(), 'mindgate-test-'))
  return { dataDir, removeFolder: () => rmSync(dataDir, { recursive: true, force: true }) }
}

/** A database that an earlier test gave back; where there is none, a copy of the template. */
function takeDatabase(): Promise<string> {
  const template = inject('postgresTemplate').name
  return administer(async (admin) => {
    const { rows } = await admin.query<{ name: string }>(
      `update test_database set is_taken = true where name =
        (select name from test_database where template = $1 and not is_taken limit 1 for update skip locked)
        returning name`,
      [template]
    )
    if (rows[0]) return rows[0].name
    const name = newName()
    await admin.query('insert into test_database values ($1, $2, true)', [name, template])
    await admin.query(`create database ${name} template ${template}`)
    return name
  })
}

/** Emptied it can be taken again, in a tenth of the time that another copy takes; unless a test changed its tables. */
async function giveBack(name: string): Promise<void> {
  const { shape, emptying } = inject('postgresTemplate')
  await administer((admin) =>
    admin.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [name])
  )
  const isLikeTemplate = await connected(databaseUrl(inject('postgresUrl'), name), async (client) => {
    if ((await shapeOf(client)) !== shape) return false
    await client.query(emptying)
    return true
  })
  await administer(async (admin) => {
    if (isLikeTemplate) await admin.query('update test_database set is_taken = false where name = $1', [name])
    else await dropDatabase(admin, name)
  })
}

async function dropDatabase(admin: pg.Client, name: string): Promise<void> {
  await admin.query(`drop database ${name} with (force)`)
  await admin.query('delete from test_database where name = $1', [name])
}

const newName = (): string =>
  `test_${nanoid()
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '_')}`

const administer = <T>(work: (admin: pg.Client) => Promise<T>): Promise<T> =>
  connected(inject('postgresUrl'), work)
