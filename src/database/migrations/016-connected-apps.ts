// Apps that people connected by signing in, and what the authorization server keeps of them.
import * as t from './statements.ts'

export const up = t.running([
  t.table(
    'connectedApp',
    t.owned,
    t.text('gateway', 'clientId', 'clientName', 'scopes', 'createdAt'),
    t.textOrNull('customerId', 'identityId', 'teamMemberId', 'partnerUserId', 'lastUsedAt', 'revokedAt'),
    t.goesWith('partner', 'customer', 'identity', 'teamMember', 'partnerUser')
  ),
  t.index('connectedAppByPartner', 'connectedApp', 'partnerId', 'createdAt', 'id'),
  t.index('connectedAppByCustomer', 'connectedApp', 'customerId', 'createdAt', 'id'),
  t.index('connectedAppByIdentity', 'connectedApp', 'identityId'),
  t.index('connectedAppByTeamMember', 'connectedApp', 'teamMemberId'),
  t.index('connectedAppByPartnerUser', 'connectedApp', 'partnerUserId'),
  t.index('connectedAppByClient', 'connectedApp', 'clientId'),
  t.table(
    'oauthRecord',
    t.text('kind', 'id', 'payload'),
    t.textOrNull('appId', 'consumedAt', 'expiresAt'),
    t.foreignKey('appId', 'connectedApp'),
    t.constraint('oauthRecordKey', 'primary key', 'kind', 'id')
  ),
  t.index('oauthRecordByApp', 'oauthRecord', 'appId'),
  t.index('oauthRecordExpired', 'oauthRecord', 'expiresAt')
])
