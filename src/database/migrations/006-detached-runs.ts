// Messages whose run outlives the connection, and the process, that began it: who follows it, and what is known so far.
import { column, index, running } from './statements.ts'

export const up = running([
  ...['leaseExpiresAt', 'progress', 'reason', 'words'].map(
    (name) => `alter table "chatExchange" add column ${column(name, 'text')}`
  ),
  // What a former release began ended with its process.
  `update "chatExchange" set "state" = 'failed', "code" = 'agent_timeout', "hasStarted" = 1, "answeredAt" = "deadlineAt",
    "leaseOwner" = null where "state" = 'waiting'`,
  `${index('chatExchangeAtWork', 'chatExchange', 'partnerId', 'instanceId')} where "state" = 'waiting'`
])
