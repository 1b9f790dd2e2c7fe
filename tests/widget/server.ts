// The chat route as a test of the widget without a browser answers for it.
import type { ChatClient, Listener } from '../../servers/portal/widget/browser/chat-client.ts'
import {
  ChatRefusal,
  CONNECTION_LOST,
  type FormerConversation,
  type HistoryPage,
  type KeptExchange
} from '../../servers/portal/widget/browser/protocol.ts'

export const exchange = (key: string, told: Partial<KeptExchange> = {}): KeptExchange => ({
  id: `chx_${key}`,
  key,
  files: [],
  message: `message ${key}`,
  state: 'answered',
  reply: `reply ${key}`,
  code: null,
  reason: null,
  progress: null,
  hasStarted: undefined,
  createdAt: `2026-01-01T00:00:${key.padStart(2, '0')}Z`,
  answeredAt: `2026-01-01T00:00:${key.padStart(2, '0')}Z`,
  ...told
})
export const page = (
  exchanges: KeptExchange[],
  next: string | null = null,
  conversation = 'cnv_1'
): HistoryPage => ({ conversation, exchanges, next })

/** A server that a test answers for. */
export class Server implements ChatClient {
  page = page([])
  sent: {
    key: string
    message: string
    files: KeptExchange['files']
    settle: (reply: string | ChatRefusal) => void
  }[] = []
  cancelled: string[] = []
  notReady: ChatRefusal | undefined
  lost = false

  send({ key, message, files }: Pick<KeptExchange, 'key' | 'message' | 'files'>): Promise<string> {
    return new Promise((resolve, reject) => {
      this.sent.push({
        key,
        message,
        files,
        settle: (reply) => (typeof reply === 'string' ? resolve(reply) : reject(reply))
      })
    })
  }
  earlier = new Map<string, HistoryPage>()
  async history(asked: { before?: string; conversation?: string } = {}): Promise<HistoryPage> {
    if (this.lost) throw new ChatRefusal(CONNECTION_LOST)
    const { before, conversation } = asked
    const former = this.earlier.get(conversation ?? '')
    if (former) return former
    return before === undefined ? this.page : page([exchange(before)])
  }
  list: FormerConversation[] = []
  async former(): Promise<FormerConversation[]> {
    if (this.lost) throw new ChatRefusal(CONNECTION_LOST)
    return this.list
  }
  async begin(): Promise<void> {
    if (this.lost) throw new ChatRefusal(CONNECTION_LOST)
    this.page = page([], null, 'cnv_2')
  }
  async cancel(key: string): Promise<boolean> {
    this.cancelled.push(key)
    return true
  }
  listeners = new Set<Listener>()
  listen(listener: Listener) {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
  filesUrl = '/files'
  fileHref(exchangeId: string, fileId: string) {
    return `/files/${exchangeId}/${fileId}`
  }
  async health(): Promise<void> {
    if (this.notReady) throw this.notReady
  }
}
