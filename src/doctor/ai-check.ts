// Whether agents on customers' servers can get answers: the upstream takes our key, or LiteLLM its master key.
import { z } from 'zod'
import { AiGatewayError } from '../ai-gateway/keys.ts'
import { liteLlmKeys } from '../ai-gateway/litellm/keys.ts'
import type { AiGatewaySettings, EmbeddedSettings, LiteLlmSettings } from '../ai-gateway/variables.ts'
import { fetchJson, UpstreamError } from '../net/fetch-json.ts'
import { type Finding, findingsOf } from './finding.ts'
import { isPlainRemote } from './machine-check.ts'

const { ok, warn, fail } = findingsOf('AI gateway')
const DEADLINE_MS = 10_000
const MAX_LIST_BYTES = 8 * 1_048_576

export async function checkAiGateway(settings: AiGatewaySettings): Promise<Finding> {
  const finding = settings.kind === 'litellm' ? await checkLiteLlm(settings) : await checkUpstream(settings)
  if (finding.state !== 'ok' || !settings.gatewayUrl || !isPlainRemote(new URL(settings.gatewayUrl)))
    return finding
  return warn(
    `Agents reach it at ${settings.gatewayUrl}: their keys cross the network in the clear.`,
    'Put TLS in front and set AI_GATEWAY_URL to https://….'
  )
}

async function checkUpstream({ upstreamUrl, upstreamKey }: EmbeddedSettings): Promise<Finding> {
  if (!upstreamUrl) return ok('AI_UPSTREAM_URL is not set: agents on customers’ servers get no answers.')
  const { host } = new URL(upstreamUrl)
  try {
    await fetchJson(`${upstreamUrl}/models`, z.looseObject({}), {
      bearer: upstreamKey ?? '',
      timeoutMs: DEADLINE_MS,
      maxBytes: MAX_LIST_BYTES
    })
    return ok(`The AI provider ${host} takes our key.`)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return fail(`The AI provider ${host} can’t be used (${error.message}).`, remedyOf(error))
  }
}

function remedyOf({ status }: UpstreamError): string {
  if (status === 401 || status === 403) return 'Set AI_UPSTREAM_KEY to a key that it takes.'
  if (status === 404)
    return 'Check AI_UPSTREAM_URL: it ends where /models and /chat/completions begin, often in /v1.'
  return 'Check AI_UPSTREAM_URL, and that this machine reaches it.'
}

/** Closing a key that nobody has asks for the master key and the proxy's database, and changes nothing. */
async function checkLiteLlm(settings: LiteLlmSettings): Promise<Finding> {
  const { host } = new URL(settings.url)
  try {
    await liteLlmKeys(settings).revoke('mindgate-doctor')
    return ok(`The LiteLLM proxy ${host} takes our master key.`)
  } catch (error) {
    if (!(error instanceof AiGatewayError)) throw error
    return fail(error.message, 'Check LITELLM_URL and LITELLM_MASTER_KEY, and the proxy’s own log.')
  }
}
