// What a deployed agent is told beyond its name, changed without installing it again, on one server or on all of a partner's.
import { column, goesWith, index, owned, running, table, text, textOrNull } from './statements.ts'

export const up = running([
  // A key opens what its partner has, whenever it was made.
  `alter table "aiKey" drop column "models"`,
  `alter table "instance" add column ${column('settings', "text not null default '{}'")}`,
  `alter table "deploy" add column ${column('settings', "text not null default '{}'")}`,
  `alter table "deploy" add column ${column('kind', "text not null default 'install'")}`,
  `alter table "deploy" add column ${column('rolloutId', 'text')}`,
  table(
    'rollout',
    owned,
    text('changes', 'memoryScopes', 'state', 'createdAt'),
    textOrNull('finishedAt'),
    goesWith('partner')
  ),
  index('rolloutByPartnerId', 'rollout', 'partnerId', 'createdAt'),
  `${index('rolloutUnderWay', 'rollout', 'createdAt')} where "finishedAt" is null`,
  `${index('deployByRolloutId', 'deploy', 'rolloutId', 'instanceId')} where "rolloutId" is not null`
])
