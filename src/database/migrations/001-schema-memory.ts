// Minds, and what lies behind them: memories, postings, facts, vectors, and the work on them.
import {
  bigint,
  column,
  constraint,
  contentTriggers,
  goesWith,
  index,
  integer,
  integerOrNull,
  leaseIndex,
  ofMind,
  table,
  text,
  textOrNull,
  trigger,
  unique,
  uniqueIndex
} from './statements.ts'

export function memoryStatements(isPostgres: boolean): string[] {
  // A key must never come back: what a deleted Mind left anywhere would become another one's.
  const neverAgain = isPostgres ? 'generated always as identity' : 'autoincrement'
  // Text that sorts by its bytes, as SQLite's does, whatever the database's locale.
  const byteOrdered = isPostgres ? 'text collate "C" not null' : 'text not null'
  // A Mind's rows lie together, in the order of their key, however many other Minds are told in between. PostgreSQL has
  // nothing like it; there a cache for the whole database takes its place.
  const clustered = (statement: string) => (isPostgres ? statement : `${statement} without rowid`)

  const deletePostings = 'delete from "posting" where "mindKey" = old."key"'

  return [
    table(
      'mind',
      column('key', `integer primary key ${neverAgain}`),
      text('id', 'partnerId', 'customerId', 'name', 'createdAt', 'updatedAt'),
      textOrNull('description'),
      integer('isPrimary', 'memoryCount', 'nextSeq'),
      goesWith('partner', 'customer'),
      unique('id')
    ),
    index('mindByCustomer', 'mind', 'customerId', 'createdAt'),
    index('mindByPartner', 'mind', 'partnerId'),
    // Two first calls at once make one primary Mind.
    `${uniqueIndex('primaryMindOfCustomer', 'mind', 'customerId')} where "isPrimary" = 1`,

    table(
      'mindContent',
      column('key', 'integer primary key'),
      text('id', 'partnerId'),
      column('isForgotten', 'integer not null default 0'),
      goesWith('partner'),
      unique('id')
    ),
    `${index('mindContentForgotten', 'mindContent', 'key')} where "isForgotten" = 1`,
    ...contentTriggers(isPostgres, 'mind', ['key', 'id', 'partnerId'], 'isForgotten'),

    clustered(
      table(
        'memory',
        ofMind,
        integer('seq'),
        text('id', 'contentHash', 'language', 'opening', 'occurredAt', 'createdAt'),
        textOrNull('author', 'dates'),
        integer('termCount', 'postingCount', 'turn', 'traits'),
        // Last: what the ranking reads of a row lies before it, on the row's own page.
        text('content'),
        constraint('memoryKey', 'primary key', 'mindKey', 'seq'),
        unique('id')
      )
    ),
    index('memoryByContent', 'memory', 'mindKey', 'contentHash', 'createdAt'),
    index('memoryByTime', 'memory', 'mindKey', 'occurredAt'),

    clustered(
      table(
        'posting',
        integer('mindKey'),
        column('term', byteOrdered),
        integer('seq', 'mark'),
        // With the mark inside, a search on PostgreSQL reads the index alone.
        `${constraint('postingKey', 'primary key', 'mindKey', 'term', 'seq')}${isPostgres ? ' include ("mark")' : ''}`
      )
    ),
    // A foreign key would do it as well, and be checked for every word that is remembered.
    ...trigger(isPostgres, 'postingsOfMind', 'delete', 'mindContent', deletePostings),

    // No `without rowid`: a row is found by its number.
    table(
      'mindStat',
      column('mindKey', 'integer primary key references "mindContent" ("key") on delete cascade'),
      integer('memoryCount', 'termCount')
    ),

    clustered(
      table(
        'mindAuthor',
        ofMind,
        column('name', byteOrdered),
        integer('memoryCount'),
        constraint('mindAuthorKey', 'primary key', 'mindKey', 'name')
      )
    ),

    table(
      'fact',
      ofMind,
      integer('seq', 'part'),
      text('subject', 'kind', 'slot', 'value', 'occurredAt'),
      integer('isRetraction', 'isStated', 'tier'),
      integerOrNull('headTier'),
      textOrNull('replaced'),
      column('origin', `text not null default 'rules'`),
      constraint('factKey', 'primary key', 'mindKey', 'seq', 'part')
    ),
    index('factBySlot', 'fact', 'mindKey', 'slot', 'isRetraction', 'occurredAt', 'seq', 'part'),
    // The heads alone: a slot has one at most, and what Recall reads stays small however much was superseded.
    `${uniqueIndex('factHeadOfSlot', 'fact', 'mindKey', 'slot')} where "headTier" is not null`,
    `${index('factHeadByTier', 'fact', 'mindKey', 'headTier', 'occurredAt', 'seq', 'part')}
      where "headTier" is not null`,

    // A search reads all of a Mind's.
    clustered(
      table(
        'embedding',
        ofMind,
        integer('block'),
        column('vectors', `${isPostgres ? 'bytea' : 'blob'} not null`),
        constraint('embeddingKey', 'primary key', 'mindKey', 'block')
      )
    ),

    ...workStatements
  ]
}

const workStatements = [
  table(
    'memoryImport',
    ofMind,
    text('digest', 'updatedAt'),
    integer('memories', 'isWhole'),
    constraint('memoryImportKey', 'primary key', 'mindKey', 'digest')
  ),

  table(
    'mindJob',
    text('kind'),
    ofMind,
    integer('watermark', 'waiting', 'attempts', 'refusals', 'failures', 'isUnsure'),
    textOrNull('waitingSince', 'dueAt', 'leaseOwner', 'leaseExpiresAt', 'lastDoneAt', 'lastError'),
    textOrNull('madeWith'),
    constraint('mindJobKey', 'primary key', 'kind', 'mindKey')
  ),
  `${index('mindJobDue', 'mindJob', 'kind', 'dueAt')} where "dueAt" is not null`,
  index('mindJobByMind', 'mindJob', 'mindKey'),
  leaseIndex('mindJob'),

  table(
    'mindJobFailure',
    text('kind', 'error'),
    ofMind,
    integer('seq', 'isQueued'),
    constraint('mindJobFailureKey', 'primary key', 'mindKey', 'kind', 'seq')
  ),

  table(
    'modelUsage',
    ofMind,
    text('day', 'purpose'),
    integer('calls'),
    bigint('inputTokens', 'outputTokens', 'costMicros'),
    constraint('modelUsageKey', 'primary key', 'mindKey', 'day', 'purpose')
  ),

  // It stands apart from the Mind, which may be gone.
  table(
    'honchoRemoval',
    text('serverUrl', 'workspaceId', 'sessionId', 'dueAt', 'settledAt', 'createdAt'),
    integer('attempts'),
    textOrNull('leaseOwner', 'lastError'),
    constraint('honchoRemovalKey', 'primary key', 'workspaceId', 'sessionId', 'serverUrl')
  ),
  index('honchoRemovalDue', 'honchoRemoval', 'serverUrl', 'dueAt'),
  leaseIndex('honchoRemoval')
]
