// In what SQL both databases share.
import { type Kysely, sql } from 'kysely'

/** A migration that is nothing but statements. */
export const running =
  (statements: readonly string[]) =>
  async (db: Kysely<unknown>): Promise<void> => {
    for (const statement of statements) await sql.raw(statement).execute(db)
  }

export const column = (name: string, type: string): string => `"${name}" ${type}`

const columnsOf =
  (type: string) =>
  (...names: string[]): string[] =>
    names.map((name) => column(name, type))

export const text = columnsOf('text not null')
export const textOrNull = columnsOf('text')
export const integer = columnsOf('integer not null')
export const integerOrNull = columnsOf('integer')
export const bigint = columnsOf('bigint not null')
export const bigintOrNull = columnsOf('bigint')

const listed = (names: readonly string[]): string => `(${names.map((name) => `"${name}"`).join(', ')})`

export const foreignKey = (name: string, table: string, onDelete = 'cascade'): string =>
  `foreign key ("${name}") references "${table}" ("id") on delete ${onDelete}`

/** Rows go with the one of `table` that their `{table}Id` names, which may name none. */
export const goesWith = (...tables: string[]): string[] =>
  tables.map((table) => foreignKey(`${table}Id`, table))

/** What customers have in large numbers: it outlives the customer's own row until a worker has deleted it. */
export const goesWithContent: string = foreignKey('customerId', 'customerContent')

/** Rows of a Mind outlive the Mind's own row, too. */
export const ofMind: string = '"mindKey" integer not null references "mindContent" ("key") on delete cascade'

export const owned: string[] = [column('id', 'text primary key'), ...text('partnerId')]

export const constraint = (name: string, kind: 'primary key' | 'unique', ...columns: string[]): string =>
  `constraint "${name}" ${kind} ${listed(columns)}`

export const unique = (...columns: string[]): string => `unique ${listed(columns)}`

export const table = (name: string, ...columnsAndConstraints: (string | readonly string[])[]): string =>
  `create table "${name}" (${columnsAndConstraints.flat().join(', ')})`

export const added = (to: string, ...columns: string[]): string[] =>
  columns.map((definition) => `alter table "${to}" add column ${definition}`)

export const index = (name: string, on: string, ...columns: string[]): string =>
  `create index "${name}" on "${on}" ${listed(columns)}`

export const uniqueIndex = (name: string, on: string, ...columns: string[]): string =>
  `create unique index "${name}" on "${on}" ${listed(columns)}`

/** Who holds what, to be found among all that nobody holds. */
export const leaseIndex = (on: string): string =>
  `${index(`${on}Leased`, on, 'leaseOwner')} where "leaseOwner" is not null`

/**
 * Runs `statement`, which may name the row `new` or `old`, after each such event on `on`, such as `update of "name"`; where
 * `only` is given, for rows of which it holds.
 */
export function trigger(
  isPostgres: boolean,
  name: string,
  event: string,
  on: string,
  statement: string,
  only?: string
): string[] {
  const head = `create trigger "${name}" after ${event} on "${on}"`
  const condition = only === undefined ? '' : ` when (${only})`
  if (!isPostgres) return [`${head}${condition} begin ${statement}; end`]
  return [
    `create function "${name}"() returns trigger language plpgsql as $$ begin ${statement}; return null; end $$`,
    `${head} for each row${condition} execute function "${name}"()`
  ]
}

/** What hangs on `{table}Content` outlives the row of `table` with which it comes, until somebody has deleted it all. */
export function contentTriggers(
  isPostgres: boolean,
  of: 'mind' | 'customer',
  columns: readonly string[],
  gone: string
): string[] {
  const title = `${of.charAt(0).toUpperCase()}${of.slice(1)}`
  const [key] = columns
  const values = columns.map((name) => `new."${name}"`).join(', ')
  const add = `insert into "${of}Content" ${listed(columns)} values (${values})`
  const mark = `update "${of}Content" set "${gone}" = 1 where "${key}" = old."${key}"`
  return [
    ...trigger(isPostgres, `contentOf${title}`, 'insert', of, add),
    ...trigger(isPostgres, `contentOfForgotten${title}`, 'delete', of, mark)
  ]
}
