import { type Kysely, type Migration, sql } from 'kysely'
import { now } from '../clock.ts'
import { isMissingTable } from './faults.ts'
import { up as schema } from './migrations/001-schema.ts'
import { up as billing } from './migrations/002-billing.ts'
import { up as memoryAhead } from './migrations/003-memory-ahead.ts'
import { up as foldedSearch } from './migrations/004-folded-search.ts'
import { up as superseded } from './migrations/005-superseded.ts'
import { up as detachedRuns } from './migrations/006-detached-runs.ts'
import { up as conversations } from './migrations/007-conversations.ts'
import { up as oneOwner } from './migrations/008-one-owner.ts'
import { up as agentSettings } from './migrations/009-agent-settings.ts'
import { up as chatFiles } from './migrations/010-chat-files.ts'
import { up as agentChecks } from './migrations/012-agent-checks.ts'
import { up as partnersChat } from './migrations/013-partners-chat.ts'
import { up as jumpHosts } from './migrations/014-jump-hosts.ts'
import { up as growth } from './migrations/015-growth.ts'
import { up as connectedApps } from './migrations/016-connected-apps.ts'
import { up as languages } from './migrations/017-languages.ts'
import { up as states } from './migrations/018-states.ts'
import { up as partnerTeam } from './migrations/019-partner-team.ts'
import { up as secondFactors } from './migrations/020-second-factors.ts'
import { up as mailTexts } from './migrations/021-mail-texts.ts'
import { up as customerOrders } from './migrations/022-customer-orders.ts'
import { up as auditOfCustomers } from './migrations/023-audit-of-customers.ts'
import { up as orders } from './migrations/024-orders.ts'
import { up as webhooks } from './migrations/025-webhooks.ts'
import type { Tables } from './tables.ts'

/** Named and shaped as Kysely's own migrator did. */
type Applied = { kysely_migration: { name: string; timestamp: string } }

/** Every migration, in order. Applied ones are never edited: a change is a new migration. */
const migrations: Record<string, Migration> = {
  '001-schema': { up: schema },
  '002-billing': { up: billing },
  '003-memory-ahead': { up: memoryAhead },
  '004-folded-search': { up: foldedSearch },
  '005-superseded': { up: superseded },
  '006-detached-runs': { up: detachedRuns },
  '007-conversations': { up: conversations },
  '008-one-owner': { up: oneOwner },
  '009-agent-settings': { up: agentSettings },
  '010-chat-files': { up: chatFiles },
  '012-agent-checks': { up: agentChecks },
  '013-partners-chat': { up: partnersChat },
  '014-jump-hosts': { up: jumpHosts },
  '015-growth': { up: growth },
  '016-connected-apps': { up: connectedApps },
  '017-languages': { up: languages },
  '018-states': { up: states },
  '019-partner-team': { up: partnerTeam },
  '020-second-factors': { up: secondFactors },
  '021-mail-texts': { up: mailTexts },
  '022-customer-orders': { up: customerOrders },
  '023-audit-of-customers': { up: auditOfCustomers },
  '024-orders': { up: orders },
  '025-webhooks': { up: webhooks }
}

export const migrationNames: readonly string[] = Object.keys(migrations)

/**
 * Processes of one major share a database, older beside newer: a migration adds what older ones can go without. One that takes
 * away, or changes what something means, raises it, once no process of the major before is left to need that.
 */
const MAJOR = '1'

/** Any number that nothing else locks in this database. */
const LOCK = 3_714_205_921
/** Another process's migrations, and one statement of them, may take longer than others. */
export const LONGEST_WAIT_MS = 600_000

/** What is missing, in one transaction under a lock. @throws Error, also where a newer version has written */
export async function migrate(database: Kysely<Tables>, isPostgres: boolean): Promise<void> {
  const db = database.withTables<Applied>()
  // On PostgreSQL in a transaction: a pooler that refuses those is found out at the start.
  const seen = isPostgres ? db.transaction().execute(missing) : missing(db)
  const names = await seen.catch((error: unknown) => {
    if (isMissingTable(error)) return migrationNames
    throw error
  })
  if (names.length === 0) return
  await db.transaction().execute(async (tx) => {
    const lock = `set local lock_timeout = ${LONGEST_WAIT_MS}; set local statement_timeout = ${LONGEST_WAIT_MS};
      select pg_advisory_xact_lock(${LOCK}); set local lock_timeout to default`
    if (isPostgres) await sql.raw(lock).execute(tx)
    await tx.schema
      .createTable('kysely_migration')
      .ifNotExists()
      .addColumn('name', 'varchar(255)', (c) => c.notNull().primaryKey())
      .addColumn('timestamp', 'varchar(255)', (c) => c.notNull())
      .execute()
    for (const name of await missing(tx)) {
      await migrations[name]?.up(tx)
      await tx.insertInto('kysely_migration').values({ name, timestamp: now() }).execute()
    }
    const major = { name: 'schemaMajor', value: MAJOR }
    const keep = tx.insertInto('setting').values(major)
    await keep.onConflict((conflict) => conflict.column('name').doUpdateSet(major)).execute()
  })
}

async function majorOf(db: Kysely<Tables>): Promise<string | undefined> {
  const major = db.selectFrom('setting').where('name', '=', 'schemaMajor').select('value')
  return (await major.executeTakeFirst())?.value
}

async function missing(db: Kysely<Tables & Applied>): Promise<readonly string[]> {
  const rows = await db.selectFrom('kysely_migration').select('name').orderBy('name').execute()
  const unknown = rows.find(({ name }, index) => name !== migrationNames[index])
  const isBehindAllOfOurs = unknown === rows[migrationNames.length]
  if (unknown && isBehindAllOfOurs && (await majorOf(db)) === MAJOR) return []
  if (unknown)
    throw new Error(
      `The database was written by a newer version (${unknown.name}), or by one from before the first release. Start that one`
    )
  return migrationNames.slice(rows.length)
}
