// Mail, audit, credits, customers' servers, and what the service keeps for itself.
import * as t from './statements.ts'

const service = [
  t.table(
    'mail',
    t.owned,
    t.textOrNull('customerId', 'sealedSecret', 'leaseOwner', 'leaseExpiresAt', 'lastError', 'finishedAt'),
    t.text('template', 'recipient', 'messageId', 'params', 'status', 'nextAttemptAt', 'createdAt'),
    t.column('attempts', 'integer not null default 0'),
    t.goesWith('partner'),
    t.goesWithContent,
    t.unique('messageId')
  ),
  t.index('mailDue', 'mail', 'status', 'nextAttemptAt'),
  t.index('mailByPartner', 'mail', 'partnerId', 'createdAt'),
  t.index('mailByAge', 'mail', 'finishedAt'),
  t.leaseIndex('mail'),
  t.index('mailByCustomer', 'mail', 'customerId'),

  t.table(
    'audit',
    t.column('id', 'text primary key'),
    t.textOrNull('partnerId'),
    t.text('actor', 'action', 'targetType', 'targetId', 'fields', 'requestId', 'createdAt'),
    t.goesWith('partner')
  ),
  t.index('auditNewest', 'audit', 'partnerId', 'createdAt', 'id'),
  t.index('auditByAge', 'audit', 'createdAt'),
  t.index('auditByTarget', 'audit', 'targetId'),

  t.table(
    'idempotency',
    t.text('partnerId', 'operation', 'key', 'inputHash', 'answer', 'expiresAt', 'createdAt'),
    t.textOrNull('leaseOwner', 'leaseExpiresAt', 'mindId'),
    t.goesWith('partner'),
    t.constraint('idempotencyKey', 'primary key', 'partnerId', 'operation', 'key')
  ),
  t.index('idempotencyExpiry', 'idempotency', 'expiresAt'),
  `${t.index('idempotencyByMind', 'idempotency', 'mindId', 'partnerId', 'operation', 'key')} where "mindId" is not null`,
  t.leaseIndex('idempotency'),

  // rate-limiter-flexible writes it and wants just these columns, in this order.
  t.table('rateLimit', t.column('key', 'text primary key'), t.integer('points'), t.bigint('expire')),
  t.index('rateLimitByAge', 'rateLimit', 'expire'),

  t.table('setting', t.column('name', 'text primary key'), t.text('value'))
]

const credits = [
  t.table(
    'creditAccount',
    t.owned,
    t.textOrNull('customerId'),
    t.bigint('balanceMicros', 'entryCount'),
    t.bigintOrNull('noticedThresholdMicros'),
    t.text('createdAt', 'updatedAt'),
    t.goesWith('partner'),
    t.goesWithContent,
    // What every debit asks first holds even where one should forget to.
    'constraint "creditAccountNotBelowZero" check ("balanceMicros" >= 0)'
  ),
  t.index('creditAccountByPartner', 'creditAccount', 'partnerId'),
  t.index('creditAccountByCustomer', 'creditAccount', 'customerId'),

  t.table(
    'creditEntry',
    t.text('accountId', 'partnerId', 'kind', 'operation', 'reference', 'createdAt'),
    t.textOrNull('customerId', 'note'),
    t.bigint('seq', 'amountMicros', 'balanceAfterMicros'),
    t.foreignKey('accountId', 'creditAccount'),
    t.constraint('creditEntryKey', 'primary key', 'accountId', 'seq'),
    // Whatever is retried, nothing is paid twice.
    t.constraint('creditEntryOnce', 'unique', 'accountId', 'reference', 'kind')
  ),

  t.table(
    'creditReservation',
    t.owned,
    t.textOrNull('customerId', 'answer', 'answerErasedAt', 'leaseOwner', 'settledAt'),
    t.text('mindId', 'operation', 'status', 'expiresAt', 'createdAt'),
    t.bigint('partnerMicros', 'customerMicros', 'usageMicros'),
    t.goesWith('partner'),
    t.goesWithContent
  ),
  t.index('creditReservationByPartner', 'creditReservation', 'partnerId'),
  // The few that are held and the day's answers, not all that ever was.
  `${t.index('creditReservationHeld', 'creditReservation', 'expiresAt')} where "status" = 'held'`,
  `${t.index('creditAnswerByMind', 'creditReservation', 'mindId')} where "answer" is not null`,
  `${t.index('creditAnswerByAge', 'creditReservation', 'settledAt')} where "answer" is not null`,
  `${t.index('creditReservationByAge', 'creditReservation', 'createdAt')}
    where "status" <> 'held' and "answer" is null`,
  t.leaseIndex('creditReservation'),
  t.index('creditReservationByCustomer', 'creditReservation', 'customerId')
]

const instances = [
  t.table(
    'instance',
    t.owned,
    t.text('customerId', 'name', 'host', 'username', 'root', 'status', 'createdAt', 'updatedAt'),
    t.text('hostKey', 'publicKey', 'privateKeySealed'),
    t.textOrNull('agentName', 'model'),
    t.integer('port'),
    t.goesWith('partner', 'customer'),
    t.constraint('instancePlace', 'unique', 'partnerId', 'host', 'port', 'root')
  ),
  t.index('instanceByCustomer', 'instance', 'customerId'),
  t.index('instanceByPartner', 'instance', 'partnerId', 'createdAt', 'id'),

  t.table(
    'deploy',
    t.owned,
    t.text('instanceId', 'phase', 'statusBefore', 'businessName', 'createdAt'),
    t.text('steps', 'log', 'message'),
    t.column('memoryScopes', `text not null default '["memory:read","memory:write"]'`),
    t.integer('number', 'attempt', 'logOffset', 'isReinstall'),
    t.textOrNull('model', 'keyAlias', 'keyRevokedAt', 'tokenId', 'sealedTelegram'),
    t.textOrNull('leaseOwner', 'leaseExpiresAt', 'finishedAt', 'supersededAt'),
    t.goesWith('partner', 'instance'),
    t.constraint('deployNumber', 'unique', 'instanceId', 'number')
  ),
  t.index('deployByPartner', 'deploy', 'partnerId'),
  // The few that are under way; and one at a time on an instance, whatever happens to its status.
  `${t.uniqueIndex('deployUnderWay', 'deploy', 'instanceId')} where "finishedAt" is null`,
  // Keys that may be alive: one for each instance, and those that are still to be revoked.
  `${t.index('deployKeyAlive', 'deploy', 'instanceId', 'number')}
    where "keyAlias" is not null and "keyRevokedAt" is null`,
  // What is still needed isn't in it: no sweep reads past that again and again.
  `${t.index('deployByAge', 'deploy', 'supersededAt')} where ("keyAlias" is null or "keyRevokedAt" is not null)`,
  t.leaseIndex('deploy'),

  t.table(
    'chatThread',
    t.column('instanceId', 'text primary key'),
    t.text('partnerId'),
    t.integer('lastSeq'),
    t.textOrNull('sessionId'),
    t.goesWith('instance')
  ),

  t.table(
    'chatExchange',
    t.owned,
    t.text('instanceId', 'key', 'message', 'state', 'model', 'createdAt', 'deadlineAt'),
    t.integer('seq'),
    t.textOrNull('reply', 'code', 'sessionId', 'leaseOwner', 'cancelRequestedAt', 'answeredAt'),
    t.integerOrNull('hasStarted'),
    t.goesWith('instance'),
    t.constraint('chatExchangePlace', 'unique', 'instanceId', 'seq'),
    t.constraint('chatExchangeOnce', 'unique', 'instanceId', 'key')
  ),
  // The few that wait, not all that ever was.
  `${t.index('chatExchangeWaiting', 'chatExchange', 'deadlineAt')} where "state" = 'waiting'`,
  `${t.index('chatExchangeByAge', 'chatExchange', 'createdAt')} where "state" <> 'waiting'`,
  // SQLite sums it from here, without a look at the texts.
  `create index "chatExchangeSize" on "chatExchange"
    ("instanceId", "seq", (octet_length("message") + coalesce(octet_length("reply"), 0)))`,
  t.leaseIndex('chatExchange')
]

const aiGateway = [
  t.table(
    'aiKey',
    t.owned,
    t.text('instanceId', 'alias', 'hashPrefix', 'hash', 'models', 'createdAt'),
    t.textOrNull('revokedAt'),
    t.goesWith('partner', 'instance'),
    t.unique('alias')
  ),
  t.index('aiKeyByHashPrefix', 'aiKey', 'hashPrefix'),
  t.index('aiKeyByInstanceId', 'aiKey', 'instanceId'),
  t.index('aiKeyByPartnerId', 'aiKey', 'partnerId'),

  t.table(
    'aiUsage',
    t.owned,
    // Whose agent it was, also once its server is gone.
    t.textOrNull('customerId'),
    t.text('instanceId', 'keyId', 'model', 'createdAt'),
    t.bigintOrNull('promptTokens', 'completionTokens'),
    t.bigint('durationMs'),
    t.integer('status'),
    t.goesWith('partner'),
    t.goesWithContent
  ),
  t.index('aiUsageByKey', 'aiUsage', 'keyId', 'createdAt'),
  t.index('aiUsageByPartner', 'aiUsage', 'partnerId', 'createdAt'),
  t.index('aiUsageByAge', 'aiUsage', 'createdAt'),
  t.index('aiUsageByCustomer', 'aiUsage', 'customerId', 'createdAt'),

  t.table(
    'aiSpending',
    t.text('ownerId', 'period', 'partnerId', 'endsAt'),
    t.textOrNull('customerId'),
    t.bigint('tokens'),
    t.goesWith('partner', 'customer'),
    t.constraint('aiSpendingKey', 'primary key', 'ownerId', 'period')
  ),
  t.index('aiSpendingByCustomer', 'aiSpending', 'customerId'),
  t.index('aiSpendingByAge', 'aiSpending', 'endsAt')
]

export const serviceStatements: readonly string[] = [...service, ...credits, ...instances, ...aiGateway]
