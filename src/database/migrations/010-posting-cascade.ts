import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** Postings go with their Mind. A foreign key would do it as well, and be checked for every word that is remembered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) {
    await sql`
      create trigger "postingsOfMind" after delete on "mind" begin
        delete from "posting" where "mindKey" = old."key";
      end`.execute(db)
    return
  }
  await sql`
    create function "deletePostingsOfMind"() returns trigger language plpgsql as $$ begin
      delete from "posting" where "mindKey" = old."key";
      return null;
    end $$`.execute(db)
  await sql`
    create trigger "postingsOfMind" after delete on "mind"
    for each row execute function "deletePostingsOfMind"()`.execute(db)
}
