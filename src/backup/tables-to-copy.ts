// The tables of PostgreSQL as one who fills them must know them.
import type pg from 'pg'

export interface Table {
  name: string
  key: string[]
  columns: { name: string; type: string }[]
  /** Tables whose rows must be there first. */
  after: string[]
}

export const quoted = (name: string): string => `"${name}"`

/** Every table of the service but the one of migrations, each behind those that it refers to. */
export async function tablesOf(client: pg.Client): Promise<readonly Table[]> {
  const { rows } = await client.query<Table>(`
    select relname as name,
      (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, null)) order by attnum)
        from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
      (select json_agg(attname order by place) from pg_index i, unnest(i.indkey) with ordinality as k (number, place)
        join pg_attribute on attnum = number
        where attrelid = c.oid and indrelid = c.oid and indisprimary and place <= indnkeyatts) as key,
      array(select f.relname::text from pg_constraint join pg_class f on f.oid = confrelid
        where conrelid = c.oid and contype = 'f' and confrelid <> conrelid) as after
    from pg_class c
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not in ('kysely_migration', 'migrateTo') order by relname`)
  const ordered: Table[] = []
  const isThere = (name: string) => ordered.some((table) => table.name === name)
  while (ordered.length < rows.length) {
    const next = rows.filter(({ name, after }) => !isThere(name) && after.every(isThere))
    if (next.length === 0) throw new Error('The tables refer to each other in a circle')
    ordered.push(...next)
  }
  return ordered
}
