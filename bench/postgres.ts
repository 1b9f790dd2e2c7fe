// PostgreSQL as the benches use it: databases of their own beside the one that is named.
import pg from 'pg'
import { newId } from '../src/ids.ts'

export async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}

export const urlOfDatabase = (url: string, name: string): string =>
  Object.assign(new URL(url), { pathname: `/${name}` }).href

/** @param url of any database whose role may create others */
export async function freshDatabase(url: string) {
  const name = newId('mindgate_bench')
  await query(url, `create database ${name}`)
  return { url: urlOfDatabase(url, name), drop: () => query(url, `drop database ${name} with (force)`) }
}
