// What each error means to the reader: its words, and what can be done about it.

import type { Exchange } from './exchanges.ts'
import type { ChatRefusal } from './protocol.ts'
import type { Say, TextKey } from './texts.ts'

export interface Trouble {
  title: string
  text: string
  tone: 'warn' | 'bad' | 'quiet'
  /** `retry` sends the message again as it is: offered only where that can't do a thing twice unnoticed. */
  offers: readonly Offer[]
}

export type Offer = 'retry' | 'edit' | 'sign-in' | 'check'

/** Under a message that the agent, or its server, was asked with. */
export function troubleOf({ state, code, hasStarted }: Exchange, say: Say): Trouble | undefined {
  if (state === 'cancelled') return trouble(say, 'cancelled', 'quiet', ['edit'])
  if (state !== 'failed') return undefined
  switch (code) {
    case 'agent_error':
      return trouble(say, 'agent_error', 'bad', ['retry', 'edit'])
    case 'ssh_unavailable':
      // Broken off after the agent began is another thing than never reached.
      return hasStarted
        ? trouble(say, 'ssh_lost', 'warn', ['edit'])
        : trouble(say, 'ssh_unavailable', 'bad', ['retry', 'edit'])
    case 'agent_timeout':
      // §7, 504: the work may still have run, and running it again is the reader's own decision.
      return hasStarted === false
        ? trouble(say, 'agent_busy', 'warn', ['retry', 'edit'])
        : trouble(say, 'agent_timeout', 'warn', ['edit'])
    default:
      return trouble(say, 'unknown', 'bad', ['edit'])
  }
}

/** By the refusal's code. */
const PROBLEMS: Readonly<Record<string, [name: Titled, tone: Trouble['tone'], offers?: readonly Offer[]]>> = {
  unauthorized: ['unauthorized', 'warn', ['sign-in']],
  forbidden: ['forbidden', 'bad'],
  instance_not_found: ['instance_not_found', 'bad'],
  invalid_input: ['invalid_input', 'bad'],
  agent_not_ready: ['agent_not_ready', 'warn', ['check']],
  ssh_unavailable: ['ssh_now', 'warn', ['check']],
  connection_lost: ['connection_lost', 'warn', ['check']],
  not_sent: ['not_sent', 'warn'],
  offline: ['offline', 'warn'],
  rate_limited: ['rate_limited', 'warn']
}

/** Above the box: what keeps from chatting, or why a message came back into it. */
export function problemOf({ code, retryAfterSeconds: seconds }: ChatRefusal, say: Say): Trouble {
  const known = Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code] : undefined
  const shown = trouble(say, ...(known ?? (['unknown', 'bad'] as const)))
  if (code !== 'rate_limited' || seconds === undefined) return shown
  return { ...shown, text: say('rate_limited.wait', { seconds }) }
}

type Titled = TextKey extends infer Key ? (Key extends `${infer Name}.title` ? Name : never) : never

const trouble = (say: Say, name: Titled, tone: Trouble['tone'], offers: readonly Offer[] = []): Trouble => ({
  title: say(`${name}.title`),
  text: say(`${name}.text`),
  tone,
  offers
})
