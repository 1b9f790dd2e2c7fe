// What every view is given: the words, the clock, and what its buttons do.
import type { Say } from '../texts.ts'
import type { Turn } from '../turns.ts'

export interface Scene {
  say: Say
  /** Of dates and times. */
  lang: string
  /** What the agent is called, '' for nobody in particular. */
  name: string
  /** Ms since the epoch. */
  now: number
  /** Where one signs in; '' where the page around doesn't say. */
  signInHref: string
  /** Key of the turn whose reply was copied just now. */
  copied: string
  retry(turn: Turn): void
  edit(turn: Turn): void
  stop(turn: Turn): void
  copyReply(turn: Turn): void
  check(): void
  loadOlder(): void
}
