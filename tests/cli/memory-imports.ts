import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { openService, type Service } from '../../src/service.ts'
import { type MemoryCaller, makeMemoryCaller } from '../memory/caller.ts'
import { environmentAt } from '../support/cli.ts'
import { type DatabaseKind, makeTestPlace } from '../support/databases.ts'

/** What `memory import` prints. */
export const Imported = z.strictObject({ imported: z.int(), alreadyThere: z.int() })

/** A place without limits whose `memory import` is tried, and its data in the test's own hands. */
export async function openImportFixture(kind: DatabaseKind) {
  const place = await makeTestPlace(kind)
  const env = environmentAt(place, { RATE_LIMIT: '0', MEMORY_RATE_LIMIT: '0' })
  const service = await openService(loadConfig(env), createLog('silent'))
  return {
    folder: place.dataDir,
    env,
    service,
    makeImporter: async () => importerOf(service, place.dataDir, await makeMemoryCaller(service)),
    close: async () => {
      await service.close()
      await place.remove()
    }
  }
}
export type ImportFixture = Awaited<ReturnType<typeof openImportFixture>>
export type Importer = Awaited<ReturnType<ImportFixture['makeImporter']>>

/** A line of a file. */
export const lineOf = (i: number) =>
  JSON.stringify({ content: `Line ${i}`, occurredAt: '2026-01-01T00:00:00Z' })

function importerOf(service: Service, folder: string, ada: MemoryCaller) {
  return {
    ada,
    /** A file with that many lines, from 0; another call overwrites it. */
    fileOf: (count: number) => {
      const file = join(folder, `${ada.customerId}.jsonl`)
      writeFileSync(file, Array.from({ length: count }, (_, i) => `${lineOf(i)}\n`).join(''))
      return file
    },
    /** The command's arguments. */
    importing: (file: string) => ['memory', 'import', '--customer', ada.customerId, '--file', file],
    /** Contents in the order in which they were told. */
    stored: async () => {
      const rows = await service.database.read
        .selectFrom('memory')
        .innerJoin('mind', 'mind.key', 'memory.mindKey')
        .where('customerId', '=', ada.customerId)
        .select(['content', 'seq'])
        .orderBy('seq')
        .execute()
      return rows.map(({ content }) => content)
    }
  }
}
