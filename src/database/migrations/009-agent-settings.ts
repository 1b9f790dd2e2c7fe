// What a deployed agent is told beyond its name, changed without installing it again, on one server or on all of a partner's.
import * as t from './statements.ts'

export const up = t.running([
  // A key opens what its partner has, whenever it was made.
  `alter table "aiKey" drop column "models"`,
  `alter table "instance" add column ${t.column('settings', "text not null default '{}'")}`,
  `alter table "deploy" add column ${t.column('settings', "text not null default '{}'")}`,
  `alter table "deploy" add column ${t.column('kind', "text not null default 'install'")}`,
  `alter table "deploy" add column ${t.column('rolloutId', 'text')}`,
  t.table(
    'rollout',
    t.owned,
    t.text('changes', 'memoryScopes', 'state', 'createdAt'),
    t.textOrNull('finishedAt'),
    t.goesWith('partner')
  ),
  t.index('rolloutByPartnerId', 'rollout', 'partnerId', 'createdAt'),
  `${t.index('rolloutUnderWay', 'rollout', 'createdAt')} where "finishedAt" is null`,
  `${t.index('deployByRolloutId', 'deploy', 'rolloutId', 'instanceId')} where "rolloutId" is not null`
])
