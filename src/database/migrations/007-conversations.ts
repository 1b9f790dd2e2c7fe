// What an instance's customer and its agent say falls into conversations; all that was said before is the first one's.
import * as t from './statements.ts'

export const up = t.running([
  t.table(
    'chatConversation',
    t.owned,
    t.text('instanceId', 'createdAt'),
    t.integer('seq'),
    t.textOrNull('sessionId'),
    t.goesWith('instance'),
    t.constraint('chatConversationPlace', 'unique', 'instanceId', 'seq')
  ),
  // By this name servers know the thread that they have already.
  `insert into "chatConversation" ("id", "partnerId", "instanceId", "createdAt", "seq", "sessionId")
    select "instance"."id", "instance"."partnerId", "instance"."id", "instance"."createdAt", 0, "chatThread"."sessionId"
    from "instance" left join "chatThread" on "chatThread"."instanceId" = "instance"."id"`,
  `alter table "chatThread" drop column "sessionId"`,
  `alter table "chatExchange" add column ${t.column('conversationId', 'text')}
    references "chatConversation" ("id") on delete cascade`,
  `update "chatExchange" set "conversationId" = "instanceId"`,
  t.index('chatExchangeOfConversation', 'chatExchange', 'conversationId', 'seq')
])
