// Whether the agent can be talked to, asked again and again while it can't.
import type { ChatClient } from './chat-client.ts'
import { ChatRefusal } from './protocol.ts'

const FIRST_MS = 5_000
const MAX_MS = 30_000
const CAUSES: ReadonlySet<string> = new Set(['agent_not_ready', 'ssh_unavailable'])

export class Readiness {
  problem: ChatRefusal | undefined

  readonly #client: ChatClient
  readonly #changed: () => void
  #againMs = FIRST_MS
  #timer: ReturnType<typeof setTimeout> | undefined
  #isEnded = false

  constructor(client: ChatClient, changed: () => void) {
    this.#client = client
    this.#changed = changed
  }

  async check(): Promise<void> {
    clearTimeout(this.#timer)
    try {
      await this.#client.health()
      this.note(undefined)
    } catch (error) {
      if (!(error instanceof ChatRefusal)) throw error
      // Whether one may be here at all, the history says as well.
      this.note(CAUSES.has(error.code) ? error : undefined)
    }
    this.#changed()
  }

  /** Takes over what was learnt elsewhere; whether that says anything about it. */
  note(refusal: ChatRefusal | undefined): boolean {
    if (refusal && !CAUSES.has(refusal.code)) return false
    this.problem = refusal
    clearTimeout(this.#timer)
    if (!refusal) this.#againMs = FIRST_MS
    else if (!this.#isEnded) {
      this.#timer = setTimeout(() => void this.check(), this.#againMs)
      this.#againMs = Math.min(this.#againMs * 1.5, MAX_MS)
    }
    return true
  }

  end(): void {
    this.#isEnded = true
    clearTimeout(this.#timer)
  }
}
