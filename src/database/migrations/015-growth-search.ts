// Finding customers by three letters in a row: candidates, of which the text itself is looked at then.

export const searchStatements = (isPostgres: boolean): string[] => (isPostgres ? [onPostgres] : onSqlite)

/** Without the extensions, which a server may not have, searches read every customer of the partner. */
const onPostgres = `do $$ begin
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
  create index "customerSearch" on "customer"
    using gin ("partnerId", "searchText" gin_trgm_ops) with (fastupdate = off);
exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
  raise notice 'searches are slower without pg_trgm and btree_gin';
end $$`

/** The end of the partner's id is searched for like the text: so others' customers are passed over. */
const indexed = (row: string) => `substr(${row}."partnerId", -3), ${row}."searchText"`

const keyOf = (row: string) => `(select "key" from "customerSearchKey" where "customerId" = ${row}."id")`

const removed = `insert into "customerSearch" ("customerSearch", "rowid", "partner", "text")
  values ('delete', ${keyOf('old')}, ${indexed('old')})`

const added = `insert into "customerSearch" ("rowid", "partner", "text") values (${keyOf('new')}, ${indexed('new')})`

const onSqlite = [
  // Rows that have no such number of their own get others by VACUUM.
  `create table "customerSearchKey" ("key" integer primary key, "customerId" text not null unique
    references "customer" ("id") on delete cascade)`,
  `create virtual table "customerSearch" using
    fts5("partner", "text", content = '', detail = 'column', tokenize = 'trigram')`,
  // What is deleted leaves nothing in the index.
  `insert into "customerSearch" ("customerSearch", "rank") values ('secure-delete', 1)`,
  `create trigger "searchOfCustomer" after insert on "customer" begin
    insert into "customerSearchKey" ("customerId") values (new."id"); ${added}; end`,
  `create trigger "searchOfText" after update of "searchText" on "customer"
    when old."searchText" <> new."searchText" begin ${removed}; ${added}; end`,
  `create trigger "searchOfErased" before delete on "customer" begin ${removed}; end`,
  'insert into "customerSearchKey" ("customerId") select "id" from "customer"',
  `insert into "customerSearch" ("rowid", "partner", "text") select "key", ${indexed('"customer"')}
    from "customerSearchKey" join "customer" on "customer"."id" = "customerId"`
]
