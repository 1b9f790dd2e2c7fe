// What a released version needs of the tables stays as it is within a major, so that its processes go on beside newer ones.
import { readFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { expect, inject, it } from 'vitest'

/** `table.column type` of a database, with ` not null` where a row must have it and there is no default. */
function columnsOf(file: string): string[] {
  const database = new Sqlite(file, { readonly: true })
  const columns = database
    .prepare<[], string>(
      `select t.name || '.' || c.name || ' ' || c.type || iif(c."notnull" and c.dflt_value is null, ' not null', '')
      from sqlite_master t, pragma_table_info(t.name) c
      where t.type = 'table' and t.name not like 'sqlite_%' and t.sql not like '%fts5%' order by 1`
    )
    .pluck()
    .all()
  database.close()
  return columns
}

/** What the release needs and isn't there, and what its rows would lack. */
function unfit(released: readonly string[], now: readonly string[]): string[] {
  const tables = new Set(released.map((column) => column.split('.')[0]))
  const asked = now.filter((one) => one.endsWith(' not null') && tables.has(one.split('.')[0]))
  return [
    ...released.filter((one) => !now.includes(one) && !now.includes(one.replace(' not null', ''))),
    ...asked.filter((one) => !released.includes(one))
  ]
}

const RELEASED = readFileSync(new URL('./released-1.0.0-rc.1.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')

it('is as 1.0.0-rc.1 needs it, or else the major of the schema is another one', () => {
  expect(unfit(RELEASED, columnsOf(inject('sqliteTemplate')))).toEqual([])
})

it('would not be without a column, with another type, and with one more that a row must have', () => {
  const changed = (from: string, to: string) =>
    unfit(
      RELEASED,
      RELEASED.map((one) => (one === from ? to : one))
    )
  const email = 'customer.email TEXT not null'
  expect(RELEASED).toContain(email)
  expect(changed(email, 'customer.mail TEXT')).toEqual([email])
  expect(changed(email, 'customer.email bigint not null')).toEqual([email, 'customer.email bigint not null'])
  expect(changed(email, 'customer.email TEXT')).toEqual([])
  expect(unfit(RELEASED, [...RELEASED, 'customer.late TEXT not null'])).toEqual([
    'customer.late TEXT not null'
  ])
  expect(unfit(RELEASED, [...RELEASED, 'tomorrow.id TEXT not null', 'customer.late TEXT'])).toEqual([])
})
