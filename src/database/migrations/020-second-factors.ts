// Second factors, what stands between a session and its pages, and of whom a partner demands one.
import * as t from './statements.ts'

export const up = t.running([
  t.table(
    'factor',
    t.owned,
    t.text('kind', 'handle', 'userAgent', 'createdAt'),
    t.textOrNull('identityId', 'partnerUserId', 'sealedSecret', 'publicKey', 'lastUsedAt'),
    t.bigint('counter'),
    t.goesWith('partner', 'identity', 'partnerUser')
  ),
  t.index('factorByIdentity', 'factor', 'identityId'),
  t.index('factorByPartnerUser', 'factor', 'partnerUserId'),
  ...t.added('session', ...t.textOrNull('pending', 'challenge')),
  ...t.added(
    'partner',
    t.column('demandsTeamFactor', 'integer not null default 0'),
    t.column('demandsCustomerFactor', 'integer not null default 0')
  )
])
