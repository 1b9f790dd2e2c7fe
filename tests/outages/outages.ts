// The database taken away from a running server, and given back.
import { sql } from 'kysely'
import type { Service } from '../../src/service.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { makeCluster } from '../support/postgres.ts'

const ALONE = { alone: 'its database is taken away' }

export interface Outage {
  server: TestServer
  /** Every code that the log may name as the true cause. */
  cause: RegExp
  begin(): Promise<void>
  end(): Promise<void>
  close(): Promise<void>
}

/** A server of PostgreSQL that is stopped and started again. */
export async function stoppedPostgres(settings: Record<string, string>): Promise<Outage> {
  const cluster = await makeCluster()
  await cluster.start()
  const server = await startTestServer('sqlite', { ...settings, DATABASE_URL: cluster.url }, ALONE)
  return {
    server,
    cause: /^(?:57P0[13]|ECONN\w+)$|Connection terminated/,
    begin: cluster.stop,
    end: cluster.start,
    async close() {
      await server.close()
      await cluster.remove()
    }
  }
}

/** A disk that has room for no page more, as SQLite sees it. */
export async function fullDisk(settings: Record<string, string>): Promise<Outage> {
  const server = await startTestServer('sqlite', settings, ALONE)
  const { service } = server
  return {
    server,
    cause: /^SQLITE_FULL$/,
    async begin() {
      await needingRoom(service)
      await limitPages(service, 1)
    },
    async end() {
      await limitPages(service, 2 ** 30)
      await needingNone(service)
    },
    close: server.close
  }
}

/** Below what the file has SQLite doesn't go. */
export const limitPages = ({ database }: Service, pages: number): Promise<unknown> =>
  database.transaction((tx) => sql.raw(`pragma max_page_count = ${pages}`).execute(tx))

/** Makes room for a few rows, and none for what is larger than that. */
export const leaveLittleRoom = async (service: Service): Promise<void> => {
  const { rows } = await service.database.transaction((tx) =>
    sql<{ page_count: number }>`pragma page_count`.execute(tx)
  )
  await limitPages(service, (rows[0]?.page_count ?? 0) + 50)
}

/** Far more than that. */
export const TOO_MUCH = 'zeroblob(5000000)'

/** Pages that are there already have room for a row or two: with this, every write needs more than that. */
async function needingRoom({ database }: Service): Promise<void> {
  await database.transaction(async (tx) => {
    await sql`create table filler (bytes blob)`.execute(tx)
    for (const { name } of await tablesOf(tx)) {
      for (const act of ['insert', 'update', 'delete']) {
        await sql
          .raw(
            `create trigger "full_${act}_${name}" before ${act} on "${name}"
              begin insert into filler values (${TOO_MUCH}); end`
          )
          .execute(tx)
      }
    }
  })
}

async function needingNone({ database }: Service): Promise<void> {
  await database.transaction(async (tx) => {
    for (const { name } of await tablesOf(tx)) {
      for (const act of ['insert', 'update', 'delete']) {
        await sql.raw(`drop trigger "full_${act}_${name}"`).execute(tx)
      }
    }
    await sql`drop table filler`.execute(tx)
  })
}

const tablesOf = async (tx: Parameters<Parameters<Service['database']['transaction']>[0]>[0]) =>
  (
    await sql<{ name: string }>`
      select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite%' and name <> 'filler'
    `.execute(tx)
  ).rows
