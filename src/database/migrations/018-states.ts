// What states are told by: who was in a portal last, what came of the last test of a key and of the last deploy.
import { type Kysely, PostgresAdapter } from 'kysely'
import { lowCreditStatements } from './015-growth.ts'
import * as t from './statements.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  // No table can be altered while deferred triggers wait for its rows, as after 015.
  const settled = isPostgres ? ['set constraints all immediate'] : []
  await t.running([...settled, ...columns, ...indexes, ...lowOrUsedUp(isPostgres)])(db)
}

const columns = [
  ...t.added('identity', ...t.textOrNull('lastSeenAt')),
  `update "identity" set "lastSeenAt" = (select max("lastSeenAt") from "session"
    where "identityId" = "identity"."id" and "customerId" is not null)`,
  ...t.added('providerKey', ...t.textOrNull('testedAt', 'testError')),
  ...t.added('instance', ...t.textOrNull('failedAt', 'failedStep')),
  `update "instance" set "failedAt" = (select max("finishedAt") from "deploy" where "instanceId" = "instance"."id"
    and "phase" = 'failed' and "supersededAt" is null) where "status" <> 'registered'`
]

const indexes = [
  `${t.index('identityInvited', 'identity', 'partnerId', 'temporaryPasswordExpiresAt')} where "passwordHash" is null`,
  `${t.index('instanceFailed', 'instance', 'partnerId', 'failedAt')} where "failedAt" is not null`
]

/** Whoever has nothing left is low on credits, with a threshold or without. */
const lowOrUsedUp = (isPostgres: boolean): string[] => [
  ...['Account', 'Balance', 'Customer', 'Terms'].map((of) =>
    isPostgres ? `drop function "lowCreditOf${of}"() cascade` : `drop trigger "lowCreditOf${of}"`
  ),
  'delete from "lowCredit"',
  ...lowCreditStatements(
    isPostgres,
    '(coalesce("balanceMicros", 0) = 0 or "balanceMicros" < "lowCreditThresholdMicros")'
  )
]
