// Messages whose run outlives the connection, and the process, that began it: who follows it, and what is known so far.
import * as t from './statements.ts'

export const up = t.running([
  ...t.added('chatExchange', ...t.textOrNull('leaseExpiresAt', 'progress', 'reason', 'words')),
  // What a former release began ended with its process.
  `update "chatExchange" set "state" = 'failed', "code" = 'agent_timeout', "hasStarted" = 1, "answeredAt" = "deadlineAt",
    "leaseOwner" = null where "state" = 'waiting'`,
  `${t.index('chatExchangeAtWork', 'chatExchange', 'partnerId', 'instanceId')} where "state" = 'waiting'`
])
