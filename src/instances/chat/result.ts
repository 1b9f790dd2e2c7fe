import type { ChatFailure, ChatFile, ChatReason } from '../../../schemas/chat.ts'
import type { Tables } from '../../database/tables.ts'
import { ServiceError } from '../../errors.ts'

interface Answered {
  state: 'answered'
  reply: string
  sessionId: string
  model: string
  hasStarted: true
  /** What came with the reply, if anything did. */
  files?: ChatFile[]
}

export interface NotAnswered {
  state: 'failed' | 'cancelled'
  code: ChatFailure | 'cancelled'
  /** False: the agent surely never saw the message, so sending it again is safe. */
  hasStarted: boolean
  /** What of `agent_error` it was, where that can be told. */
  reason?: ChatReason
  /** The agent's own last words, for the partner. */
  words?: string
  /** The wait is over, the run isn't: its outcome comes into the history. */
  isRunning?: true
}

export const failed = (code: NotAnswered['code'], hasStarted = false): NotAnswered => ({
  state: code === 'cancelled' ? code : 'failed',
  code,
  hasStarted
})

export type ChatResult = Answered | NotAnswered

/** What became of an exchange; `undefined` while somebody works on it. */
export function resultOf(row: Tables['chatExchange']): ChatResult | undefined {
  const { state, code, reply, sessionId, id, model, reason } = row
  if (state === 'waiting') return undefined
  if (state !== 'answered')
    return { ...failed(code ?? 'agent_error', row.hasStarted === 1), ...(reason ? { reason } : {}) }
  return { state, reply: reply ?? '', sessionId: sessionId ?? id, model, hasStarted: true }
}

export const codeOf = (result: ChatResult) => (result.state === 'answered' ? null : result.code)

/** What is kept of one that ended in a fault of our own; whoever waits for it is told of the fault. */
export const BROKEN = failed('agent_error', true)

/** The wait is over, the run isn't. */
export const goesOn = (code: NotAnswered['code']): NotAnswered => ({ ...failed(code, true), isRunning: true })

/** As §7 has it, in words for the customer or for the partner; with what a client must know before it sends again. */
export function refusalOf(failure: NotAnswered, reader: 'customer' | 'partner'): ServiceError {
  const { code, hasStarted, reason, isRunning } = failure
  const isUnsure = code === 'ssh_unavailable' || code === 'agent_timeout'
  const facts = { reason, isRunning, ...(isUnsure && { hasStarted }) }
  // A partner has no history to look into: what the code means says how to wait on.
  const words = reason ? REASONS[reason].partner : isRunning ? undefined : failureText(failure)
  return new ServiceError(code, reader === 'partner' ? words : failureText(failure), { facts })
}

/** What the customer reads: what happened and what to do, nothing that the server or the agent wrote. */
export function failureText({ code, hasStarted, reason, isRunning }: NotAnswered): string {
  switch (code) {
    case 'cancelled':
      return 'The message was cancelled.'
    case 'agent_not_ready':
      return 'The agent is not ready yet. Try again once it has been set up.'
    case 'agent_error':
      return reason
        ? REASONS[reason].customer
        : 'The agent could not answer this message. Try again, or say it in other words.'
    case 'ssh_unavailable':
      if (isRunning)
        return 'The connection to the agent’s server broke off. The agent is at work still; its reply will be in the conversation.'
      return hasStarted
        ? 'The connection to the agent’s server broke off while the agent was at work. What it had begun may be done.'
        : 'The agent’s server can’t be reached right now. Try again in a moment.'
    case 'agent_timeout':
      if (isRunning)
        return 'The agent is still at work. Its reply will be in the conversation as soon as it is there.'
      return hasStarted
        ? 'The agent took too long and was stopped. What it had begun may be done: look before you send the message again.'
        : 'The agent was busy for too long, and this message was not begun. Send it again.'
  }
}

/** What each reason means to the customer, who can't mend it, and to the partner, who can. */
export const REASONS: Record<ChatReason, Record<'customer' | 'partner', string>> = {
  model_refused: {
    customer: 'The agent isn’t let in to its language model. Whoever runs this portal has to look into it.',
    partner: 'The AI gateway refused the agent. Check the key and the models it may use, then deploy again.'
  },
  model_away: {
    customer: 'The agent’s language model doesn’t answer right now. Try again in a few minutes.',
    partner: 'The AI gateway or the model behind it doesn’t answer. Check the gateway’s address and state.'
  },
  disk_full: {
    customer: 'The agent’s server has no room left. Whoever runs this portal has to make some.',
    partner: 'The server’s disk is full. Free some space; the agent needs nothing else.'
  },
  home_read_only: {
    customer: 'The agent can’t write on its server. Whoever runs this portal has to look into it.',
    partner:
      'The agent’s home can’t be written. Check its owner, its rights, and whether its disk is mounted read-only.'
  },
  agent_missing: {
    customer: 'The agent isn’t on its server any more. Whoever runs this portal has to set it up again.',
    partner: 'There is no hermes in PATH on the server. Deploy again.'
  },
  agent_crashed: {
    customer:
      'The agent broke down at this message. What it had begun may be done; try again, or say it in other words.',
    partner:
      'The agent’s process ended by itself, or the server was restarted. Look at the agent’s last words, and at the server’s memory.'
  }
}
