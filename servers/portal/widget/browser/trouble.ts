// What each error means to the reader: its words, and what can be done about it.
import type { Exchange } from './exchanges.ts'
import type { ChatRefusal } from './protocol.ts'
import type { Say } from './texts.ts'

export interface Trouble {
  title: string
  text: string
  tone: 'warn' | 'bad' | 'quiet'
  /** `retry` sends the message again as it is: offered only where that can't do a thing twice unnoticed. */
  offers: readonly Offer[]
}

export type Offer = 'retry' | 'edit' | 'sign-in' | 'check'

/** How each is told, and what can be done about it. */
const TROUBLES = {
  cancelled: ['quiet', 'edit'],
  agent_error: ['bad', 'retry', 'edit'],
  model_refused: ['bad', 'edit'],
  model_away: ['warn', 'retry', 'edit'],
  disk_full: ['bad', 'edit'],
  home_read_only: ['bad', 'edit'],
  agent_missing: ['bad', 'edit'],
  agent_crashed: ['bad', 'edit'],
  ssh_unavailable: ['bad', 'retry', 'edit'],
  ssh_lost: ['warn', 'edit'],
  agent_busy: ['warn', 'retry', 'edit'],
  agent_timeout: ['warn', 'edit'],
  unauthorized: ['warn', 'sign-in'],
  forbidden: ['bad'],
  instance_not_found: ['bad'],
  invalid_input: ['bad'],
  conversation_not_found: ['warn'],
  agent_not_ready: ['warn', 'check'],
  ssh_now: ['warn', 'check'],
  connection_lost: ['warn', 'check'],
  not_sent: ['warn'],
  offline: ['warn'],
  rate_limited: ['warn'],
  unknown: ['bad']
} as const satisfies Record<string, [tone: Trouble['tone'], ...offers: Offer[]]>

/** Under a message that the agent, or its server, was asked with. */
export function troubleOf({ state, code, reason, hasStarted }: Exchange, say: Say): Trouble | undefined {
  if (state === 'cancelled') return trouble(say, 'cancelled')
  if (state !== 'failed') return undefined
  if (code === 'agent_error') return trouble(say, reason !== null && isKnown(reason) ? reason : 'agent_error')
  // Broken off after the agent began is another thing than never reached.
  if (code === 'ssh_unavailable') return trouble(say, hasStarted ? 'ssh_lost' : 'ssh_unavailable')
  // §7, 504: the work may still have run, and running it again is the reader's own decision.
  if (code === 'agent_timeout') return trouble(say, hasStarted === false ? 'agent_busy' : 'agent_timeout')
  return { ...trouble(say, 'unknown'), offers: ['edit'] }
}

/** Above the box: what keeps from chatting, or why a message came back into it. */
export function problemOf({ code, retryAfterSeconds: seconds }: ChatRefusal, say: Say): Trouble {
  if (code === 'ssh_unavailable') return trouble(say, 'ssh_now')
  const shown = trouble(say, isKnown(code) ? code : 'unknown')
  if (code !== 'rate_limited' || seconds === undefined) return shown
  return { ...shown, text: say('rate_limited.wait', { seconds }) }
}

const isKnown = (code: string): code is keyof typeof TROUBLES => Object.hasOwn(TROUBLES, code)

function trouble(say: Say, name: keyof typeof TROUBLES): Trouble {
  const [tone, ...offers] = TROUBLES[name]
  return { title: say(`${name}.title`), text: say(`${name}.text`), tone, offers }
}
