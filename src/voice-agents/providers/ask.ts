// Asking a partner's provider for an agent that isn't in the local table (§4A map-customer).
import { PROVIDER_APIS, type Provider } from '../../../schemas/voice-agent.ts'
import { ServiceError } from '../../errors.ts'
import { UpstreamError } from '../../net/fetch-json.ts'
import type { OperationContext } from '../../operation.ts'
import { type AgentKey, ofAgent, type ProviderAccount } from '../store.ts'
import { unsealProviderKey } from './keys.ts'
import type { VoiceProvider } from './port.ts'
import { retell } from './retell.ts'
import { vapi } from './vapi.ts'

export const ADAPTERS: Record<Provider, VoiceProvider> = { a: vapi, b: retell }

type AskContext = Pick<OperationContext, 'config' | 'secrets' | 'db'>

/** How to reach the partner's account, or nothing when the partner has set no key for that provider. */
export async function connectionOf({ db, secrets, config }: AskContext, account: ProviderAccount) {
  const key = await unsealProviderKey(db, secrets, account)
  if (key === undefined) return undefined
  return { baseUrl: config.providerUrls[account.provider], key, timeoutMs: config.providerTimeoutMs }
}

/**
 * An agent that isn't here, as the provider knows it; nothing when it doesn't, or when the partner has no key there.
 * @throws ServiceError `provider_unavailable` when the provider can't be asked
 */
export async function askForUnknown(ctx: AskContext, agentKey: AgentKey) {
  const { provider, agentId } = agentKey
  const known = ctx.db.selectFrom('voiceAgent').where(ofAgent(agentKey)).select('agentId')
  if (await known.executeTakeFirst()) return undefined
  const connection = await connectionOf(ctx, agentKey)
  try {
    return connection && (await ADAPTERS[provider].findAgent(connection, agentId))
  } catch (error) {
    throw providerUnavailable(provider, error)
  }
}

/** What a partner may know of a provider's trouble: whose it is and what to do, nothing that the provider wrote. */
export function providerUnavailable(provider: Provider, error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error
  const { name } = PROVIDER_APIS[provider]
  const { retryAfterSeconds } = error
  return new ServiceError('provider_unavailable', `${name} ${reasonOf(error)}`, {
    cause: error,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds })
  })
}

function reasonOf({ fault, status }: UpstreamError): string {
  if (status === 401 || status === 403) return 'refused your key. Set a valid one and try again.'
  if (status === 429) return 'limits your account’s requests at the moment. Try again later.'
  if (fault === 'timeout') return 'did not answer in time. Try again later.'
  if (fault === 'unreachable') return 'could not be reached. Try again later.'
  return 'gave an answer that can’t be used. Try again later, or import the agent.'
}
