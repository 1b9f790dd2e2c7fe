// <mindgate-chat instance="ins_…">: a conversation with the agent on a customer's server (§4C), on any page of the
// portal's host. One script brings it, and none of its styles or scripts touch the page around.
import { html, nothing, render } from 'lit/html.js'
import { Attachments } from './attachments.ts'
import { type ChatClient, openChat } from './chat-client.ts'
import { copyCode, copyReply } from './clipboard.ts'
import { Conversation, type Happening } from './conversation.ts'
import { Draft } from './draft.ts'
import type { Exchange } from './exchanges.ts'
import { Former } from './former.ts'
import { LogScroller } from './log-scroller.ts'
import { dateLanguage } from './moments.ts'
import { makeRoomForKeyboard, watchFiles, watchPage } from './page-events.ts'
import { type ChatFile, ChatRefusal, roomOf } from './protocol.ts'
import { spoken } from './speech.ts'
import { COLOURS } from './styles/colours.ts'
import { FRAME } from './styles/frame.ts'
import { PROSE } from './styles/prose.ts'
import { THREAD } from './styles/thread.ts'
import { parseTexts, type Say, type TextKey, wordsOf } from './texts.ts'
import { problemOf, type Trouble } from './trouble.ts'
import { uploadTo } from './upload.ts'
import { composer, isTouch } from './views/composer.ts'
import { backToCurrent, conversationBar, formerList } from './views/conversations.ts'
import type { ViewContext } from './views/elements.ts'
import { isLong } from './views/exchange.ts'
import { jump, log } from './views/thread.ts'

const TICK_MS = 1_000

/** lit's templates, without the rest of lit's element. */
class MindgateChat extends HTMLElement {
  static readonly observedAttributes = ['instance', 'app', 'base', 'name', 'sign-in', 'no-files']

  readonly #root = this.attachShadow({ mode: 'open' })
  #isDue = false
  #conversation: Conversation | undefined
  #former: Former | undefined
  #attachments: Attachments | undefined
  #client: ChatClient | undefined
  #tellTabs = () => {}
  #end = new AbortController()
  #nodes = new Map<string, HTMLElement>()
  #texts: unknown
  #say: Say = wordsOf(undefined, '')
  #spoken = ''
  #copied = ''
  #saidTrouble = ''
  #saidLong = ''
  readonly #draft = new Draft()
  readonly #scroller = new LogScroller(() => this.#changed())

  constructor() {
    super()
    // Kept apart from the page's, and no inline style to a content security policy.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(COLOURS + FRAME + THREAD + PROSE)
    this.#root.adoptedStyleSheets = [sheet]
  }

  connectedCallback(): void {
    this.#open()
  }

  disconnectedCallback(): void {
    this.#close()
  }

  attributeChangedCallback(name: string): void {
    if (name === 'name') this.#say = wordsOf(this.#texts, this.#attribute('name'))
    if (['instance', 'app', 'base', 'no-files'].includes(name) && this.isConnected) this.#open()
    this.#changed()
  }

  override focus(options?: FocusOptions): void {
    this.#box?.focus(options)
  }

  /** Draws once, however much changed meanwhile. */
  #changed(): void {
    if (this.#isDue) return
    this.#isDue = true
    queueMicrotask(() => {
      this.#isDue = false
      if (!this.isConnected) return
      this.#scroller.beforeDraw()
      render(this.#template(), this.#root)
      this.#drawn()
    })
  }

  #template() {
    const context = this.#context()
    const [shown, former] = [this.#shown, this.#former]
    const isList = former?.isOpen === true && !former.reading
    return html`<div class="chat" part="chat" @keydown=${(event: KeyboardEvent) => event.key === 'Escape' && former?.close()}>
      <slot name="texts" hidden @slotchange=${this.#readTexts}></slot>
      ${former && !this.#conversation?.isBarred ? conversationBar(former, context) : nothing}
      ${isList ? formerList(former, context) : nothing}
      ${log(shown, this.#nodes, { isHidden: isList, scrolled: () => this.#scroller.scrolled(), clicked: this.#copyCode }, context)}
      <div class="below">
        ${this.#scroller.isAtEnd ? nothing : jump(() => this.#scroller.toEnd(), context)}
        ${former?.isOpen ? backToCurrent(former, context) : composer(context)}
      </div>
      <div class="sr" role="status">${this.#spoken}</div>
    </div>`
  }

  #copyCode = (event: Event) => void this.#speakOf(copyCode(event, this.#root, this.#say))

  #drawn(): void {
    const box = this.#box
    if (box && box.value !== this.#draft.text) box.value = this.#draft.text
    this.#scroller.afterDraw(this.#log)
    const { title = '', text = '' } = this.#trouble ?? {}
    if (title !== this.#saidTrouble && title !== '') this.#speak(`${title}. ${text}`)
    this.#saidTrouble = title
  }

  get #log() {
    return this.#root.querySelector<HTMLElement>('.log')
  }

  get #box() {
    return this.#root.querySelector('textarea')
  }

  get #shown() {
    return this.#former?.reading ?? this.#conversation
  }

  get #canSend(): boolean {
    return navigator.onLine && (this.#conversation?.canSend ?? false)
  }

  get #trouble(): Trouble | undefined {
    const { problem: own } = (this.#former?.isOpen ? this.#former : this.#conversation) ?? {}
    const problem = navigator.onLine ? own : new ChatRefusal('offline')
    return problem && problemOf(problem, this.#say)
  }

  #attribute(name: string): string {
    return this.getAttribute(name) ?? ''
  }

  #context(): ViewContext {
    return {
      say: this.#say,
      lang: dateLanguage(this.closest('[lang]')?.getAttribute('lang') ?? ''),
      name: this.#attribute('name'),
      now: Date.now(),
      signInHref: this.#attribute('sign-in'),
      draft: this.#draft.text,
      attachments: this.#attachments,
      detach: (one) => {
        this.#attachments?.remove(one)
        setTimeout(() => this.#backToWork())
      },
      fileHref: ({ id }, file) => this.#client?.fileHref(id, file.id) ?? '',
      canSend: this.#canSend,
      trouble: this.#trouble,
      isFormer: this.#former?.isOpen ?? false,
      copied: this.#copied,
      retry: ({ message, files }) => this.#send(message, files),
      edit: (exchange) => this.#putBack(exchange),
      stop: ({ key }) => {
        void this.#shown?.stop(key)
        this.#backToWork()
      },
      copyReply: (exchange) => {
        const show = (copied: string) => {
          this.#copied = copied
          this.#changed()
        }
        void this.#speakOf(copyReply(exchange, this.#root, show, this.#say))
      },
      check: () => void (this.#former?.isOpen ? this.#former.again() : this.#conversation?.open()),
      begin: () => void this.#conversation?.begin(),
      loadOlder: () => void this.#shown?.loadOlder(),
      write: (draft) => this.#write(draft),
      submit: () => this.#submit()
    }
  }

  #open(): void {
    this.#close()
    this.#changed()
    const instance = this.#attribute('instance')
    const base = this.#attribute('base')
    if (instance === '') return
    this.#end = new AbortController()
    const { signal } = this.#end
    const client = openChat(base, { instance, app: this.#attribute('app') || 'cli-agent' }, signal)
    this.#client = client
    const speak = (news?: TextKey) => this.#speak(news && this.#say(news))
    const takesFiles = !this.hasAttribute('no-files')
    this.#attachments = takesFiles ? new Attachments(uploadTo(client.filesUrl, signal), speak) : undefined
    const tell = (happening: Happening, from?: Conversation) => {
      if (this.#conversation === conversation) this.#happened(happening, from)
    }
    const conversation: Conversation = new Conversation(client, (happening) => tell(happening, conversation))
    this.#former = new Former(client, tell)
    this.#nodes = new Map()
    this.#draft.open(instance)
    this.#conversation = conversation
    const reactions = {
      catchUp: () => void conversation.refresh(),
      news: () => void conversation.expectNews(),
      network: (isOnline: boolean) => {
        if (isOnline) void conversation.open()
        this.#changed()
      }
    }
    this.#tellTabs = watchPage(`mindgate-chat:${base}:${instance}`, reactions, signal)
    makeRoomForKeyboard(this, signal)
    watchFiles(this, (files) => this.#former?.isOpen || this.#attachments?.add(files), signal)
    const tick = setInterval(() => this.#tock(), TICK_MS)
    signal.addEventListener('abort', () => clearInterval(tick))
    void conversation.open()
  }

  #close(): void {
    this.#former?.reading?.end()
    this.#conversation?.end()
    this.#conversation = undefined
    this.#former = undefined
    this.#end.abort()
  }

  #happened(happening: Happening, from?: Conversation): void {
    const { what } = happening
    if (!from || from === this.#shown) this.#scroller.happened(what)
    if (what === 'sent' || what === 'answered' || what === 'failed' || what === 'begun') this.#tellTabs()
    if (what === 'begun' || what === 'turned') setTimeout(() => this.#backToWork())
    if (what === 'returned') this.#putBack(happening.exchange)
    this.#speak(spoken(happening, this.#say))
    this.#changed()
  }

  #submit(): void {
    const message = this.#draft.text.replaceAll('\0', '').trim()
    if (message === '' || roomOf(message).isOver) return
    if (this.#attachments?.isReady === false) this.#speak(this.#say('filesNotReady'))
    else if (this.#canSend) {
      this.#write('')
      this.#send(message, this.#attachments?.take())
    } else if (this.#conversation?.isAsking) this.#speak(this.#say('busy'))
  }

  #send(message: string, files?: ChatFile[]): void {
    if (!this.#canSend) return
    void this.#conversation?.send(message, files)
    this.#backToWork()
  }

  /** The button that was pressed is gone or will be; on a phone the box would bring its keyboard up. */
  #backToWork(): void {
    // Who went on elsewhere in the page is left there.
    if (document.activeElement !== this && document.activeElement !== document.body) return
    const place = (isTouch() ? null : this.#box) ?? this.#log
    place?.focus({ preventScroll: true })
  }

  #write(draft: string): void {
    this.#draft.write(draft)
    this.#changed()
  }

  #putBack({ message, files }: Exchange): void {
    this.#draft.putBack(message)
    this.#attachments?.putBack(files.filter(({ direction }) => direction === 'in'))
    this.#changed()
    this.#backToWork()
  }

  #speak(text: string | undefined): void {
    this.#changed()
    if (text === undefined) return
    // A region speaks of what changes in it: the same words twice are no change.
    this.#spoken = text === this.#spoken ? `${text}\u200b` : text
  }

  async #speakOf(copying: Promise<string | undefined>): Promise<void> {
    this.#speak(await copying)
  }

  #tock(): void {
    const waiting = this.#shown?.exchanges.findLast(({ state }) => state === 'waiting')
    if (!waiting) return
    if (isLong(waiting, Date.now()) && this.#saidLong !== waiting.key) {
      this.#saidLong = waiting.key
      this.#speak(`${this.#say('working')}. ${this.#say('longer')}`)
    }
    this.#changed()
  }

  /** A page's own words: `<script type="application/json" slot="texts">`. */
  #readTexts = ({ target }: Event): void => {
    const [own] = target instanceof HTMLSlotElement ? target.assignedElements() : []
    this.#texts = parseTexts(own?.textContent ?? '')
    this.#say = wordsOf(this.#texts, this.#attribute('name'))
    this.#changed()
  }
}

// The script may stand in a page twice.
if (!customElements.get('mindgate-chat')) customElements.define('mindgate-chat', MindgateChat)
