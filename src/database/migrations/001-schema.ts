import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { memoryStatements } from './001-schema-memory.ts'
import { serviceStatements } from './001-schema-service.ts'
import * as t from './statements.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const all = [
    ...partners,
    ...customers,
    ...t.contentTriggers(isPostgres, 'customer', ['id', 'partnerId'], 'isErased'),
    ...access,
    ...voiceAgents,
    ...serviceStatements,
    ...memoryStatements(isPostgres)
  ]
  for (const statement of all) await sql.raw(statement).execute(db)
}

const partners = [
  t.table(
    'partner',
    t.column('id', 'text primary key'),
    t.text('slug', 'name', 'email', 'models', 'brand', 'createdAt', 'updatedAt'),
    t.textOrNull('priceModel', 'portalOrigin', 'aiBudgets'),
    t.integer('isActive', 'hasAiMemory'),
    t.unique('slug')
  ),
  // A host is one partner's.
  t.uniqueIndex('partnerPortalOrigin', 'partner', 'portalOrigin'),

  t.table(
    'partnerUser',
    t.owned,
    t.text('email', 'emailKey', 'createdAt'),
    t.textOrNull('passwordHash'),
    t.goesWith('partner'),
    t.unique('emailKey')
  ),
  t.index('partnerUserByPartner', 'partnerUser', 'partnerId'),

  t.table(
    'brandLogo',
    t.column('partnerId', 'text primary key'),
    t.integer('width', 'height'),
    t.text('hash', 'createdAt', 'image'),
    t.goesWith('partner')
  ),

  t.table('plan', t.owned, t.text('name', 'kind', 'features', 'createdAt'), t.goesWith('partner')),
  t.index('planByPartner', 'plan', 'partnerId')
]

const customers = [
  t.table(
    'identity',
    t.owned,
    t.text('email', 'emailKey', 'createdAt', 'updatedAt'),
    t.textOrNull('passwordHash', 'temporaryPasswordHash', 'temporaryPasswordExpiresAt'),
    t.goesWith('partner'),
    t.constraint('identityEmail', 'unique', 'partnerId', 'emailKey')
  ),

  t.table(
    'customer',
    t.owned,
    t.text('code', 'email', 'emailKey', 'searchText', 'createdAt', 'updatedAt'),
    t.text('priceBreakdown', 'orderStatus', 'dealStatus', 'billingType', 'allowedApps', 'creditPlanIds'),
    t.text('deploymentStatus', 'subscriptionStatus', 'credentialStatus'),
    t.textOrNull('firstName', 'lastName', 'businessPhone', 'companyName', 'monthlyCallVolume', 'peakHours'),
    t.textOrNull('callComplexity', 'scriptComplexity', 'primaryUseCase', 'customAutomation', 'crmSystem'),
    t.textOrNull(
      'phoneSystem',
      'languages',
      'deploymentTimeline',
      'deploymentNotes',
      'deploymentCompletedAt'
    ),
    t.textOrNull('ownerIdentityId'),
    t.bigint('estimatedPriceMicros'),
    t.bigintOrNull('agreedPriceMicros', 'aiCreditPricePerMinuteMicros', 'lowCreditThresholdMicros'),
    t.integer('isOnboardingCompleted', 'enableAdvancedAnalytics', 'enableApiAccess', 'customerPortalEnabled'),
    t.integer('showKnowledgeBase', 'showIntegration', 'enableTeamMembers', 'enableAiMemory'),
    t.integer('aiCreditsEnabled', 'lowCreditNotificationsEnabled', 'maxTeamMembers'),
    t.integerOrNull('wantsDemo'),
    t.goesWith('partner'),
    t.foreignKey('ownerIdentityId', 'identity', 'set null'),
    t.constraint('customerEmail', 'unique', 'partnerId', 'emailKey'),
    t.constraint('customerCode', 'unique', 'partnerId', 'code')
  ),
  t.index('customerNewest', 'customer', 'partnerId', 'createdAt', 'id'),
  t.index('customerByOwner', 'customer', 'ownerIdentityId'),

  t.table(
    'customerContent',
    t.column('id', 'text primary key'),
    t.text('partnerId'),
    t.column('isErased', 'integer not null default 0'),
    t.textOrNull('traces')
  ),
  `${t.index('customerContentErased', 'customerContent', 'id')} where "isErased" = 1`,

  t.table(
    'subscription',
    t.owned,
    t.text('customerId', 'planId', 'createdAt'),
    t.textOrNull('trialEndsAt'),
    t.goesWith('partner', 'customer'),
    t.foreignKey('planId', 'plan', 'no action')
  ),
  t.index('subscriptionByCustomer', 'subscription', 'customerId'),

  t.table(
    'usage',
    t.owned,
    t.textOrNull('customerId', 'billedAt'),
    t.text('source', 'occurredAt'),
    t.bigint('amountMicros'),
    t.goesWith('partner'),
    t.goesWithContent
  ),
  t.index('usageByCustomer', 'usage', 'customerId', 'billedAt')
]

const token = [
  ...t.text('name', 'prefix', 'hash', 'scopes', 'createdAt'),
  ...t.textOrNull('expiresAt', 'lastUsedAt', 'revokedAt')
]

const access = [
  // No foreign key: a key whose partner is gone answers 403, not 401 (§7).
  t.table('apiKey', t.owned, token),
  t.index('apiKeyByPrefix', 'apiKey', 'prefix'),
  t.index('apiKeyByPartner', 'apiKey', 'partnerId'),

  t.table(
    'customerToken',
    t.owned,
    t.text('customerId'),
    token,
    t.column('isSelfMinted', 'integer not null default 0'),
    t.goesWith('partner', 'customer')
  ),
  t.index('customerTokenByPrefix', 'customerToken', 'prefix'),
  t.index('customerTokenByCustomer', 'customerToken', 'customerId'),

  t.table(
    'teamMember',
    t.owned,
    t.text('customerId', 'name', 'email', 'emailKey', 'role', 'status', 'createdAt', 'updatedAt'),
    t.textOrNull('identityId'),
    t.goesWith('partner', 'customer'),
    t.foreignKey('identityId', 'identity', 'set null'),
    t.constraint('teamMemberEmail', 'unique', 'customerId', 'emailKey')
  ),
  t.index('teamMemberByIdentity', 'teamMember', 'identityId'),
  t.index('teamMemberByEmail', 'teamMember', 'partnerId', 'emailKey'),

  t.table(
    'accessLink',
    t.owned,
    t.text('purpose', 'tokenHash', 'expiresAt', 'createdAt'),
    t.textOrNull('customerId', 'teamMemberId', 'partnerUserId', 'usedAt'),
    t.goesWith('partner', 'customer', 'teamMember', 'partnerUser'),
    t.unique('tokenHash')
  ),
  t.index('accessLinkByCustomer', 'accessLink', 'customerId'),
  t.index('accessLinkByTeamMember', 'accessLink', 'teamMemberId'),
  t.index('accessLinkByAge', 'accessLink', 'expiresAt'),

  t.table(
    'session',
    t.owned,
    t.text('site', 'tokenHash', 'userAgent', 'createdAt', 'lastSeenAt', 'idleExpiresAt', 'expiresAt'),
    t.textOrNull('identityId', 'customerId', 'teamMemberId', 'partnerUserId'),
    t.integer('mustChangePassword'),
    t.goesWith('partner', 'identity', 'customer', 'teamMember', 'partnerUser'),
    t.unique('tokenHash')
  ),
  t.index('sessionByPartner', 'session', 'partnerId'),
  t.index('sessionByIdentity', 'session', 'identityId'),
  t.index('sessionByCustomer', 'session', 'customerId'),
  t.index('sessionByTeamMember', 'session', 'teamMemberId'),
  t.index('sessionByPartnerUser', 'session', 'partnerUserId'),
  t.index('sessionIdleExpiry', 'session', 'idleExpiresAt'),

  t.table('signInFailure', t.column('key', 'text primary key'), t.integer('count'), t.text('endsAt')),
  t.index('signInFailureEnd', 'signInFailure', 'endsAt'),

  t.table('knownNetwork', t.column('network', 'text primary key'), t.text('account', 'lastUsedAt')),
  t.index('knownNetworkOfAccount', 'knownNetwork', 'account', 'lastUsedAt'),
  t.index('knownNetworkAge', 'knownNetwork', 'lastUsedAt')
]

const voiceAgents = [
  t.table(
    'voiceAgent',
    t.text('partnerId', 'provider', 'agentId', 'name', 'createdAt', 'updatedAt'),
    t.textOrNull('customerId'),
    t.column('profitMultiplier', 'double precision'),
    t.goesWith('partner'),
    t.foreignKey('customerId', 'customer', 'set null'),
    t.constraint('voiceAgentKey', 'primary key', 'partnerId', 'provider', 'agentId')
  ),
  t.index('voiceAgentByCustomer', 'voiceAgent', 'customerId', 'provider'),

  t.table(
    'providerKey',
    t.text('partnerId', 'provider', 'sealedKey', 'updatedAt'),
    t.goesWith('partner'),
    t.constraint('providerKeyKey', 'primary key', 'partnerId', 'provider')
  )
]
