import type { ChatFailure } from '../../../schemas/chat.ts'
import { fromNow, MINUTE_MS } from '../../clock.ts'
import type { Tables } from '../../database/tables.ts'

interface Answered {
  state: 'answered'
  reply: string
  sessionId: string
  model: string
  hasStarted: true
}

export interface NotAnswered {
  state: 'failed' | 'cancelled'
  code: ChatFailure | 'cancelled'
  /** False: the agent surely never saw the message, so sending it again is safe. */
  hasStarted: boolean
}

export const failed = (code: NotAnswered['code'], hasStarted = false): NotAnswered => ({
  state: code === 'cancelled' ? code : 'failed',
  code,
  hasStarted
})

export type ChatResult = Answered | NotAnswered

/** What became of an exchange; `undefined` while somebody works on it. */
export function resultOf(row: Tables['chatExchange']): ChatResult | undefined {
  const { state, code, reply, sessionId, id, model } = row
  if (state === 'waiting') return row.deadlineAt < abandonedBefore() ? ABANDONED : undefined
  if (state !== 'answered') return failed(code ?? 'agent_error', row.hasStarted === 1)
  return { state, reply: reply ?? '', sessionId: sessionId ?? id, model, hasStarted: true }
}

/** What a process has beyond a message's deadline to end the run and to write down what became of it. */
const GRACE_MS = MINUTE_MS / 2

/** The process that worked on what still waits with a deadline before this instant must have ended. */
export const abandonedBefore = (): string => fromNow(-GRACE_MS)

export const codeOf = (result: ChatResult) => (result.state === 'answered' ? null : result.code)

/** What became of one whose process ended: nobody knows how far the agent came. */
export const ABANDONED = failed('agent_timeout', true)

/** What is kept of one that ended in a fault of our own; whoever waits for it is told of the fault. */
export const BROKEN = failed('agent_error', true)

/** What the customer reads: what happened and what to do, nothing that the server or the agent wrote. */
export function failureText({ code, hasStarted }: NotAnswered): string {
  switch (code) {
    case 'cancelled':
      return 'The message was cancelled.'
    case 'agent_not_ready':
      return 'The agent is not ready yet. Try again once it has been set up.'
    case 'agent_error':
      return 'The agent could not answer this message. Try again, or say it in other words.'
    case 'ssh_unavailable':
      return hasStarted
        ? 'The connection to the agent’s server broke off while the agent was at work. What it had begun may be done.'
        : 'The agent’s server can’t be reached right now. Try again in a moment.'
    case 'agent_timeout':
      return hasStarted
        ? 'The agent took too long and was stopped. What it had begun may be done: look before you send the message again.'
        : 'The agent was busy for too long, and this message was not begun. Send it again.'
  }
}
