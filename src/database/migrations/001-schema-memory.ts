// Minds, and what lies behind them: memories, postings, facts, vectors, and the work on them.
import * as t from './statements.ts'

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
    t.table(
      'mind',
      t.column('key', `integer primary key ${neverAgain}`),
      t.text('id', 'partnerId', 'customerId', 'name', 'createdAt', 'updatedAt'),
      t.textOrNull('description'),
      t.integer('isPrimary', 'memoryCount', 'nextSeq'),
      t.goesWith('partner', 'customer'),
      t.unique('id')
    ),
    t.index('mindByCustomer', 'mind', 'customerId', 'createdAt'),
    t.index('mindByPartner', 'mind', 'partnerId'),
    // Two first calls at once make one primary Mind.
    `${t.uniqueIndex('primaryMindOfCustomer', 'mind', 'customerId')} where "isPrimary" = 1`,

    t.table(
      'mindContent',
      t.column('key', 'integer primary key'),
      t.text('id', 'partnerId'),
      t.column('isForgotten', 'integer not null default 0'),
      t.goesWith('partner'),
      t.unique('id')
    ),
    `${t.index('mindContentForgotten', 'mindContent', 'key')} where "isForgotten" = 1`,
    ...t.contentTriggers(isPostgres, 'mind', ['key', 'id', 'partnerId'], 'isForgotten'),

    clustered(
      t.table(
        'memory',
        t.ofMind,
        t.integer('seq'),
        t.text('id', 'contentHash', 'language', 'opening', 'occurredAt', 'createdAt'),
        t.textOrNull('author', 'dates'),
        t.integer('termCount', 'postingCount', 'turn', 'traits'),
        // Last: what the ranking reads of a row lies before it, on the row's own page.
        t.text('content'),
        t.constraint('memoryKey', 'primary key', 'mindKey', 'seq'),
        t.unique('id')
      )
    ),
    t.index('memoryByContent', 'memory', 'mindKey', 'contentHash', 'createdAt'),
    t.index('memoryByTime', 'memory', 'mindKey', 'occurredAt'),

    clustered(
      t.table(
        'posting',
        t.integer('mindKey'),
        t.column('term', byteOrdered),
        t.integer('seq', 'mark'),
        // With the mark inside, a search on PostgreSQL reads the index alone.
        `${t.constraint('postingKey', 'primary key', 'mindKey', 'term', 'seq')}${isPostgres ? ' include ("mark")' : ''}`
      )
    ),
    // A foreign key would do it as well, and be checked for every word that is remembered.
    ...t.trigger(isPostgres, 'postingsOfMind', 'delete', 'mindContent', deletePostings),

    // No `without rowid`: a row is found by its number.
    t.table(
      'mindStat',
      t.column('mindKey', 'integer primary key references "mindContent" ("key") on delete cascade'),
      t.integer('memoryCount', 'termCount')
    ),

    clustered(
      t.table(
        'mindAuthor',
        t.ofMind,
        t.column('name', byteOrdered),
        t.integer('memoryCount'),
        t.constraint('mindAuthorKey', 'primary key', 'mindKey', 'name')
      )
    ),

    t.table(
      'fact',
      t.ofMind,
      t.integer('seq', 'part'),
      t.text('subject', 'kind', 'slot', 'value', 'occurredAt'),
      t.integer('isRetraction', 'isStated', 'tier'),
      t.integerOrNull('headTier'),
      t.textOrNull('replaced'),
      t.column('origin', `text not null default 'rules'`),
      t.constraint('factKey', 'primary key', 'mindKey', 'seq', 'part')
    ),
    t.index('factBySlot', 'fact', 'mindKey', 'slot', 'isRetraction', 'occurredAt', 'seq', 'part'),
    // The heads alone: a slot has one at most, and what Recall reads stays small however much was superseded.
    `${t.uniqueIndex('factHeadOfSlot', 'fact', 'mindKey', 'slot')} where "headTier" is not null`,
    `${t.index('factHeadByTier', 'fact', 'mindKey', 'headTier', 'occurredAt', 'seq', 'part')}
      where "headTier" is not null`,

    // A search reads all of a Mind's.
    clustered(
      t.table(
        'embedding',
        t.ofMind,
        t.integer('block'),
        t.column('vectors', `${isPostgres ? 'bytea' : 'blob'} not null`),
        t.constraint('embeddingKey', 'primary key', 'mindKey', 'block')
      )
    ),

    ...workStatements
  ]
}

const workStatements = [
  t.table(
    'memoryImport',
    t.ofMind,
    t.text('digest', 'updatedAt'),
    t.integer('memories', 'isWhole'),
    t.constraint('memoryImportKey', 'primary key', 'mindKey', 'digest')
  ),

  t.table(
    'mindJob',
    t.text('kind'),
    t.ofMind,
    t.integer('watermark', 'waiting', 'attempts', 'refusals', 'failures', 'isUnsure'),
    t.textOrNull('waitingSince', 'dueAt', 'leaseOwner', 'leaseExpiresAt', 'lastDoneAt', 'lastError'),
    t.textOrNull('madeWith'),
    t.constraint('mindJobKey', 'primary key', 'kind', 'mindKey')
  ),
  `${t.index('mindJobDue', 'mindJob', 'kind', 'dueAt')} where "dueAt" is not null`,
  t.index('mindJobByMind', 'mindJob', 'mindKey'),
  t.leaseIndex('mindJob'),

  t.table(
    'mindJobFailure',
    t.text('kind', 'error'),
    t.ofMind,
    t.integer('seq', 'isQueued'),
    t.constraint('mindJobFailureKey', 'primary key', 'mindKey', 'kind', 'seq')
  ),

  t.table(
    'modelUsage',
    t.ofMind,
    t.text('day', 'purpose'),
    t.integer('calls'),
    t.bigint('inputTokens', 'outputTokens', 'costMicros'),
    t.constraint('modelUsageKey', 'primary key', 'mindKey', 'day', 'purpose')
  ),

  // It stands apart from the Mind, which may be gone.
  t.table(
    'honchoRemoval',
    t.text('serverUrl', 'workspaceId', 'sessionId', 'dueAt', 'settledAt', 'createdAt'),
    t.integer('attempts'),
    t.textOrNull('leaseOwner', 'lastError'),
    t.constraint('honchoRemovalKey', 'primary key', 'workspaceId', 'sessionId', 'serverUrl')
  ),
  t.index('honchoRemovalDue', 'honchoRemoval', 'serverUrl', 'dueAt'),
  t.leaseIndex('honchoRemoval')
]
