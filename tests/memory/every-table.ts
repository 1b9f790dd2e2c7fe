// Everything that a database holds, whatever tables there are.
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { TestService } from '../support/service.ts'

/** Tables in which the text stands, in whichever column and however written. */
export async function tablesWith({ service }: TestService, text: string): Promise<string[]> {
  const found: string[] = []
  for await (const [table, rows] of everyTable(service.config.databaseLocation)) {
    if (JSON.stringify(rows).toLowerCase().includes(text.toLowerCase())) found.push(table)
  }
  return found.toSorted()
}

/** Each table with all of its rows. */
export async function* everyTable(location: string): AsyncGenerator<[string, unknown[]]> {
  if (location.startsWith('postgres')) {
    const client = new pg.Client({ connectionString: location })
    await client.connect()
    const tables = await client.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`
    )
    for (const { name } of tables.rows) yield [name, (await client.query(`select * from "${name}"`)).rows]
    await client.end()
    return
  }
  const connection = new Sqlite(location, { readonly: true })
  const tables = connection.prepare(`select name from sqlite_master where type = 'table'`).pluck().all()
  for (const name of tables) yield [String(name), connection.prepare(`select * from "${name}"`).all()]
  connection.close()
}
