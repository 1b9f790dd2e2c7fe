// What we use of Honcho's API (v3, https://docs.honcho.dev). A Mind is a workspace of its name with one peer, and each
// memory is a session of its name: of one session alone can Honcho delete everything that it made of it.
// Not by @honcho-ai/sdk: it follows redirects, reads bodies of any size, and takes neither a signal nor a fetch of ours.
import { z } from 'zod'
import { fetchJson, UpstreamError } from '../../net/fetch-json.ts'
import type { HonchoServer } from './variables.ts'

const PEER_ID = 'customer'
const PEER = `/peers/${PEER_ID}`
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
export type HonchoMind = ReturnType<Honcho['mind']>

export const openHoncho = ({ url, key, timeoutMs: serverTimeoutMs }: HonchoServer) => ({
  url,
  /** Each call throws UpstreamError for every answer that can't be used; what isn't there is nothing, and is removed. */
  mind(mindId: string, { timeoutMs = serverTimeoutMs, signal }: CallBounds = {}) {
    const call = <T>(
      method: 'GET' | 'POST' | 'PUT' | 'DELETE',
      path: string,
      schema: z.ZodType<T>,
      body?: unknown
    ): Promise<T> =>
      fetchJson(`${url}/v3/workspaces/${mindId}${path}`, schema, {
        method,
        bearer: key,
        body,
        timeoutMs: Math.min(timeoutMs, serverTimeoutMs),
        signal,
        maxBytes: MAX_ANSWER_BYTES
      })
    /** The ids of a page; `undefined` where there is no such workspace. */
    const list = async (path: string, filters?: object) => {
      const listed = call('POST', `${path}/list?page=1&size=${PAGE_SIZE}`, Page, { filters })
      return (await orIfAbsent(listed, undefined))?.items.map(({ id }) => id)
    }
    const remove = async (path: string): Promise<void> => {
      await orIfAbsent(call('DELETE', path, z.unknown()), undefined)
    }
    return {
      /** What is known for sure of the peer, a fact a line; empty before anything is. */
      async card() {
        return (await orIfAbsent(call('GET', `${PEER}/card`, Card), {})).peer_card ?? []
      },
      /** What Honcho concluded lately, as Markdown; empty before it did. */
      async representation() {
        const read = call('POST', `${PEER}/representation`, Representation, {})
        return (await orIfAbsent(read, { representation: '' })).representation
      },
      async chat(query: string, level: string) {
        const asked = { query, reasoning_level: level, stream: false }
        // It makes workspace and peer where they are missing: with a 404 it isn't Honcho.
        return (await call('POST', `${PEER}/chat`, Chat, asked)).content ?? null
      },
      /** Those of at most 100 sessions that are there; `undefined` where there is no such workspace. */
      async presentSessions(sessionIds: readonly string[]) {
        const present = await list('/sessions', { id: { in: sessionIds } })
        return present && new Set(present)
      },
      /** Some sessions of the Mind, at most 100. */
      someSessions: async () => (await list('/sessions')) ?? [],
      hasMessages: async (sessionId: string) =>
        Boolean((await list(`/sessions/${sessionId}/messages`))?.length),
      /** All of them or none. Makes what is missing around them. */
      async addMessages(sessionId: string, told: readonly HonchoMessage[]) {
        const messages = told.map((message) => ({ peer_id: PEER_ID, ...message }))
        await call('POST', `/sessions/${sessionId}/messages`, Added, { messages })
      },
      removeSession: (sessionId: string) => remove(`/sessions/${encodeURIComponent(sessionId)}`),
      /** What Honcho concluded from several memories, at most 100 ids. */
      drawnConclusions: async () =>
        (await list('/conclusions', { level: { in: ['deductive', 'inductive', 'contradiction'] } })) ?? [],
      removeConclusion: (conclusionId: string) => remove(`/conclusions/${encodeURIComponent(conclusionId)}`),
      async emptyCard() {
        await call('PUT', `${PEER}/card`, Card, { peer_card: [] })
      },
      /** Refused with 409 while it has sessions. */
      removeWorkspace: () => remove('')
    }
  }
})

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
