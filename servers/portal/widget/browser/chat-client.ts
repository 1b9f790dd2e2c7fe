// The chat route over HTTP.
import {
  ChatRefusal,
  CONNECTION_LOST,
  type FormerConversation,
  type HistoryPage,
  type KeptExchange,
  type Progress,
  readAtWork,
  readFormer,
  readHistory,
  readRefusal,
  textAt
} from './protocol.ts'

export type ChatClient = ReturnType<typeof openChat>

/** Hears of the messages that wait, by their keys. */
export interface Listener {
  progress(atWork: ReadonlyMap<string, Progress | null>): void
  /** None waits, or nothing can be heard. */
  end(): void
}

/** The service gives up after 55 s (§8); whoever hears nothing for so long has lost the connection. */
const REPLY_DEADLINE_MS = 120_000
const DEADLINE_MS = 30_000

/**
 * The route of one instance and its app; `base` is the origin or path before `/api`, '' for the page's own origin.
 * Each call is refused with a ChatRefusal.
 */
export function openChat(
  base: string,
  { instance, app }: { instance: string; app: string },
  signal: AbortSignal
) {
  const url = `${base}/api/whitelabel/vps/instances/${encodeURIComponent(instance)}/${encodeURIComponent(app)}/chat`
  const ask = (path: string, init: RequestInit = {}, deadlineMs = DEADLINE_MS) =>
    askJson(url + path, { credentials: 'include', ...init }, signal, deadlineMs)
  return {
    /** Waits for the reply. The same key again joins or repeats, it never runs twice. */
    async send({ key, message, files }: Pick<KeptExchange, 'key' | 'message' | 'files'>): Promise<string> {
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key }
      const init = {
        method: 'POST',
        headers,
        body: JSON.stringify({ message, files: files.map(({ id }) => id) })
      }
      const reply = textAt(await ask('', init, REPLY_DEADLINE_MS), 'reply')
      if (reply === null) throw new ChatRefusal(CONNECTION_LOST)
      return reply
    },
    /** Where files go to. */
    filesUrl: `${url}/files`,
    fileHref: (exchangeId: string, fileId: string) =>
      `${url}/files/${encodeURIComponent(exchangeId)}/${encodeURIComponent(fileId)}`,
    /** Of the current conversation unless told. */
    async history(asked: { before?: string; conversation?: string } = {}): Promise<HistoryPage> {
      const page = new URLSearchParams({ limit: '50', ...asked })
      return readHistory(await ask(`/history?${page}`))
    },
    /** Earlier conversations, the newest first. */
    former: async (): Promise<FormerConversation[]> => readFormer(await ask('/conversations')),
    /** Begins a new conversation. */
    begin: () => ask('/conversations', { method: 'POST' }),
    /** What it returns ends it. */
    listen({ progress, end }: Listener): () => void {
      const source = new EventSource(`${url}/events`, { withCredentials: true })
      const close = () => source.close()
      const over = () => {
        close()
        end()
      }
      source.addEventListener(
        'progress',
        (event) => event instanceof MessageEvent && progress(readAtWork(String(event.data)))
      )
      source.addEventListener('end', over)
      source.addEventListener('error', () => source.readyState === EventSource.CLOSED && over())
      signal.addEventListener('abort', close)
      return close
    },
    cancel: (key: string) => ask(`/messages/${encodeURIComponent(key)}`, { method: 'DELETE' }),
    /** Answers when the agent is ready. */
    health: () => ask('', {}, REPLY_DEADLINE_MS)
  }
}

async function askJson(url: string, init: RequestInit, signal: AbortSignal, deadlineMs: number) {
  const limit = new AbortController()
  const giveUp = () => limit.abort()
  const timer = setTimeout(giveUp, deadlineMs)
  signal.addEventListener('abort', giveUp)
  try {
    const answer = await fetch(url, { ...init, signal: limit.signal })
    const body: unknown = await answer.json().catch(() => undefined)
    if (!answer.ok) throw readRefusal(body, answer.headers.get('retry-after'))
    return body
  } catch (error) {
    throw error instanceof ChatRefusal ? error : new ChatRefusal(CONNECTION_LOST)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
  }
}
