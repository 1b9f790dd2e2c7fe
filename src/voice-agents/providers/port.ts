// What the service needs of a voice-agent provider, whichever it is.

export interface ProviderAgent {
  id: string
  name: string
}

/** Where a provider is reached, and how long and how much it may answer. */
export interface ProviderConnection {
  baseUrl: string
  /** The partner's key at the provider. */
  key: string
  /** For one whole request. */
  timeoutMs: number
}

export interface VoiceProvider {
  /** @throws UpstreamError when the provider can't be asked; an id that it doesn't know is `undefined` */
  findAgent(connection: ProviderConnection, agentId: string): Promise<ProviderAgent | undefined>
  /** Every agent of the account, page by page. @throws UpstreamError */
  listAgents(connection: ProviderConnection): AsyncGenerator<ProviderAgent>
}

/** One agent is a few kilobytes with its prompt; a page of a hundred with long prompts stays below this. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024

/** Agents asked for at once. */
export const PAGE_SIZE = 100

/** Accounts have tens of agents; a provider that never stops saying "more" must not keep us busy. */
export const MAX_PAGES = 100

/** Ids of both providers; anything else would become another path than the one meant. */
const AGENT_ID = /^[\w-]{1,100}$/

/** Whether an id can be one of the provider's at all. */
export const isAgentId = (id: string): boolean => AGENT_ID.test(id)

/** The names that are shown to people; a provider may leave an agent without one. */
export const nameOf = (name: unknown, id: string): string =>
  typeof name === 'string' && name.trim() !== '' ? name.replaceAll(/\p{Cc}/gu, ' ').slice(0, 200) : id
