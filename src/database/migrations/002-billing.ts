// Calls, what they cost and are charged at, what customers owe, and the statements of it.
import type { Kysely } from 'kysely'
import { monthOf } from '../../billing/calendar.ts'
import { now } from '../../clock.ts'
import {
  bigint,
  bigintOrNull,
  column,
  constraint,
  foreignKey,
  goesWith,
  goesWithContent,
  index,
  integer,
  integerOrNull,
  leaseIndex,
  owned,
  running,
  table,
  text,
  textOrNull,
  uniqueIndex
} from './statements.ts'

export const up = (db: Kysely<unknown>): Promise<void> =>
  running([...newColumns(), ...calls, ...billing, ...carriedUsage()])(db)

const add = (to: string, ...columns: string[]): string[] =>
  columns.map((definition) => `alter table "${to}" add column ${definition}`)

const newColumns = () => [
  ...add(
    'partner',
    column('currency', `text not null default 'USD'`),
    column('timeZone', `text not null default 'UTC'`),
    column('showsCosts', 'integer not null default 0'),
    column('showsRecordings', 'integer not null default 0'),
    column('statementCount', 'integer not null default 0')
  ),
  ...add(
    'plan',
    ...bigintOrNull('priceMicros', 'creditsMicros'),
    column('period', `text not null default 'month'`),
    column('version', 'integer not null default 1'),
    ...textOrNull('updatedAt', 'archivedAt')
  ),
  ...add(
    'subscription',
    column('status', `text not null default 'active'`),
    column('planName', `text not null default ''`),
    column('period', `text not null default 'month'`),
    column('gave', `text not null default '{}'`),
    column('periodNumber', 'integer not null default 0'),
    ...bigintOrNull('priceMicros', 'periodPriceMicros'),
    ...textOrNull('periodStartsAt', 'periodEndsAt', 'dueAt', 'endedAt')
  ),
  `update "subscription" set "planName" = (select "name" from "plan" where "plan"."id" = "subscription"."planId")`,
  `update "subscription" set "status" = 'trialing', "dueAt" = "trialEndsAt"
    where "trialEndsAt" > '${now()}'`,
  `update "customer" set "subscriptionStatus" = 'trialing' where "id" in
    (select "customerId" from "subscription" where "status" = 'trialing')`,
  ...add('customer', ...textOrNull('planId')),
  `update "customer" set "planId" = (select "planId" from "subscription" where "customerId" = "customer"."id")`,
  `update "customer" set "billingType" = case when lower("billingType") = 'prepaid' then 'prepaid' else 'postpaid' end`,
  // One at a time is in force; what was before is its history.
  `${uniqueIndex('subscriptionInForce', 'subscription', 'customerId')} where "endedAt" is null`,
  `${index('subscriptionDue', 'subscription', 'dueAt')} where "dueAt" is not null`,
  ...add(
    'creditAccount',
    column('paidMicros', 'bigint not null default 0'),
    column('coveredMicros', 'bigint not null default 0')
  ),
  ...add('creditReservation', column('coveredMicros', 'bigint not null default 0')),
  ...add('voiceAgent', ...bigintOrNull('multiplierMicros'), ...textOrNull('repriceFrom')),
  `update "voiceAgent" set "multiplierMicros" = round("profitMultiplier" * 1000000)`,
  'alter table "voiceAgent" drop column "profitMultiplier"',
  `${index('voiceAgentToReprice', 'voiceAgent', 'repriceFrom')} where "repriceFrom" is not null`,
  ...add('providerKey', ...bigintOrNull('minutePriceMicros'), ...textOrNull('hookToken', 'sealedHookSecret')),
  `${uniqueIndex('providerKeyHook', 'providerKey', 'hookToken')} where "hookToken" is not null`
]

const callKey = ['partnerId', 'provider', 'callId']

const calls = [
  table(
    'voiceAgentPeriod',
    text('partnerId', 'provider', 'agentId', 'startsAt'),
    textOrNull('endsAt', 'customerId'),
    bigint('multiplierMicros'),
    goesWith('partner'),
    // Whose calls those were, nobody is to know any more; that they were somebody's stays.
    foreignKey('customerId', 'customer', 'set null'),
    constraint('voiceAgentPeriodKey', 'primary key', 'partnerId', 'provider', 'agentId', 'startsAt')
  ),
  index('voiceAgentPeriodByCustomer', 'voiceAgentPeriod', 'customerId'),
  `insert into "voiceAgentPeriod"
    ("partnerId", "provider", "agentId", "startsAt", "customerId", "multiplierMicros")
    select "partnerId", "provider", "agentId", "updatedAt", "customerId", "multiplierMicros"
    from "voiceAgent" where "customerId" is not null and "multiplierMicros" is not null`,

  table(
    'call',
    owned,
    text('provider', 'callId', 'endedAt', 'day', 'outcome', 'cost', 'createdAt', 'updatedAt'),
    textOrNull('agentId', 'customerId', 'startedAt', 'recordingUrl'),
    bigint('durationMs'),
    bigintOrNull('costMicros', 'minutePriceMicros', 'multiplierMicros', 'chargeMicros'),
    integer('revision'),
    goesWith('partner'),
    goesWithContent,
    constraint('callOnce', 'unique', ...callKey)
  ),
  index('callByCustomer', 'call', 'customerId', 'endedAt', 'id'),
  index('callByAgent', 'call', 'partnerId', 'provider', 'agentId', 'endedAt', 'id'),
  index('callByPartner', 'call', 'partnerId', 'endedAt', 'id'),
  `${index('callOfNobodyByAgent', 'call', 'partnerId', 'provider', 'agentId', 'endedAt')} where "customerId" is null`,
  `${index('callOfNobody', 'call', 'partnerId', 'endedAt', 'id')} where "customerId" is null`,

  table(
    'callDay',
    text('partnerId', 'customerId', 'day'),
    integer('calls'),
    bigint('durationMs', 'costMicros', 'chargeMicros'),
    goesWith('partner'),
    goesWithContent,
    constraint('callDayKey', 'primary key', 'customerId', 'day')
  ),
  index('callDayByPartner', 'callDay', 'partnerId', 'day'),

  table(
    'callHint',
    text(...callKey, 'createdAt'),
    goesWith('partner'),
    constraint('callHintKey', 'primary key', ...callKey)
  ),
  index('callHintAge', 'callHint', 'createdAt'),

  table(
    'usageSync',
    text('partnerId', 'provider', 'position'),
    textOrNull('dueAt', 'leaseOwner', 'leaseExpiresAt', 'syncedTo', 'lastDoneAt', 'lastError'),
    integer('failures'),
    goesWith('partner'),
    constraint('usageSyncKey', 'primary key', 'partnerId', 'provider')
  ),
  `${index('usageSyncDue', 'usageSync', 'dueAt')} where "dueAt" is not null`,
  leaseIndex('usageSync'),
  `insert into "usageSync" ("partnerId", "provider", "position", "dueAt", "failures")
    select "partnerId", "provider", '{}', "updatedAt", 0 from "providerKey"`
]

const billing = [
  table(
    'billingAccount',
    column('customerId', 'text primary key'),
    text('partnerId', 'updatedAt'),
    bigint('balanceMicros', 'entryCount'),
    goesWith('partner'),
    goesWithContent
  ),
  index('billingAccountByPartner', 'billingAccount', 'partnerId'),

  table(
    'statement',
    owned,
    text('customerId', 'startsAt', 'endsAt', 'status', 'currency', 'createdAt'),
    textOrNull('closedAt', 'billedAt', 'voidedAt'),
    integerOrNull('number'),
    bigint('totalMicros', 'entryCount'),
    goesWith('partner'),
    goesWithContent,
    constraint('statementPeriod', 'unique', 'customerId', 'startsAt'),
    constraint('statementNumber', 'unique', 'partnerId', 'number')
  ),
  index('statementNewest', 'statement', 'partnerId', 'startsAt', 'id'),
  `${index('statementDraft', 'statement', 'endsAt')} where "status" = 'draft'`,

  table(
    'billingEntry',
    text('customerId', 'partnerId', 'statementId', 'kind', 'reference', 'description'),
    text('occurredAt', 'createdAt'),
    bigint('seq', 'amountMicros'),
    bigintOrNull('durationMs'),
    goesWithContent,
    foreignKey('statementId', 'statement'),
    constraint('billingEntryKey', 'primary key', 'customerId', 'seq'),
    // Whatever is retried, nothing is owed twice.
    constraint('billingEntryOnce', 'unique', 'customerId', 'reference')
  ),
  index('billingEntryByStatement', 'billingEntry', 'statementId', 'seq')
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
