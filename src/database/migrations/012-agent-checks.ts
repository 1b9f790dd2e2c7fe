// Whether agents that are ready still answer: when each is looked at next, what came of it last, and what was mailed of it.
import { type Kysely, sql } from 'kysely'
import { now } from '../../clock.ts'
import { index, leaseIndex, textOrNull } from './statements.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
  await sql`update "instance" set "checkDueAt" = ${now()} where "status" = 'cli-agent'`.execute(db)
}

const columns = ['checkDueAt', 'checkedAt', 'checkTrouble', 'unreachableSince', 'toldSince', 'noticedAt']

const statements = [
  ...textOrNull(...columns, 'leaseOwner', 'leaseExpiresAt').map(
    (column) => `alter table "instance" add column ${column}`
  ),
  `${index('instanceCheckDue', 'instance', 'checkDueAt')} where "checkDueAt" is not null`,
  `${index('instanceUnreachable', 'instance', 'partnerId')} where "unreachableSince" is not null`,
  leaseIndex('instance')
]
