// Calls, what they cost and are charged at, what customers owe, and the statements of it.
import type { Kysely } from 'kysely'
import { monthOf } from '../../billing/calendar.ts'
import { now } from '../../clock.ts'
import * as t from './statements.ts'

export const up = (db: Kysely<unknown>): Promise<void> =>
  t.running([...newColumns(), ...calls, ...billing, ...carriedUsage()])(db)

const newColumns = () => [
  ...t.added(
    'partner',
    t.column('currency', `text not null default 'USD'`),
    t.column('timeZone', `text not null default 'UTC'`),
    t.column('showsCosts', 'integer not null default 0'),
    t.column('showsRecordings', 'integer not null default 0'),
    t.column('statementCount', 'integer not null default 0')
  ),
  ...t.added(
    'plan',
    ...t.bigintOrNull('priceMicros', 'creditsMicros'),
    t.column('period', `text not null default 'month'`),
    t.column('version', 'integer not null default 1'),
    ...t.textOrNull('updatedAt', 'archivedAt')
  ),
  ...t.added(
    'subscription',
    t.column('status', `text not null default 'active'`),
    t.column('planName', `text not null default ''`),
    t.column('period', `text not null default 'month'`),
    t.column('gave', `text not null default '{}'`),
    t.column('periodNumber', 'integer not null default 0'),
    ...t.bigintOrNull('priceMicros', 'periodPriceMicros'),
    ...t.textOrNull('periodStartsAt', 'periodEndsAt', 'dueAt', 'endedAt')
  ),
  `update "subscription" set "planName" = (select "name" from "plan" where "plan"."id" = "subscription"."planId")`,
  `update "subscription" set "status" = 'trialing', "dueAt" = "trialEndsAt"
    where "trialEndsAt" > '${now()}'`,
  `update "customer" set "subscriptionStatus" = 'trialing' where "id" in
    (select "customerId" from "subscription" where "status" = 'trialing')`,
  ...t.added('customer', ...t.textOrNull('planId')),
  `update "customer" set "planId" = (select "planId" from "subscription" where "customerId" = "customer"."id")`,
  `update "customer" set "billingType" = case when lower("billingType") = 'prepaid' then 'prepaid' else 'postpaid' end`,
  // One at a time is in force; what was before is its history.
  `${t.uniqueIndex('subscriptionInForce', 'subscription', 'customerId')} where "endedAt" is null`,
  `${t.index('subscriptionDue', 'subscription', 'dueAt')} where "dueAt" is not null`,
  ...t.added(
    'creditAccount',
    t.column('paidMicros', 'bigint not null default 0'),
    t.column('coveredMicros', 'bigint not null default 0')
  ),
  ...t.added('creditReservation', t.column('coveredMicros', 'bigint not null default 0')),
  ...t.added('voiceAgent', ...t.bigintOrNull('multiplierMicros'), ...t.textOrNull('repriceFrom')),
  `update "voiceAgent" set "multiplierMicros" = round("profitMultiplier" * 1000000)`,
  'alter table "voiceAgent" drop column "profitMultiplier"',
  `${t.index('voiceAgentToReprice', 'voiceAgent', 'repriceFrom')} where "repriceFrom" is not null`,
  ...t.added(
    'providerKey',
    ...t.bigintOrNull('minutePriceMicros'),
    ...t.textOrNull('hookToken', 'sealedHookSecret')
  ),
  `${t.uniqueIndex('providerKeyHook', 'providerKey', 'hookToken')} where "hookToken" is not null`
]

const callKey = ['partnerId', 'provider', 'callId']

const calls = [
  t.table(
    'voiceAgentPeriod',
    t.text('partnerId', 'provider', 'agentId', 'startsAt'),
    t.textOrNull('endsAt', 'customerId'),
    t.bigint('multiplierMicros'),
    t.goesWith('partner'),
    // Whose calls those were, nobody is to know any more; that they were somebody's stays.
    t.foreignKey('customerId', 'customer', 'set null'),
    t.constraint('voiceAgentPeriodKey', 'primary key', 'partnerId', 'provider', 'agentId', 'startsAt')
  ),
  t.index('voiceAgentPeriodByCustomer', 'voiceAgentPeriod', 'customerId'),
  `insert into "voiceAgentPeriod"
    ("partnerId", "provider", "agentId", "startsAt", "customerId", "multiplierMicros")
    select "partnerId", "provider", "agentId", "updatedAt", "customerId", "multiplierMicros"
    from "voiceAgent" where "customerId" is not null and "multiplierMicros" is not null`,

  t.table(
    'call',
    t.owned,
    t.text('provider', 'callId', 'endedAt', 'day', 'outcome', 'cost', 'createdAt', 'updatedAt'),
    t.textOrNull('agentId', 'customerId', 'startedAt', 'recordingUrl'),
    t.bigint('durationMs'),
    t.bigintOrNull('costMicros', 'minutePriceMicros', 'multiplierMicros', 'chargeMicros'),
    t.integer('revision'),
    t.goesWith('partner'),
    t.goesWithContent,
    t.constraint('callOnce', 'unique', ...callKey)
  ),
  t.index('callByCustomer', 'call', 'customerId', 'endedAt', 'id'),
  t.index('callByAgent', 'call', 'partnerId', 'provider', 'agentId', 'endedAt', 'id'),
  t.index('callByPartner', 'call', 'partnerId', 'endedAt', 'id'),
  `${t.index('callOfNobodyByAgent', 'call', 'partnerId', 'provider', 'agentId', 'endedAt')} where "customerId" is null`,
  `${t.index('callOfNobody', 'call', 'partnerId', 'endedAt', 'id')} where "customerId" is null`,

  t.table(
    'callDay',
    t.text('partnerId', 'customerId', 'day'),
    t.integer('calls'),
    t.bigint('durationMs', 'costMicros', 'chargeMicros'),
    t.goesWith('partner'),
    t.goesWithContent,
    t.constraint('callDayKey', 'primary key', 'customerId', 'day')
  ),
  t.index('callDayByPartner', 'callDay', 'partnerId', 'day'),

  t.table(
    'callHint',
    t.text(...callKey, 'createdAt'),
    t.goesWith('partner'),
    t.constraint('callHintKey', 'primary key', ...callKey)
  ),
  t.index('callHintAge', 'callHint', 'createdAt'),

  t.table(
    'usageSync',
    t.text('partnerId', 'provider', 'position'),
    t.textOrNull('dueAt', 'leaseOwner', 'leaseExpiresAt', 'syncedTo', 'lastDoneAt', 'lastError'),
    t.integer('failures'),
    t.goesWith('partner'),
    t.constraint('usageSyncKey', 'primary key', 'partnerId', 'provider')
  ),
  `${t.index('usageSyncDue', 'usageSync', 'dueAt')} where "dueAt" is not null`,
  t.leaseIndex('usageSync'),
  `insert into "usageSync" ("partnerId", "provider", "position", "dueAt", "failures")
    select "partnerId", "provider", '{}', "updatedAt", 0 from "providerKey"`
]

const billing = [
  t.table(
    'billingAccount',
    t.column('customerId', 'text primary key'),
    t.text('partnerId', 'updatedAt'),
    t.bigint('balanceMicros', 'entryCount'),
    t.goesWith('partner'),
    t.goesWithContent
  ),
  t.index('billingAccountByPartner', 'billingAccount', 'partnerId'),

  t.table(
    'statement',
    t.owned,
    t.text('customerId', 'startsAt', 'endsAt', 'status', 'currency', 'createdAt'),
    t.textOrNull('closedAt', 'billedAt', 'voidedAt'),
    t.integerOrNull('number'),
    t.bigint('totalMicros', 'entryCount'),
    t.goesWith('partner'),
    t.goesWithContent,
    t.constraint('statementPeriod', 'unique', 'customerId', 'startsAt'),
    t.constraint('statementNumber', 'unique', 'partnerId', 'number')
  ),
  t.index('statementNewest', 'statement', 'partnerId', 'startsAt', 'id'),
  `${t.index('statementDraft', 'statement', 'endsAt')} where "status" = 'draft'`,

  t.table(
    'billingEntry',
    t.text('customerId', 'partnerId', 'statementId', 'kind', 'reference', 'description'),
    t.text('occurredAt', 'createdAt'),
    t.bigint('seq', 'amountMicros'),
    t.bigintOrNull('durationMs'),
    t.goesWithContent,
    t.foreignKey('statementId', 'statement'),
    t.constraint('billingEntryKey', 'primary key', 'customerId', 'seq'),
    // Whatever is retried, nothing is owed twice.
    t.constraint('billingEntryOnce', 'unique', 'customerId', 'reference')
  ),
  t.index('billingEntryByStatement', 'billingEntry', 'statementId', 'seq')
]

/** What was not billed yet is owed on the first statements. */
function carriedUsage(): string[] {
  const at = now()
  const { startsAt, endsAt } = monthOf(at, 'UTC')
  const unbilled = 'from "usage" where "billedAt" is null and "customerId" is not null'
  const statementId = `'stm_' || substr("customerId", 5)`
  return [
    `insert into "billingAccount" ("customerId", "partnerId", "updatedAt", "balanceMicros", "entryCount")
      select "customerId", "partnerId", '${at}', sum("amountMicros"), count(*) ${unbilled}
      group by "partnerId", "customerId"`,
    `insert into "statement" ("id", "partnerId", "customerId", "startsAt", "endsAt", "status", "currency",
      "createdAt", "totalMicros", "entryCount")
      select ${statementId}, "partnerId", "customerId", '${startsAt}', '${endsAt}', 'draft', 'USD',
      '${at}', "balanceMicros", "entryCount" from "billingAccount"`,
    `insert into "billingEntry" ("customerId", "partnerId", "statementId", "kind", "reference", "description",
      "occurredAt", "createdAt", "seq", "amountMicros")
      select "customerId", "partnerId", ${statementId}, 'ai_credits', "id", 'AI credits', "occurredAt", '${at}',
      row_number() over (partition by "customerId" order by "occurredAt", "id"), "amountMicros" ${unbilled}`,
    'drop table "usage"'
  ]
}
