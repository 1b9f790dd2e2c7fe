// What an instance's customer and its agent say falls into conversations; all that was said before is the first one's.
import {
  column,
  constraint,
  goesWith,
  index,
  integer,
  owned,
  running,
  table,
  text,
  textOrNull
} from './statements.ts'

export const up = running([
  table(
    'chatConversation',
    owned,
    text('instanceId', 'createdAt'),
    integer('seq'),
    textOrNull('sessionId'),
    goesWith('instance'),
    constraint('chatConversationPlace', 'unique', 'instanceId', 'seq')
  ),
  // By this name servers know the thread that they have already.
  `insert into "chatConversation" ("id", "partnerId", "instanceId", "createdAt", "seq", "sessionId")
    select "instance"."id", "instance"."partnerId", "instance"."id", "instance"."createdAt", 0, "chatThread"."sessionId"
    from "instance" left join "chatThread" on "chatThread"."instanceId" = "instance"."id"`,
  `alter table "chatThread" drop column "sessionId"`,
  `alter table "chatExchange" add column ${column('conversationId', 'text')}
    references "chatConversation" ("id") on delete cascade`,
  `update "chatExchange" set "conversationId" = "instanceId"`,
  index('chatExchangeOfConversation', 'chatExchange', 'conversationId', 'seq')
])
