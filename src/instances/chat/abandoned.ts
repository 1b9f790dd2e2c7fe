// Messages whose process has ended: they still wait after nobody can be at work on them any more.
import { fromNow, MINUTE_MS } from '../../clock.ts'
import type { ChatExchangeTable } from '../../database/chat-tables.ts'

/** What a process has beyond a message's deadline to end the run and to write down what became of it. */
const GRACE_MS = MINUTE_MS / 2

/** Whatever still waits with a deadline before this instant. */
export const abandonedBefore = (): string => fromNow(-GRACE_MS)

/** Whether the process that worked on it must have ended. */
export const isAbandoned = ({
  state,
  deadlineAt
}: Pick<ChatExchangeTable, 'state' | 'deadlineAt'>): boolean =>
  state === 'waiting' && deadlineAt < abandonedBefore()
