import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { memoryStatements } from './001-schema-memory.ts'
import { serviceStatements } from './001-schema-service.ts'
import {
  bigint,
  bigintOrNull,
  column,
  constraint,
  contentTriggers,
  foreignKey,
  goesWith,
  goesWithContent,
  index,
  integer,
  integerOrNull,
  owned,
  table,
  text,
  textOrNull,
  unique,
  uniqueIndex
} from './statements.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const all = [
    ...partners,
    ...customers,
    ...contentTriggers(isPostgres, 'customer', ['id', 'partnerId'], 'isErased'),
    ...access,
    ...voiceAgents,
    ...serviceStatements,
    ...memoryStatements(isPostgres)
  ]
  for (const statement of all) await sql.raw(statement).execute(db)
}

const partners = [
  table(
    'partner',
    column('id', 'text primary key'),
    text('slug', 'name', 'email', 'models', 'brand', 'createdAt', 'updatedAt'),
    textOrNull('priceModel', 'portalOrigin', 'aiBudgets'),
    integer('isActive', 'hasAiMemory'),
    unique('slug')
  ),
  // A host is one partner's.
  uniqueIndex('partnerPortalOrigin', 'partner', 'portalOrigin'),

  table(
    'partnerUser',
    owned,
    text('email', 'emailKey', 'createdAt'),
    textOrNull('passwordHash'),
    goesWith('partner'),
    unique('emailKey')
  ),
  index('partnerUserByPartner', 'partnerUser', 'partnerId'),

  table(
    'brandLogo',
    column('partnerId', 'text primary key'),
    integer('width', 'height'),
    text('hash', 'createdAt', 'image'),
    goesWith('partner')
  ),

  table('plan', owned, text('name', 'kind', 'features', 'createdAt'), goesWith('partner')),
  index('planByPartner', 'plan', 'partnerId')
]

const customers = [
  table(
    'identity',
    owned,
    text('email', 'emailKey', 'createdAt', 'updatedAt'),
    textOrNull('passwordHash', 'temporaryPasswordHash', 'temporaryPasswordExpiresAt'),
    goesWith('partner'),
    constraint('identityEmail', 'unique', 'partnerId', 'emailKey')
  ),

  table(
    'customer',
    owned,
    text('code', 'email', 'emailKey', 'searchText', 'createdAt', 'updatedAt'),
    text('priceBreakdown', 'orderStatus', 'dealStatus', 'billingType', 'allowedApps', 'creditPlanIds'),
    text('deploymentStatus', 'subscriptionStatus', 'credentialStatus'),
    textOrNull('firstName', 'lastName', 'businessPhone', 'companyName', 'monthlyCallVolume', 'peakHours'),
    textOrNull('callComplexity', 'scriptComplexity', 'primaryUseCase', 'customAutomation', 'crmSystem'),
    textOrNull('phoneSystem', 'languages', 'deploymentTimeline', 'deploymentNotes', 'deploymentCompletedAt'),
    textOrNull('ownerIdentityId'),
    bigint('estimatedPriceMicros'),
    bigintOrNull('agreedPriceMicros', 'aiCreditPricePerMinuteMicros', 'lowCreditThresholdMicros'),
    integer('isOnboardingCompleted', 'enableAdvancedAnalytics', 'enableApiAccess', 'customerPortalEnabled'),
    integer('showKnowledgeBase', 'showIntegration', 'enableTeamMembers', 'enableAiMemory'),
    integer('aiCreditsEnabled', 'lowCreditNotificationsEnabled', 'maxTeamMembers'),
    integerOrNull('wantsDemo'),
    goesWith('partner'),
    foreignKey('ownerIdentityId', 'identity', 'set null'),
    constraint('customerEmail', 'unique', 'partnerId', 'emailKey'),
    constraint('customerCode', 'unique', 'partnerId', 'code')
  ),
  index('customerNewest', 'customer', 'partnerId', 'createdAt', 'id'),
  index('customerByOwner', 'customer', 'ownerIdentityId'),

  table(
    'customerContent',
    column('id', 'text primary key'),
    text('partnerId'),
    column('isErased', 'integer not null default 0'),
    textOrNull('traces')
  ),
  `${index('customerContentErased', 'customerContent', 'id')} where "isErased" = 1`,

  table(
    'subscription',
    owned,
    text('customerId', 'planId', 'createdAt'),
    textOrNull('trialEndsAt'),
    goesWith('partner', 'customer'),
    foreignKey('planId', 'plan', 'no action')
  ),
  index('subscriptionByCustomer', 'subscription', 'customerId'),

  table(
    'usage',
    owned,
    textOrNull('customerId', 'billedAt'),
    text('source', 'occurredAt'),
    bigint('amountMicros'),
    goesWith('partner'),
    goesWithContent
  ),
  index('usageByCustomer', 'usage', 'customerId', 'billedAt')
]

const token = [
  ...text('name', 'prefix', 'hash', 'scopes', 'createdAt'),
  ...textOrNull('expiresAt', 'lastUsedAt', 'revokedAt')
]

const access = [
  // No foreign key: a key whose partner is gone answers 403, not 401 (§7).
  table('apiKey', owned, token),
  index('apiKeyByPrefix', 'apiKey', 'prefix'),
  index('apiKeyByPartner', 'apiKey', 'partnerId'),

  table(
    'customerToken',
    owned,
    text('customerId'),
    token,
    column('isSelfMinted', 'integer not null default 0'),
    goesWith('partner', 'customer')
  ),
  index('customerTokenByPrefix', 'customerToken', 'prefix'),
  index('customerTokenByCustomer', 'customerToken', 'customerId'),

  table(
    'teamMember',
    owned,
    text('customerId', 'name', 'email', 'emailKey', 'role', 'status', 'createdAt', 'updatedAt'),
    textOrNull('identityId'),
    goesWith('partner', 'customer'),
    foreignKey('identityId', 'identity', 'set null'),
    constraint('teamMemberEmail', 'unique', 'customerId', 'emailKey')
  ),
  index('teamMemberByIdentity', 'teamMember', 'identityId'),
  index('teamMemberByEmail', 'teamMember', 'partnerId', 'emailKey'),

  table(
    'accessLink',
    owned,
    text('purpose', 'tokenHash', 'expiresAt', 'createdAt'),
    textOrNull('customerId', 'teamMemberId', 'partnerUserId', 'usedAt'),
    goesWith('partner', 'customer', 'teamMember', 'partnerUser'),
    unique('tokenHash')
  ),
  index('accessLinkByCustomer', 'accessLink', 'customerId'),
  index('accessLinkByTeamMember', 'accessLink', 'teamMemberId'),
  index('accessLinkByAge', 'accessLink', 'expiresAt'),

  table(
    'session',
    owned,
    text('site', 'tokenHash', 'userAgent', 'createdAt', 'lastSeenAt', 'idleExpiresAt', 'expiresAt'),
    textOrNull('identityId', 'customerId', 'teamMemberId', 'partnerUserId'),
    integer('mustChangePassword'),
    goesWith('partner', 'identity', 'customer', 'teamMember', 'partnerUser'),
    unique('tokenHash')
  ),
  index('sessionByPartner', 'session', 'partnerId'),
  index('sessionByIdentity', 'session', 'identityId'),
  index('sessionByCustomer', 'session', 'customerId'),
  index('sessionByTeamMember', 'session', 'teamMemberId'),
  index('sessionByPartnerUser', 'session', 'partnerUserId'),
  index('sessionIdleExpiry', 'session', 'idleExpiresAt'),

  table('signInFailure', column('key', 'text primary key'), integer('count'), text('endsAt')),
  index('signInFailureEnd', 'signInFailure', 'endsAt'),

  table('knownNetwork', column('network', 'text primary key'), text('account', 'lastUsedAt')),
  index('knownNetworkOfAccount', 'knownNetwork', 'account', 'lastUsedAt'),
  index('knownNetworkAge', 'knownNetwork', 'lastUsedAt')
]

const voiceAgents = [
  table(
    'voiceAgent',
    text('partnerId', 'provider', 'agentId', 'name', 'createdAt', 'updatedAt'),
    textOrNull('customerId'),
    column('profitMultiplier', 'double precision'),
    goesWith('partner'),
    foreignKey('customerId', 'customer', 'set null'),
    constraint('voiceAgentKey', 'primary key', 'partnerId', 'provider', 'agentId')
  ),
  index('voiceAgentByCustomer', 'voiceAgent', 'customerId', 'provider'),

  table(
    'providerKey',
    text('partnerId', 'provider', 'sealedKey', 'updatedAt'),
    goesWith('partner'),
    constraint('providerKeyKey', 'primary key', 'partnerId', 'provider')
  )
]
