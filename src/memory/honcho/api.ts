// What we use of Honcho's API (v3, https://docs.honcho.dev). A Mind is a workspace of its name with one peer, and each
// memory is a session of its name: of one session alone can Honcho delete everything that it made of it.
// Not by @honcho-ai/sdk: it follows redirects, reads bodies of any size, and takes neither a signal nor a fetch of ours.
import { z } from 'zod'
import { fetchJson, UpstreamError } from '../../net/fetch-json.ts'
import type { HonchoServer } from './variables.ts'

const PEER = 'customer'
const MAX_ANSWER_BYTES = 2_097_152
const PAGE_SIZE = 100

interface HonchoMessage {
  content: string
  metadata: Record<string, string | number>
  created_at: string
}

/** Bounds of one call; without them the server's own timeout. */
interface CallBounds {
  timeoutMs?: number
  signal?: AbortSignal
}

const Added = z.array(z.looseObject({ id: z.string() }))
const Page = z.looseObject({ items: Added })
const Card = z.looseObject({ peer_card: z.array(z.string()).nullish() })
const Representation = z.looseObject({ representation: z.string() })
const Chat = z.looseObject({ content: z.string().nullish() })

export type Honcho = ReturnType<typeof openHoncho>

/** Each call throws UpstreamError for every answer that can't be used; what isn't there is nothing, and is removed. */
export function openHoncho({ url, key, timeoutMs: serverTimeoutMs }: HonchoServer) {
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
  /** The ids of a page; `undefined` where there is no such workspace. */
  const list = async (path: string, filters: object | undefined, bounds?: CallBounds) => {
    const listed = call('POST', `${path}?page=1&size=${PAGE_SIZE}`, Page, bounds, { filters })
    return (await orIfAbsent(listed, undefined))?.items.map(({ id }) => id)
  }
  const remove = async (path: string, bounds?: CallBounds): Promise<void> => {
    await orIfAbsent(call('DELETE', path, z.unknown(), bounds), undefined)
  }
  return {
    url,
    /** What is known for sure of the peer, a fact a line; empty before anything is. */
    async card(mindId: string, bounds?: CallBounds) {
      const read = call('GET', `${mindId}/peers/${PEER}/card`, Card, bounds)
      return (await orIfAbsent(read, {})).peer_card ?? []
    },
    /** What Honcho concluded lately, as Markdown; empty before it did. */
    async representation(mindId: string, bounds?: CallBounds) {
      const read = call('POST', `${mindId}/peers/${PEER}/representation`, Representation, bounds, {})
      return (await orIfAbsent(read, { representation: '' })).representation
    },
    async chat(mindId: string, query: string, level: string, bounds?: CallBounds) {
      const asked = { query, reasoning_level: level, stream: false }
      // It makes workspace and peer where they are missing: with a 404 it isn't Honcho.
      const { content } = await call('POST', `${mindId}/peers/${PEER}/chat`, Chat, bounds, asked)
      return content ?? null
    },
    /** Those of at most 100 sessions that are there; `undefined` where there is no such workspace. */
    async presentSessions(mindId: string, sessionIds: readonly string[], bounds?: CallBounds) {
      const present = await list(`${mindId}/sessions/list`, { id: { in: sessionIds } }, bounds)
      return present && new Set(present)
    },
    /** Some sessions of the Mind, at most 100. */
    someSessions: async (mindId: string, bounds?: CallBounds) =>
      (await list(`${mindId}/sessions/list`, undefined, bounds)) ?? [],
    async hasMessages(mindId: string, sessionId: string, bounds?: CallBounds) {
      const messages = await list(`${mindId}/sessions/${sessionId}/messages/list`, undefined, bounds)
      return messages !== undefined && messages.length > 0
    },
    /** All of them or none. Makes what is missing around them. */
    async addMessages(
      mindId: string,
      sessionId: string,
      told: readonly HonchoMessage[],
      bounds?: CallBounds
    ) {
      const messages = told.map((message) => ({ peer_id: PEER, ...message }))
      await call('POST', `${mindId}/sessions/${sessionId}/messages`, Added, bounds, { messages })
    },
    removeSession: (mindId: string, sessionId: string, bounds?: CallBounds) =>
      remove(`${mindId}/sessions/${encodeURIComponent(sessionId)}`, bounds),
    /** What Honcho concluded from several memories, at most 100 ids. */
    async drawnConclusions(mindId: string, bounds?: CallBounds) {
      const filters = { level: { in: ['deductive', 'inductive', 'contradiction'] } }
      return (await list(`${mindId}/conclusions/list`, filters, bounds)) ?? []
    },
    removeConclusion: (mindId: string, conclusionId: string, bounds?: CallBounds) =>
      remove(`${mindId}/conclusions/${encodeURIComponent(conclusionId)}`, bounds),
    async emptyCard(mindId: string, bounds?: CallBounds) {
      await call('PUT', `${mindId}/peers/${PEER}/card`, Card, bounds, { peer_card: [] })
    },
    /** Refused with 409 while it has sessions. */
    removeWorkspace: (mindId: string, bounds?: CallBounds) => remove(mindId, bounds)
  }
}

/** Which Minds there are, our own tables say. */
const orIfAbsent = <T>(answered: Promise<T>, absent: T): Promise<T> =>
  answered.catch((error: unknown) => {
    if (error instanceof UpstreamError && error.status === 404) return absent
    throw error
  })

/** What kept Honcho from answering, in our words: what it wrote may quote what it was told. */
export function wordsFor({ fault, status }: UpstreamError): string {
  if (fault !== 'status') return WORDS[fault]
  if (status === 401 || status === 403) return 'Honcho refuses HONCHO_KEY.'
  if (status === 404) return 'HONCHO_URL has no API of Honcho, version 3.'
  if (status === 429) return 'Honcho takes no more calls for now.'
  return `Honcho answered with status ${status}.`
}

const WORDS = {
  timeout: 'Honcho did not answer in time.',
  unreachable: 'Honcho can’t be reached.',
  redirect: 'HONCHO_URL leads elsewhere: set it to where Honcho itself is.',
  too_large: 'Honcho answered with more than was asked for.',
  malformed: 'What answers at HONCHO_URL doesn’t speak as Honcho does.'
}

/** The error as the cause of ours; one on the content of an answer would quote it in the log. */
export const causeOf = (error: UpstreamError): UpstreamError | undefined =>
  error.fault === 'malformed' ? undefined : error
