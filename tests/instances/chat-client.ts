// A customer's browser at the chat route: what the widget sends, without the widget.
import { z } from 'zod'
import {
  ChatBegun,
  ChatCancelled,
  type ChatConversation,
  ChatConversations,
  ChatHistory
} from '../../schemas/chat.ts'

export interface ChatAnswer {
  status: number
  headers: Headers
  body: unknown
}

export interface ChatClient {
  /** The route's own address. */
  url: string
  cookie: string
  send(message: unknown, options?: { key?: string; signal?: AbortSignal }): Promise<ChatAnswer>
  /** Asks whether the agent is ready. */
  health(): Promise<ChatAnswer>
  history(query?: string): Promise<ChatHistory>
  cancel(key: string): Promise<boolean>
  conversations(): Promise<ChatConversation[]>
  /** Begins a new conversation. */
  begin(): Promise<ChatConversation>
  request(path: string, init?: RequestInit): Promise<ChatAnswer>
}

/** Talks to that instance's agent with that session, at whichever of the service's processes. */
export function chatClient(
  origin: string,
  cookie: string,
  instanceId: string,
  app = 'cli-agent'
): ChatClient {
  const url = `${origin}/api/whitelabel/vps/instances/${instanceId}/${app}/chat`
  const request = async (path: string, init: RequestInit = {}): Promise<ChatAnswer> => {
    const headers = { cookie, 'sec-fetch-site': 'same-origin', ...init.headers }
    const answer = await fetch(url + path, { ...init, headers })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === '' ? undefined : JSON.parse(text)
    }
  }
  return {
    url,
    cookie,
    request,
    send: (message, { key, signal } = {}) =>
      request('', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key ? { 'idempotency-key': key } : {}) },
        body: JSON.stringify({ message }),
        ...(signal ? { signal } : {})
      }),
    health: () => request(''),
    history: async (query = '') => ChatHistory.parse(okay(await request(`/history${query}`))),
    conversations: async () => ChatConversations.parse(okay(await request('/conversations'))).conversations,
    begin: async () =>
      ChatBegun.parse(okay(await request('/conversations', { method: 'POST' }))).conversation,
    cancel: async (key) =>
      ChatCancelled.parse(okay(await request(`/messages/${key}`, { method: 'DELETE' }))).cancelled
  }
}

function okay({ status, body }: ChatAnswer): unknown {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** Reads an answer that must be a reply. */
export const replyOf = (answer: ChatAnswer): { reply: string; sessionId: string; model: string } => {
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return z.strictObject({ reply: z.string(), sessionId: z.string(), model: z.string() }).parse(answer.body)
}
