// A build of the mixed day on a copy of the database, in one process or several.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Build } from './day-load.ts'
import type { Template } from './day-seed.ts'
import { query } from './postgres.ts'
import { cpuMicros, type ServerProcess, startBuild } from './processes.ts'

export interface RunningBuild extends Build {
  side: 'ours' | 'before'
  stop(): Promise<void>
}

interface Wanted {
  side: RunningBuild['side']
  /** Where the build is. */
  folder: string
  processes: number
  profileFolder: string | undefined
}

export async function startBuilds(
  template: Template,
  { side, folder, processes, profileFolder }: Wanted
): Promise<RunningBuild> {
  const work = mkdtempSync(join(tmpdir(), 'mindgate-bench-'))
  const copy = await template.copy(work)
  const copyUrl = copy.env.DATABASE_URL
  const servers: ServerProcess[] = []
  for (let number = 1; number <= processes; number += 1) {
    servers.push(
      await startBuild(folder, {
        env: copy.env,
        logFile: join(work, `${side}-${number}.log`),
        profileFolder,
        isPinned: !copyUrl
      })
    )
  }
  // Indexes of a newer build have no statistics yet.
  if (copyUrl) await query(copyUrl, 'analyze')
  return {
    ...{ side, servers },
    databaseMicros: async () => (copyUrl ? backendsMicros(copyUrl) : new Map()),
    async stop() {
      for (const server of servers) await server.stop()
      await copy.remove()
      rmSync(work, { recursive: true, force: true })
    }
  }
}

/** By their process; none of a server on another machine. */
async function backendsMicros(url: string): Promise<Map<number, number>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  )
  await client.end()
  const backends = new Map<number, number>()
  for (const { pid } of rows) {
    const micros = cpuMicros(pid)
    if (micros !== undefined) backends.set(pid, micros)
  }
  return backends
}
