// Where the log stands: it follows what is new for who is at the end, and moves nothing for who reads further up.
import type { Happening } from './conversation.ts'

/** So near the end counts as being there. */
const NEAR_PX = 64
const ABOVE_REPLY_PX = 16

type Wish = 'end' | 'reply' | 'place'
const WISHES: Partial<Record<Happening['what'], Wish>> = {
  sent: 'end',
  loaded: 'end',
  turned: 'end',
  older: 'place',
  answered: 'reply'
}

export class LogScroller {
  isAtEnd = true

  readonly #changed: () => void
  readonly #resized = new ResizeObserver(() => this.#keepEnd())
  #log: HTMLElement | undefined
  #wish: Wish | undefined
  #heightBelow = 0

  /** @param changed told when the end is reached or left */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** Goes to the end wherever one was, to a new reply's beginning, or keeps the place where more was put on top. */
  happened(what: Happening['what']): void {
    this.#wish = WISHES[what] ?? this.#wish
  }

  toEnd(): void {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    this.#log?.scrollTo({ top: this.#log.scrollHeight, behavior: isCalm ? 'instant' : 'smooth' })
  }

  scrolled(): void {
    const log = this.#log
    if (!log) return
    const wasAtEnd = this.isAtEnd
    this.isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight <= NEAR_PX
    if (wasAtEnd !== this.isAtEnd) this.#changed()
  }

  beforeDraw(): void {
    if (this.#log) this.#heightBelow = this.#log.scrollHeight - this.#log.scrollTop
  }

  afterDraw(log: HTMLElement | null): void {
    if (!log) return
    if (log !== this.#log) {
      this.#resized.disconnect()
      this.#resized.observe(log)
      this.#log = log
    }
    const wish = this.#wish
    this.#wish = undefined
    if (wish === 'place') log.scrollTop = log.scrollHeight - this.#heightBelow
    else if (wish === 'end') log.scrollTop = log.scrollHeight
    else if (this.isAtEnd) this.#follow(log, wish === 'reply')
    this.scrolled()
  }

  #follow(log: HTMLElement, isReply: boolean): void {
    const last = isReply ? log.querySelector('.exchange:last-of-type .reply') : null
    const isTall = last !== null && last.getBoundingClientRect().height > log.clientHeight - ABOVE_REPLY_PX
    if (!isTall) log.scrollTop = log.scrollHeight
    else log.scrollTop += last.getBoundingClientRect().top - log.getBoundingClientRect().top - ABOVE_REPLY_PX
  }

  #keepEnd(): void {
    if (this.#log && this.isAtEnd) this.#log.scrollTop = this.#log.scrollHeight
  }
}
