// The conversations before the current one: their list, and the one that is read. Knows no document.
import type { ChatClient } from './chat-client.ts'
import { Conversation, type Happening } from './conversation.ts'
import { type ChatRefusal, type FormerConversation, refusalOf } from './protocol.ts'

export class Former {
  isOpen = false
  /** What there is to choose from; `undefined` until the server has told. */
  list: readonly FormerConversation[] | undefined
  reading: Conversation | undefined

  readonly #client: ChatClient
  readonly #tell: (happening: Happening, from?: Conversation) => void
  #problem: ChatRefusal | undefined

  constructor(client: ChatClient, tell: (happening: Happening, from?: Conversation) => void) {
    this.#client = client
    this.#tell = tell
  }

  /** Why there is nothing to read. */
  get problem(): ChatRefusal | undefined {
    return this.reading ? this.reading.problem : this.#problem
  }

  /** Shows the list, as it is by now. */
  async open(): Promise<void> {
    this.#turn(undefined, true)
    try {
      this.list = await this.#client.former()
      this.#problem = undefined
    } catch (error) {
      this.#problem = refusalOf(error)
    }
    this.#tell({ what: 'changed' })
  }

  read(id: string): void {
    const conversation: Conversation = new Conversation(
      this.#client,
      (happening) => this.#tell(happening, conversation),
      id
    )
    this.#turn(conversation, true)
    void conversation.refresh()
  }

  /** Asks again for what could not be read. */
  again(): Promise<void> {
    return this.reading ? this.reading.refresh() : this.open()
  }

  /** Back to the current conversation. */
  close(): void {
    if (this.isOpen) this.#turn(undefined, false)
  }

  #turn(reading: Conversation | undefined, isOpen: boolean): void {
    this.reading?.end()
    this.reading = reading
    this.isOpen = isOpen
    this.#tell({ what: 'turned' })
  }
}
