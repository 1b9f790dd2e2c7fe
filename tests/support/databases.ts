// Every database test runs on both databases: `describe.each(databases)('… on %s', (database) => …)`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nanoid } from 'nanoid'
import pg from 'pg'
import { inject } from 'vitest'

export const databases = ['sqlite', 'postgres'] as const
export type DatabaseKind = (typeof databases)[number]

export interface TestPlace {
  /** A fresh folder, for DATA_DIR. */
  dataDir: string
  /** DATABASE_URL when the test runs on PostgreSQL. */
  databaseUrl: string | undefined
  remove(): Promise<void>
}

/** A fresh folder and, on PostgreSQL, a fresh database. */
export async function makeTestPlace(kind: DatabaseKind): Promise<TestPlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mindgate-test-'))
  const removeFolder = () => rmSync(dataDir, { recursive: true, force: true })
  if (kind === 'sqlite') {
    return { dataDir, databaseUrl: undefined, remove: async () => removeFolder() }
  }
  const name = `test_${nanoid()
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '_')}`
  const adminUrl = inject('postgresUrl')
  await administer(adminUrl, `create database ${name}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return {
    dataDir,
    databaseUrl: url.href,
    async remove() {
      await administer(adminUrl, `drop database ${name} with (force)`)
      removeFolder()
    }
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
