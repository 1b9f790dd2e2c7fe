// What the service needs of a voice-agent provider, whichever it is, and what the adapters have in common.
import type { z } from 'zod'
import type { Tables } from '../../database/tables.ts'
import { fetchJson, UpstreamError } from '../../net/fetch-json.ts'
import type { NamedAgent } from '../store.ts'

/** A call that has ended, as its provider tells it. Times are in the tables' format. */
export interface ProviderCall
  extends Pick<Tables['call'], 'callId' | 'agentId' | 'startedAt' | 'endedAt' | 'durationMs' | 'outcome'>,
    Pick<Tables['call'], 'recordingUrl' | 'costMicros'> {
  /** What the provider tells of its cost, without what was said. */
  cost: unknown
}

export interface ProviderConnection {
  baseUrl: string
  key: string
  timeoutMs: number
  signal?: AbortSignal | undefined
}

export interface VoiceProvider {
  /** @throws UpstreamError when the provider can't be asked; an id that it doesn't know is `undefined` */
  findAgent(connection: ProviderConnection, agentId: string): Promise<NamedAgent | undefined>
  /** Every agent of the account, page by page. @throws UpstreamError */
  listAgents(connection: ProviderConnection): AsyncGenerator<NamedAgent>
  /**
   * Calls that changed, or ended, in that span of the tables' times, some of them perhaps again. `next` is the cursor of
   * the page behind it; `null` after the last one.
   * @throws UpstreamError
   */
  listCalls(
    connection: ProviderConnection,
    span: { from: string; to: string },
    cursor: string | null
  ): Promise<{ calls: ProviderCall[]; next: string | null }>
  /** Nothing for a call that it doesn't know, or that hasn't ended. @throws UpstreamError */
  findCall(connection: ProviderConnection, callId: string): Promise<ProviderCall | undefined>
}

/** One agent is a few kilobytes with its prompt; a page of a hundred with long prompts stays below this. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024

export const PAGE_SIZE = 100

/** Ids of both providers; anything else would become another path than the one meant. */
export const PROVIDER_ID = /^[\w-]{1,100}$/

/** One request to the provider; what has a body is a POST. */
export const ask = <T>(
  { baseUrl, key, timeoutMs, signal }: ProviderConnection,
  path: string,
  schema: z.ZodType<T>,
  { body, maxBytes = MAX_ANSWER_BYTES }: { body?: object; maxBytes?: number } = {}
): Promise<T> =>
  fetchJson(baseUrl + path, schema, {
    ...(body && { method: 'POST', body }),
    bearer: key,
    timeoutMs,
    signal,
    maxBytes
  })

/** The agent or call below that path; `unknown` are the statuses by which the provider says that it has none. */
export async function oneAt<T extends { id: string }>(
  connection: ProviderConnection,
  path: string,
  id: string,
  { schema, unknown }: { schema: z.ZodType<T>; unknown: ReadonlySet<number> }
): Promise<T | undefined> {
  if (!PROVIDER_ID.test(id)) return undefined
  try {
    const one = await ask(connection, `${path}/${id}`, schema)
    // The answer names what was asked for, or it is not an answer to the question.
    if (one.id !== id) throw new UpstreamError('malformed')
    return one
  } catch (error) {
    if (error instanceof UpstreamError && unknown.has(error.status ?? 0)) return undefined
    throw error
  }
}

/** Accounts have tens of agents; a provider that never stops saying "more" must not keep us busy. */
const MAX_PAGES = 100

/** Each agent once: pages may overlap, and Retell tells of each published version. */
export async function* eachAgent(
  pageAt: (cursor: string | undefined) => Promise<{ agents: NamedAgent[]; next: string | undefined }>
): AsyncGenerator<NamedAgent> {
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { agents, next } = await pageAt(cursor)
    for (const { id, name } of agents) {
      if (!seen.has(id)) yield { id, name }
      seen.add(id)
    }
    if (!next || next === cursor) return
    cursor = next
  }
}

/** The names that are shown to people; a provider may leave an agent without one. */
export const nameOf = (name: unknown, id: string): string =>
  typeof name === 'string' && name.trim() !== '' ? name.replaceAll(/\p{Cc}/gu, ' ').slice(0, 200) : id
