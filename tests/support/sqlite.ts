// Makes the SQLite file that every test's own begins as.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/database/database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The SQLite file that has every table and no row. */
    sqliteTemplate: string
  }
}

export default async function provide(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'mindgate-template-'))
  const sqliteTemplate = join(folder, 'template.db')
  await makeTables(sqliteTemplate)
  project.provide('sqliteTemplate', sqliteTemplate)
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Makes every table in a database that has none: a file's path, or a URL. */
export async function makeTables(location: string): Promise<void> {
  const database = await openDatabase({
    location,
    maxConnections: 1,
    busyDeadlineMs: 10_000,
    onIdleError: () => undefined
  })
  await database.close()
}
