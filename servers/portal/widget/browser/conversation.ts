// A conversation as a page sees it: what was said, what is under way, and what is in the way. Knows no document.
import { later } from './again.ts'
import type { ChatClient } from './chat-client.ts'
import { type Exchange, newExchange, withNewest, withOlder } from './exchanges.ts'
import { type ChatFile, ChatRefusal, CONNECTION_LOST, NO_ACCESS, refusalOf } from './protocol.ts'

/** What a listener may want to show, to say aloud, to scroll to or to tell other tabs. */
export type Happening =
  | { what: 'changed' | 'sent' | 'loaded' | 'older' | 'begun' | 'turned' }
  | { what: 'answered' | 'failed'; exchange: Exchange }
  /** It wasn't delivered: what was written belongs into the box again. */
  | { what: 'returned'; exchange: Exchange }

/** The agent was asked, or its server was: the message stays where it is, with what came of it. */
const HAPPENED: ReadonlySet<string> = new Set([
  'agent_error',
  'agent_timeout',
  'ssh_unavailable',
  'cancelled'
])

/** The agent can't be talked to, but may be again: it is asked now and then. */
const NOT_READY: ReadonlySet<string> = new Set(['agent_not_ready', 'ssh_unavailable'])

const LOOKS = { firstMs: 1_000, longestMs: 8_000 }
/** A message is known to the server a moment after it was sent. */
const LISTENS = { firstMs: 500, longestMs: 4_000 }
const CHECKS = { firstMs: 5_000, longestMs: 30_000 }
/** What another tab tells of may reach the server only after this one has asked. */
const LOOKS_FOR_NEWS = 4

export class Conversation {
  exchanges: readonly Exchange[] = []
  isLoading = true
  isLoadingOlder = false
  /** Leads to what was said before; `null` at the beginning. */
  older: string | null = null

  readonly #client: ChatClient
  readonly #former: { conversation?: string }
  /** Which one it is, once the server has told. */
  #id = ''
  readonly #tell: (happening: Happening) => void
  readonly #ended = new AbortController()
  readonly #lookAgain = later(() => this.refresh(), LOOKS, this.#ended.signal)
  readonly #checkAgain = later(() => this.#check(), CHECKS, this.#ended.signal)
  readonly #listenAgain = later(async () => this.#listen(), LISTENS, this.#ended.signal)
  #hush: (() => void) | undefined
  #readProblem: ChatRefusal | undefined
  #sendProblem: ChatRefusal | undefined
  #notReady: ChatRefusal | undefined
  #reading: Promise<void> | undefined
  #looksLeft = 0

  /** @param former id of a former one; the current one unless told */
  constructor(client: ChatClient, tell: (happening: Happening) => void, former?: string) {
    this.#former = former === undefined ? {} : { conversation: former }
    this.#client = client
    this.#tell = tell
  }

  /** What keeps from chatting, or why the message that was sent last came back. */
  get problem(): ChatRefusal | undefined {
    return this.#readProblem ?? this.#sendProblem ?? this.#notReady
  }

  get isAsking(): boolean {
    return this.exchanges.some(
      ({ state, isOpen, isUnsure, isRunning }) => state === 'waiting' && (isOpen || isUnsure || isRunning)
    )
  }

  /** Whoever looks on may not be here. */
  get isBarred(): boolean {
    return this.#readProblem !== undefined && NO_ACCESS.has(this.#readProblem.code)
  }

  get canSend(): boolean {
    return !this.isAsking && !this.isBarred && this.#notReady?.code !== 'agent_not_ready'
  }

  async open(): Promise<void> {
    await Promise.all([this.refresh(), this.#check()])
  }

  end(): void {
    this.#ended.abort()
    this.#hush?.()
  }

  /** Sends a message and waits until it is answered or isn't going to be. */
  async send(message: string, files: ChatFile[] = []): Promise<void> {
    const exchange = newExchange(crypto.randomUUID(), message, files)
    this.exchanges = [...this.exchanges, exchange]
    this.#sendProblem = undefined
    this.#tell({ what: 'sent' })
    this.#listenAgain(true)
    try {
      const reply = await this.#client.send(exchange)
      this.#noteReadiness(undefined)
      this.#settle(exchange.key, { state: 'answered', reply, answeredAt: new Date().toISOString() })
      await this.refresh()
    } catch (error) {
      this.#refused(exchange, refusalOf(error))
    }
  }

  /** Begins a new conversation; what is under way goes on in the one before. */
  async begin(): Promise<void> {
    try {
      await this.#client.begin()
      // What is being read may be of the one before.
      await this.#reading
      await this.refresh()
      this.#tell({ what: 'begun' })
    } catch (error) {
      this.#readProblem = refusalOf(error)
      this.#tell({ what: 'changed' })
      this.#lookLater()
    }
  }

  async stop(key: string): Promise<void> {
    this.#change(key, { isStopping: true })
    try {
      await this.#client.cancel(key)
    } catch {
      // What became of it, the history says either way.
    }
    await this.refresh()
    this.#change(key, { isStopping: false })
  }

  /** Reads the newest page of the history; wishes while one is being read are content with that one. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
      this.#lookLater()
      this.#listenLater()
    })
    return this.#reading
  }

  /** Looks for what was said in another tab, some times over. */
  async expectNews(): Promise<void> {
    this.#looksLeft = LOOKS_FOR_NEWS
    await this.refresh()
  }

  async loadOlder(): Promise<void> {
    if (this.older === null || this.isLoadingOlder) return
    this.isLoadingOlder = true
    this.#tell({ what: 'changed' })
    try {
      const page = await this.#client.history({ before: this.older, conversation: this.#id })
      this.exchanges = withOlder(this.exchanges, page)
      this.older = page.next
    } catch (error) {
      this.#readProblem = refusalOf(error)
    }
    this.isLoadingOlder = false
    this.#tell({ what: 'older' })
  }

  #refused(exchange: Exchange, refusal: ChatRefusal): void {
    const [{ key }, { code, hasStarted, reason }] = [exchange, refusal]
    if (refusal.isRunning) {
      this.#change(key, { isOpen: false, isRunning: true })
      this.#lookLater()
    } else if (code === CONNECTION_LOST) {
      this.#change(key, { isOpen: false, isUnsure: true })
      this.#lookLater()
    } else if (HAPPENED.has(code)) {
      this.#settle(key, { state: code === 'cancelled' ? 'cancelled' : 'failed', code, hasStarted, reason })
    } else this.#giveBack(exchange, refusal)
  }

  /** The message was never taken: it leaves the list, and whoever wrote it has it again. */
  #giveBack(exchange: Exchange, refusal: ChatRefusal): void {
    this.exchanges = this.exchanges.filter(({ key }) => key !== exchange.key)
    if (NO_ACCESS.has(refusal.code)) this.#readProblem = refusal
    else if (!this.#noteReadiness(refusal)) this.#sendProblem = refusal
    this.#tell({ what: 'returned', exchange })
  }

  async #check(): Promise<void> {
    try {
      await this.#client.health()
      this.#noteReadiness(undefined)
    } catch (error) {
      // Whether one may be here at all, the history says as well.
      const refusal = refusalOf(error)
      this.#noteReadiness(NOT_READY.has(refusal.code) ? refusal : undefined)
    }
    this.#tell({ what: 'changed' })
  }

  /** Whether the refusal says anything about the agent; none says that it can be talked to. */
  #noteReadiness(refusal: ChatRefusal | undefined): boolean {
    if (refusal && !NOT_READY.has(refusal.code)) return false
    this.#notReady = refusal
    this.#checkAgain(refusal !== undefined)
    return true
  }

  async #read(): Promise<void> {
    const before = this.exchanges
    try {
      const page = await this.#client.history(this.#former)
      this.#turnTo(page.conversation)
      const { exchanges, isNewStart } = withNewest(this.exchanges, page)
      this.exchanges = exchanges
      if (isNewStart) this.older = page.next
      this.#readProblem = undefined
    } catch (error) {
      this.#readProblem = refusalOf(error)
      this.#tell({ what: 'changed' })
      return
    }
    this.#tellNews(before)
    // The server was asked after the connection was lost, and hasn't heard of it.
    for (const { key, isUnsure } of before) {
      const exchange = isUnsure && this.exchanges.find((other) => other.key === key && other.isUnsure)
      if (exchange) this.#giveBack(exchange, new ChatRefusal('not_sent', false))
    }
  }

  /** Another one may have been begun, here or elsewhere: what was said in the one before stays there. */
  #turnTo(id: string): void {
    if (this.#id !== '' && this.#id !== id) {
      const lost = this.exchanges.filter(({ isUnsure }) => isUnsure)
      this.exchanges = []
      this.isLoading = true
      // Whether it arrived, only the one before can tell.
      for (const exchange of lost) this.#tell({ what: 'returned', exchange })
    }
    this.#id = id
  }

  #tellNews(before: readonly Exchange[]): void {
    const wasLoading = this.isLoading
    this.isLoading = false
    this.#tell({ what: wasLoading ? 'loaded' : 'changed' })
    if (wasLoading) return
    for (const exchange of this.exchanges) {
      const known = before.find(({ key }) => key === exchange.key)
      if (exchange.state === 'waiting' || known?.state === exchange.state) continue
      if (exchange.state === 'answered') this.#tell({ what: 'answered', exchange })
      else if (known) this.#tell({ what: 'failed', exchange })
    }
  }

  /** Looks again while something is under way that no open request tells of, while nothing could be read, and for news. */
  #lookLater(): void {
    const isLost = this.#readProblem?.code === CONNECTION_LOST
    const isAwaited = this.exchanges.some(({ state, isOpen }) => state === 'waiting' && !isOpen)
    this.#lookAgain(isLost || isAwaited || this.#looksLeft > 0)
    this.#looksLeft -= 1
  }

  #listenLater(): void {
    this.#listenAgain(!this.#hush && this.exchanges.some(({ state }) => state === 'waiting'))
  }

  /** Hears what the agent does, until nothing waits. */
  #listen(): void {
    this.#hush ??= this.#client.listen({
      progress: (atWork) => {
        for (const { key, state, isOpen } of this.exchanges) {
          if (state !== 'waiting') continue
          const progress = atWork.get(key)
          if (progress) this.#change(key, { progress })
          else if (progress === undefined && !isOpen) void this.refresh()
        }
      },
      end: () => {
        this.#hush = undefined
        if (this.exchanges.some(({ state, isOpen }) => state === 'waiting' && !isOpen)) void this.refresh()
        else this.#listenLater()
      }
    })
  }

  #settle(key: string, outcome: Partial<Exchange>): void {
    // The history may have told before the request did.
    const isNews = this.exchanges.some((exchange) => exchange.key === key && exchange.state === 'waiting')
    this.#change(key, { ...(isNews ? outcome : {}), isOpen: false, isUnsure: false, isStopping: false })
    const exchange = this.exchanges.find((other) => other.key === key)
    if (isNews && exchange)
      this.#tell({ what: exchange.state === 'answered' ? 'answered' : 'failed', exchange })
  }

  #change(key: string, change: Partial<Exchange>): void {
    this.exchanges = this.exchanges.map((exchange) =>
      exchange.key === key ? { ...exchange, ...change } : exchange
    )
    this.#tell({ what: 'changed' })
  }
}
