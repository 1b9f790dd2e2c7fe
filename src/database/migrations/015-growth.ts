// Reads that cost the same however many customers a partner has: indexes, and counts that move with the rows.
import { type Kysely, PostgresAdapter } from 'kysely'
import { DAY_MS, fromNow } from '../../clock.ts'
import { searchStatements } from './015-growth-search.ts'
import * as t from './statements.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const all = [
    ...indexes,
    ...tables,
    ...COUNTED.flatMap((counted) => countStatements(isPostgres, counted)),
    ...lowCreditStatements(isPostgres),
    ...creditDayStatements(isPostgres),
    ...searchStatements(isPostgres)
  ]
  await t.running(all)(db)
}

const FILTERS = ['credentialStatus', 'orderStatus', 'subscriptionStatus']
const LABELS = ['monthlyCallVolume', 'callComplexity', 'deploymentTimeline']

const newest = (name: string, table: string, ...columns: string[]) =>
  t.index(name, table, ...columns, 'createdAt', 'id')

const indexes = [
  newest('customerChanged', 'customer', 'partnerId', 'updatedAt'),
  ...[...FILTERS, ...LABELS].map((column) =>
    newest(`customerBy${column.charAt(0).toUpperCase()}${column.slice(1)}`, 'customer', 'partnerId', column)
  ),
  'drop index "auditByTarget"',
  newest('auditByTarget', 'audit', 'targetId', 'partnerId'),
  newest('auditByAction', 'audit', 'partnerId', 'action'),
  'drop index "mailByPartner"',
  newest('mailByPartner', 'mail', 'partnerId'),
  newest('mailByStatus', 'mail', 'partnerId', 'status'),
  `${t.index('mailGivenUp', 'mail', 'partnerId', 'finishedAt')} where "status" = 'failed'`,
  'drop index "instanceUnreachable"',
  `${t.index('instanceUnreachable', 'instance', 'partnerId', 'unreachableSince')} where "unreachableSince" is not null`,
  newest('customerTokenNewest', 'customerToken', 'partnerId'),
  // Read from its end, as the list is ordered.
  'create index "voiceAgentNewest" on "voiceAgent" ("partnerId", "createdAt", "provider" desc, "agentId" desc)',
  t.index('statementByStatus', 'statement', 'partnerId', 'status', 'startsAt', 'id')
]

const tables = [
  t.table(
    'rowCount',
    t.text('partnerId', 'subject', 'value'),
    t.bigint('count'),
    t.goesWith('partner'),
    t.constraint('rowCountKey', 'primary key', 'partnerId', 'subject', 'value')
  ),
  t.table(
    'lowCredit',
    t.column('customerId', 'text primary key'),
    t.text('partnerId'),
    t.bigint('balanceMicros'),
    t.goesWith('partner', 'customer')
  ),
  t.index('lowCreditLowest', 'lowCredit', 'partnerId', 'balanceMicros', 'customerId'),
  t.table(
    'creditDay',
    t.text('accountId', 'day'),
    t.bigint('spentMicros'),
    t.foreignKey('accountId', 'creditAccount'),
    t.constraint('creditDayKey', 'primary key', 'accountId', 'day')
  )
]

/** Beginnings of a time, by which a deep page is found: as many letters of it. */
const HOURS = { day: 10, hour: 13 }
/** An import brings very many customers within an hour. */
const MINUTES = { day: 10, minute: 16 }

interface Counted {
  table: string
  time?: { column: string; units: Record<string, number> }
  /** How many there are of each value. */
  by?: readonly string[]
}

const created = { column: 'createdAt', units: HOURS }

const COUNTED: readonly Counted[] = [
  { table: 'customer', time: { ...created, units: MINUTES }, by: [...FILTERS, ...LABELS] },
  { table: 'audit', time: created, by: ['action'] },
  { table: 'mail', time: created, by: ['status'] },
  { table: 'customerToken', time: created },
  { table: 'instance', time: created },
  { table: 'voiceAgent', time: created, by: ['provider'] },
  { table: 'statement', time: { ...created, column: 'startsAt' }, by: ['status'] },
  { table: 'lowCredit' }
]

/** What is counted of the row that `row` names: a subject and its value. */
const countsOf = ({ table, time, by = [] }: Counted, row: string): [string, string][] => [
  [`'${table}'`, `''`],
  ...Object.entries(time?.units ?? {}).map(([unit, letters]): [string, string] => [
    `'${table}.${unit}'`,
    `substr(${row}."${time?.column}", 1, ${letters})`
  ]),
  ...by.map((column): [string, string] => [`'${table}.${column}'`, `coalesce(${row}."${column}", '')`])
]

/** As far back as anybody can ask for. */
const KEPT_DAYS = 367

/** Any number that nothing else locks by together with a partner's. */
const LOCK = 371_420

/**
 * On PostgreSQL they are counted by the commit itself, one of a partner after the other: nobody waits for a transaction that
 * isn't about to end. Two that are about several partners may wait for each other; one of them is then done again.
 */
function countStatements(isPostgres: boolean, counted: Counted): string[] {
  const { table, time, by = [] } = counted
  const values = (row: string) => countsOf(counted, row).map((pair) => `(${pair.join(', ')})`)
  const those = `"partnerId" = old."partnerId" and ("subject", "value") in (values ${values('old').join(', ')})`
  const added = `insert into "rowCount" ("partnerId", "subject", "value", "count") values
    ${countsOf(counted, 'new').map((pair) => `(new."partnerId", ${pair.join(', ')}, 1)`)}
    on conflict ("partnerId", "subject", "value") do update set "count" = "rowCount"."count" + 1;`
  const removed = `update "rowCount" set "count" = "count" - 1 where ${those};
    delete from "rowCount" where ${those} and "count" = 0;`
  const columns = [...(time ? [time.column] : []), ...by].map((column) => `"${column}"`)
  const update = columns.length > 0 ? [`update of ${columns.join(', ')}`] : []
  const name = `countOf${table.charAt(0).toUpperCase()}${table.slice(1)}`
  const fill = countsOf(counted, `"${table}"`).map(
    ([subject, value]) => `insert into "rowCount" ("partnerId", "subject", "value", "count")
      select "partnerId", ${subject}, ${value}, count(*) from "${table}" where "partnerId" is not null group by 1, 3`
  )
  if (!isPostgres) {
    const on = (event: string, row: string, work: string) =>
      `create trigger "${name}${event.slice(0, 6)}" after ${event} on "${table}"
        when ${row}."partnerId" is not null begin ${work} end`
    return [
      on('insert', 'new', added),
      on('delete', 'old', removed),
      ...update.map((event) => on(event, 'new', `${removed} ${added}`)),
      ...fill
    ]
  }
  return [
    `create function "${name}"() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock(${LOCK}, hashtext(coalesce(new."partnerId", old."partnerId")));
      if old."partnerId" is not null then ${removed} end if;
      if new."partnerId" is not null then ${added} end if;
      return null; end $$`,
    `create constraint trigger "${name}" after ${['insert', 'delete', ...update].join(' or ')} on "${table}"
      deferrable initially deferred for each row execute function "${name}"()`,
    ...fill
  ]
}

const BELOW = 'coalesce("balanceMicros", 0) < "lowCreditThresholdMicros"'

/** Customers whose AI credits are below their own threshold, kept as either moves. */
export function lowCreditStatements(isPostgres: boolean, isLow = BELOW): string[] {
  // A customer that was never granted anything has no account, and nothing in it.
  const low = `from "customer" left join "creditAccount" on "creditAccount"."id" = "customer"."id"
    where "aiCreditsEnabled" = 1 and ${isLow}`
  const insert = `insert into "lowCredit" ("customerId", "partnerId", "balanceMicros")
    select "customer"."id", "customer"."partnerId", coalesce("balanceMicros", 0) ${low}`
  const kept = (id: string) => `
    delete from "lowCredit" where "customerId" = ${id}
      and not exists (select 1 ${low} and "customer"."id" = ${id});
    ${insert} and "customer"."id" = ${id}
      on conflict ("customerId") do update set "balanceMicros" = excluded."balanceMicros"`
  // Whoever moves the balance right now has done so, or sees the threshold as it becomes.
  const locked = isPostgres ? 'perform 1 from "creditAccount" where "id" = new."id" for update;' : ''
  const terms = 'update of "aiCreditsEnabled", "lowCreditThresholdMicros"'
  const isCustomers = 'new."customerId" is not null'
  const onAccount = (name: string, event: string) =>
    t.trigger(isPostgres, name, event, 'creditAccount', kept('new."customerId"'), isCustomers)
  return [
    ...onAccount('lowCreditOfAccount', 'insert'),
    ...onAccount('lowCreditOfBalance', 'update of "balanceMicros"'),
    ...t.trigger(isPostgres, 'lowCreditOfCustomer', 'insert', 'customer', kept('new."id"')),
    ...t.trigger(isPostgres, 'lowCreditOfTerms', terms, 'customer', `${locked}${kept('new."id"')}`),
    insert
  ]
}

/** What an account spent on each day; what was held and given back was not spent. */
function creditDayStatements(isPostgres: boolean): string[] {
  const day = 'substr("createdAt", 1, 10)'
  const spending = `"kind" in ('charge', 'hold')`
  const spent = `insert into "creditDay" ("accountId", "day", "spentMicros")
    values (new."accountId", substr(new."createdAt", 1, 10), -new."amountMicros")
    on conflict ("accountId", "day") do update set "spentMicros" = "creditDay"."spentMicros" + excluded."spentMicros"`
  const held = `from "creditEntry" where "accountId" = new."accountId" and "reference" = new."reference" and ${spending}`
  const givenBack = `update "creditDay" set "spentMicros" = "spentMicros" + (select sum("amountMicros") ${held})
    where "accountId" = new."accountId" and "day" = (select ${day} ${held} limit 1)`
  return [
    ...t.trigger(isPostgres, 'creditSpent', 'insert', 'creditEntry', spent, `new.${spending}`),
    ...t.trigger(isPostgres, 'creditGivenBack', 'insert', 'creditEntry', givenBack, `new."kind" = 'refund'`),
    `insert into "creditDay" ("accountId", "day", "spentMicros")
      select "accountId", ${day}, -sum("amountMicros") from "creditEntry" as "entry" where ${spending}
        and "createdAt" > '${fromNow(-KEPT_DAYS * DAY_MS)}' and not exists (select 1 from "creditEntry" as "refund"
          where "refund"."accountId" = "entry"."accountId" and "refund"."reference" = "entry"."reference"
          and "refund"."kind" = 'refund') group by 1, 2`
  ]
}
