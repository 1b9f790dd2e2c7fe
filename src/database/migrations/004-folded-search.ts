// What searches look in is kept without accents and widths from now on, and voice agents are searched, too.
import { type Kysely, sql } from 'kysely'
import { foldText } from '../../fold.ts'
import * as t from './statements.ts'

/** So many rows are read at once. */
const PAGE = 500

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table "voiceAgent" add column ${t.column('searchText', 'text')}`).execute(db)
  await foldCustomers(db)
  await foldAgents(db)
}

async function foldCustomers(db: Kysely<unknown>): Promise<void> {
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string; searchText: string }>`
      select "id", "searchText" from "customer" where "id" > ${after} order by "id" limit ${PAGE}`.execute(db)
    for (const { id, searchText } of rows) {
      // Each of its lines was folded by itself.
      const folded = searchText.split('\n').map(foldText).join('\n')
      if (folded !== searchText)
        await sql`update "customer" set "searchText" = ${folded} where "id" = ${id}`.execute(db)
    }
    const last = rows.at(-1)
    if (rows.length < PAGE || !last) return
    after = last.id
  }
}

async function foldAgents(db: Kysely<unknown>): Promise<void> {
  // Agents are few beside customers.
  const { rows } = await sql<{ partnerId: string; provider: string; agentId: string; name: string }>`
    select "partnerId", "provider", "agentId", "name" from "voiceAgent"`.execute(db)
  for (const { partnerId, provider, agentId, name } of rows) {
    const folded = [name, agentId].map(foldText).join('\n')
    await sql`update "voiceAgent" set "searchText" = ${folded}
      where "partnerId" = ${partnerId} and "provider" = ${provider} and "agentId" = ${agentId}`.execute(db)
  }
}
