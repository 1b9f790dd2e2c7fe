// Mail, audit, credits, customers' servers, and what the service keeps for itself.
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
  table,
  text,
  textOrNull,
  unique,
  uniqueIndex
} from './statements.ts'

const service = [
  table(
    'mail',
    owned,
    textOrNull('customerId', 'sealedSecret', 'leaseOwner', 'leaseExpiresAt', 'lastError', 'finishedAt'),
    text('template', 'recipient', 'messageId', 'params', 'status', 'nextAttemptAt', 'createdAt'),
    column('attempts', 'integer not null default 0'),
    goesWith('partner'),
    goesWithContent,
    unique('messageId')
  ),
  index('mailDue', 'mail', 'status', 'nextAttemptAt'),
  index('mailByPartner', 'mail', 'partnerId', 'createdAt'),
  index('mailByAge', 'mail', 'finishedAt'),
  leaseIndex('mail'),
  index('mailByCustomer', 'mail', 'customerId'),

  table(
    'audit',
    column('id', 'text primary key'),
    textOrNull('partnerId'),
    text('actor', 'action', 'targetType', 'targetId', 'fields', 'requestId', 'createdAt'),
    goesWith('partner')
  ),
  index('auditNewest', 'audit', 'partnerId', 'createdAt', 'id'),
  index('auditByAge', 'audit', 'createdAt'),
  index('auditByTarget', 'audit', 'targetId'),

  table(
    'idempotency',
    text('partnerId', 'operation', 'key', 'inputHash', 'answer', 'expiresAt', 'createdAt'),
    textOrNull('leaseOwner', 'leaseExpiresAt', 'mindId'),
    goesWith('partner'),
    constraint('idempotencyKey', 'primary key', 'partnerId', 'operation', 'key')
  ),
  index('idempotencyExpiry', 'idempotency', 'expiresAt'),
  `${index('idempotencyByMind', 'idempotency', 'mindId', 'partnerId', 'operation', 'key')} where "mindId" is not null`,
  leaseIndex('idempotency'),

  // rate-limiter-flexible writes it and wants just these columns, in this order.
  table('rateLimit', column('key', 'text primary key'), integer('points'), bigint('expire')),
  index('rateLimitByAge', 'rateLimit', 'expire'),

  table('setting', column('name', 'text primary key'), text('value'))
]

const credits = [
  table(
    'creditAccount',
    owned,
    textOrNull('customerId'),
    bigint('balanceMicros', 'entryCount'),
    bigintOrNull('noticedThresholdMicros'),
    text('createdAt', 'updatedAt'),
    goesWith('partner'),
    goesWithContent,
    // What every debit asks first holds even where one should forget to.
    'constraint "creditAccountNotBelowZero" check ("balanceMicros" >= 0)'
  ),
  index('creditAccountByPartner', 'creditAccount', 'partnerId'),
  index('creditAccountByCustomer', 'creditAccount', 'customerId'),

  table(
    'creditEntry',
    text('accountId', 'partnerId', 'kind', 'operation', 'reference', 'createdAt'),
    textOrNull('customerId', 'note'),
    bigint('seq', 'amountMicros', 'balanceAfterMicros'),
    foreignKey('accountId', 'creditAccount'),
    constraint('creditEntryKey', 'primary key', 'accountId', 'seq'),
    // Whatever is retried, nothing is paid twice.
    constraint('creditEntryOnce', 'unique', 'accountId', 'reference', 'kind')
  ),

  table(
    'creditReservation',
    owned,
    textOrNull('customerId', 'answer', 'answerErasedAt', 'leaseOwner', 'settledAt'),
    text('mindId', 'operation', 'status', 'expiresAt', 'createdAt'),
    bigint('partnerMicros', 'customerMicros', 'usageMicros'),
    goesWith('partner'),
    goesWithContent
  ),
  index('creditReservationByPartner', 'creditReservation', 'partnerId'),
  // The few that are held and the day's answers, not all that ever was.
  `${index('creditReservationHeld', 'creditReservation', 'expiresAt')} where "status" = 'held'`,
  `${index('creditAnswerByMind', 'creditReservation', 'mindId')} where "answer" is not null`,
  `${index('creditAnswerByAge', 'creditReservation', 'settledAt')} where "answer" is not null`,
  `${index('creditReservationByAge', 'creditReservation', 'createdAt')}
    where "status" <> 'held' and "answer" is null`,
  leaseIndex('creditReservation'),
  index('creditReservationByCustomer', 'creditReservation', 'customerId')
]

const instances = [
  table(
    'instance',
    owned,
    text('customerId', 'name', 'host', 'username', 'root', 'status', 'createdAt', 'updatedAt'),
    text('hostKey', 'publicKey', 'privateKeySealed'),
    textOrNull('agentName', 'model'),
    integer('port'),
    goesWith('partner', 'customer'),
    constraint('instancePlace', 'unique', 'partnerId', 'host', 'port', 'root')
  ),
  index('instanceByCustomer', 'instance', 'customerId'),
  index('instanceByPartner', 'instance', 'partnerId', 'createdAt', 'id'),

  table(
    'deploy',
    owned,
    text('instanceId', 'phase', 'statusBefore', 'businessName', 'createdAt'),
    text('steps', 'log', 'message'),
    column('memoryScopes', `text not null default '["memory:read","memory:write"]'`),
    integer('number', 'attempt', 'logOffset', 'isReinstall'),
    textOrNull('model', 'keyAlias', 'keyRevokedAt', 'tokenId', 'sealedTelegram'),
    textOrNull('leaseOwner', 'leaseExpiresAt', 'finishedAt', 'supersededAt'),
    goesWith('partner', 'instance'),
    constraint('deployNumber', 'unique', 'instanceId', 'number')
  ),
  index('deployByPartner', 'deploy', 'partnerId'),
  // The few that are under way; and one at a time on an instance, whatever happens to its status.
  `${uniqueIndex('deployUnderWay', 'deploy', 'instanceId')} where "finishedAt" is null`,
  // Keys that may be alive: one for each instance, and those that are still to be revoked.
  `${index('deployKeyAlive', 'deploy', 'instanceId', 'number')}
    where "keyAlias" is not null and "keyRevokedAt" is null`,
  // What is still needed isn't in it: no sweep reads past that again and again.
  `${index('deployByAge', 'deploy', 'supersededAt')} where ("keyAlias" is null or "keyRevokedAt" is not null)`,
  leaseIndex('deploy'),

  table(
    'chatThread',
    column('instanceId', 'text primary key'),
    text('partnerId'),
    integer('lastSeq'),
    textOrNull('sessionId'),
    goesWith('instance')
  ),

  table(
    'chatExchange',
    owned,
    text('instanceId', 'key', 'message', 'state', 'model', 'createdAt', 'deadlineAt'),
    integer('seq'),
    textOrNull('reply', 'code', 'sessionId', 'leaseOwner', 'cancelRequestedAt', 'answeredAt'),
    integerOrNull('hasStarted'),
    goesWith('instance'),
    constraint('chatExchangePlace', 'unique', 'instanceId', 'seq'),
    constraint('chatExchangeOnce', 'unique', 'instanceId', 'key')
  ),
  // The few that wait, not all that ever was.
  `${index('chatExchangeWaiting', 'chatExchange', 'deadlineAt')} where "state" = 'waiting'`,
  `${index('chatExchangeByAge', 'chatExchange', 'createdAt')} where "state" <> 'waiting'`,
  // SQLite sums it from here, without a look at the texts.
  `create index "chatExchangeSize" on "chatExchange"
    ("instanceId", "seq", (octet_length("message") + coalesce(octet_length("reply"), 0)))`,
  leaseIndex('chatExchange')
]

const aiGateway = [
  table(
    'aiKey',
    owned,
    text('instanceId', 'alias', 'hashPrefix', 'hash', 'models', 'createdAt'),
    textOrNull('revokedAt'),
    goesWith('partner', 'instance'),
    unique('alias')
  ),
  index('aiKeyByHashPrefix', 'aiKey', 'hashPrefix'),
  index('aiKeyByInstanceId', 'aiKey', 'instanceId'),
  index('aiKeyByPartnerId', 'aiKey', 'partnerId'),

  table(
    'aiUsage',
    owned,
    // Whose agent it was, also once its server is gone.
    textOrNull('customerId'),
    text('instanceId', 'keyId', 'model', 'createdAt'),
    bigintOrNull('promptTokens', 'completionTokens'),
    bigint('durationMs'),
    integer('status'),
    goesWith('partner'),
    goesWithContent
  ),
  index('aiUsageByKey', 'aiUsage', 'keyId', 'createdAt'),
  index('aiUsageByPartner', 'aiUsage', 'partnerId', 'createdAt'),
  index('aiUsageByAge', 'aiUsage', 'createdAt'),
  index('aiUsageByCustomer', 'aiUsage', 'customerId', 'createdAt'),

  table(
    'aiSpending',
    text('ownerId', 'period', 'partnerId', 'endsAt'),
    textOrNull('customerId'),
    bigint('tokens'),
    goesWith('partner', 'customer'),
    constraint('aiSpendingKey', 'primary key', 'ownerId', 'period')
  ),
  index('aiSpendingByCustomer', 'aiSpending', 'customerId'),
  index('aiSpendingByAge', 'aiSpending', 'endsAt')
]

export const serviceStatements: readonly string[] = [...service, ...credits, ...instances, ...aiGateway]
