// A partner's own people have names and roles; who was there before may everything, as before.
import * as t from './statements.ts'

export const up = t.running([
  ...t.added(
    'partnerUser',
    t.column('name', "text not null default ''"),
    t.column('role', "text not null default 'owner'"),
    ...t.textOrNull('lastSignInAt')
  ),
  t.index('accessLinkByPartnerUser', 'accessLink', 'partnerUserId')
])
