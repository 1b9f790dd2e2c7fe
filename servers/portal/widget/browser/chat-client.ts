// The chat route over HTTP.
import {
  ChatRefusal,
  CONNECTION_LOST,
  type HistoryPage,
  member,
  readHistory,
  readRefusal,
  textAt
} from './protocol.ts'

export interface ChatClient {
  /** Waits for the reply. The same key again joins or repeats, it never runs twice. @throws ChatRefusal */
  send(key: string, message: string): Promise<string>
  /** @throws ChatRefusal */
  history(before?: string): Promise<HistoryPage>
  /** Whether the run was ended. @throws ChatRefusal */
  cancel(key: string): Promise<boolean>
  /** Answers when the agent is ready. @throws ChatRefusal */
  health(): Promise<void>
}

/** The service gives up after 55 s (§8); whoever hears nothing for so long has lost the connection. */
const REPLY_DEADLINE_MS = 120_000
const DEADLINE_MS = 30_000

/** The route of one instance; `base` is the origin or path before `/api`, '' for the page's own origin. */
export function openChat(base: string, instance: string, signal: AbortSignal): ChatClient {
  const url = `${base}/api/whitelabel/vps/instances/${encodeURIComponent(instance)}/cli-agent/chat`
  const ask = (path: string, init: RequestInit = {}, deadlineMs = DEADLINE_MS) =>
    askJson(url + path, { credentials: 'include', ...init }, signal, deadlineMs)
  return {
    async send(key, message) {
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key }
      const init = { method: 'POST', headers, body: JSON.stringify({ message }) }
      const reply = textAt(await ask('', init, REPLY_DEADLINE_MS), 'reply')
      if (reply === null) throw new ChatRefusal(CONNECTION_LOST)
      return reply
    },
    async history(before) {
      const page = new URLSearchParams({ limit: '50', ...(before === undefined ? {} : { before }) })
      return readHistory(await ask(`/history?${page}`))
    },
    async cancel(key) {
      const answer = await ask(`/messages/${encodeURIComponent(key)}`, { method: 'DELETE' })
      return member(answer, 'cancelled') === true
    },
    async health() {
      await ask('', {}, REPLY_DEADLINE_MS)
    }
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
