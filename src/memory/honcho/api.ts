// What we use of Honcho's API (v3, https://docs.honcho.dev). A Mind is a workspace of its name with one peer, and each
// memory is a session of its name: of one session alone can Honcho delete everything that it made of it.
//
// Not by @honcho-ai/sdk: it follows redirects, reads bodies of any size, and takes neither a signal nor a fetch of ours.
import { z } from 'zod'
import { fetchJson, UpstreamError } from '../../net/fetch-json.ts'
import type { HonchoServer } from './variables.ts'

/** The one whom all of a Mind is about. */
const PEER = 'customer'
const MAX_ANSWER_BYTES = 2_097_152
/** Most items of a page at Honcho. */
const PAGE_SIZE = 100

export interface HonchoMessage {
  content: string
  metadata: Record<string, string | number>
  /** ISO 8601. */
  createdAt: string
}

export type HonchoLevel = 'low' | 'high' | 'max'

/** Bounds of one call; without them the server's own timeout. */
export interface CallBounds {
  timeoutMs?: number
  signal?: AbortSignal
}

/** Each call throws UpstreamError for every answer that can't be used. */
export interface Honcho {
  /** Its base URL: which Honcho it is. */
  readonly url: string
  /** What is known for sure of the peer, a fact a line; empty before anything is. */
  card(mindId: string, bounds?: CallBounds): Promise<readonly string[]>
  /** What Honcho concluded lately, as Markdown; empty before it did. */
  representation(mindId: string, bounds?: CallBounds): Promise<string>
  chat(mindId: string, query: string, level: HonchoLevel, bounds?: CallBounds): Promise<string | null>
  /** Those of at most 100 sessions that are there; `undefined` where there is no such workspace. */
  presentSessions(
    mindId: string,
    sessionIds: readonly string[],
    bounds?: CallBounds
  ): Promise<ReadonlySet<string> | undefined>
  /** Some sessions of the Mind, at most 100; none when it has none. */
  someSessions(mindId: string, bounds?: CallBounds): Promise<readonly string[]>
  hasMessages(mindId: string, sessionId: string, bounds?: CallBounds): Promise<boolean>
  /** All of them or none. Makes what is missing around them. */
  addMessages(
    mindId: string,
    sessionId: string,
    messages: readonly HonchoMessage[],
    bounds?: CallBounds
  ): Promise<void>
  /** Nothing happens where there is none. */
  removeSession(mindId: string, sessionId: string, bounds?: CallBounds): Promise<void>
  /** What Honcho concluded from several memories, at most 100 ids. */
  drawnConclusions(mindId: string, bounds?: CallBounds): Promise<readonly string[]>
  removeConclusion(mindId: string, conclusionId: string, bounds?: CallBounds): Promise<void>
  emptyCard(mindId: string, bounds?: CallBounds): Promise<void>
  /** Nothing happens where there is none. Refused with 409 while it has sessions. */
  removeWorkspace(mindId: string, bounds?: CallBounds): Promise<void>
}

const Page = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) })
const Card = z.looseObject({ peer_card: z.array(z.string()).nullish() })
const Representation = z.looseObject({ representation: z.string() })
const Chat = z.looseObject({ content: z.string().nullish() })

export function openHoncho({ url, key, timeoutMs: serverTimeoutMs }: HonchoServer): Honcho {
  const call = <T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    schema: z.ZodType<T>,
    { timeoutMs = serverTimeoutMs, signal }: CallBounds = {},
    body?: unknown
  ): Promise<T> =>
    fetchJson(`${url}/v3/workspaces/${path}`, schema, {
      method,
      bearer: key,
      body,
      timeoutMs: Math.min(timeoutMs, serverTimeoutMs),
      signal,
      maxBytes: MAX_ANSWER_BYTES
    })
  const list = async (path: string, filters: object | undefined, bounds?: CallBounds) => {
    const listed = call('POST', `${path}?page=1&size=${PAGE_SIZE}`, Page, bounds, { filters })
    return (await orIfAbsent(listed, undefined))?.items.map(({ id }) => id)
  }
  const remove = async (path: string, bounds?: CallBounds): Promise<void> => {
    await orIfAbsent(call('DELETE', path, z.unknown(), bounds), undefined)
  }
  return {
    url,
    async card(mindId, bounds) {
      const read = call('GET', `${mindId}/peers/${PEER}/card`, Card, bounds)
      return (await orIfAbsent(read, { peer_card: [] })).peer_card ?? []
    },
    async representation(mindId, bounds) {
      const read = call('POST', `${mindId}/peers/${PEER}/representation`, Representation, bounds, {})
      return (await orIfAbsent(read, { representation: '' })).representation
    },
    async chat(mindId, query, level, bounds) {
      const asked = { query, reasoning_level: level, stream: false }
      // It makes workspace and peer where they are missing: with a 404 it isn't Honcho.
      const { content } = await call('POST', `${mindId}/peers/${PEER}/chat`, Chat, bounds, asked)
      return content ?? null
    },
    async presentSessions(mindId, sessionIds, bounds) {
      const present = await list(`${mindId}/sessions/list`, { id: { in: sessionIds } }, bounds)
      return present && new Set(present)
    },
    someSessions: async (mindId, bounds) => (await list(`${mindId}/sessions/list`, undefined, bounds)) ?? [],
    async hasMessages(mindId, sessionId, bounds) {
      const messages = await list(`${mindId}/sessions/${sessionId}/messages/list`, undefined, bounds)
      return messages !== undefined && messages.length > 0
    },
    async addMessages(mindId, sessionId, messages, bounds) {
      const path = `${mindId}/sessions/${sessionId}/messages`
      await call('POST', path, z.array(z.looseObject({ id: z.string() })), bounds, {
        messages: messages.map(({ content, metadata, createdAt }) => ({
          ...{ peer_id: PEER, content, metadata, created_at: createdAt }
        }))
      })
    },
    removeSession: (mindId, sessionId, bounds) =>
      remove(`${mindId}/sessions/${encodeURIComponent(sessionId)}`, bounds),
    async drawnConclusions(mindId, bounds) {
      const filters = { level: { in: ['deductive', 'inductive', 'contradiction'] } }
      return (await list(`${mindId}/conclusions/list`, filters, bounds)) ?? []
    },
    removeConclusion: (mindId, conclusionId, bounds) =>
      remove(`${mindId}/conclusions/${encodeURIComponent(conclusionId)}`, bounds),
    async emptyCard(mindId, bounds) {
      await call('PUT', `${mindId}/peers/${PEER}/card`, Card, bounds, { peer_card: [] })
    },
    removeWorkspace: (mindId, bounds) => remove(mindId, bounds)
  }
}

/** What isn't there yet, or no more, is no fault: which Minds there are, our own tables say. */
async function orIfAbsent<T>(answered: Promise<T>, absent: T): Promise<T> {
  try {
    return await answered
  } catch (error) {
    if (error instanceof UpstreamError && error.status === 404) return absent
    throw error
  }
}
