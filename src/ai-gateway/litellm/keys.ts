// Keys that a LiteLLM proxy lets in, minted with its master key: https://docs.litellm.ai/docs/proxy/virtual_keys
import { z } from 'zod'
import { fetchJson, UpstreamError } from '../../net/fetch-json.ts'
import { AiGatewayError, type AiGatewayFault, type AiKeys, requireModels } from '../keys.ts'
import type { LiteLlmSettings } from '../variables.ts'

/** The proxy asks its database; what takes longer is broken. */
const ANSWER_WITHIN_MS = 15_000
const MAX_ANSWER_BYTES = 1_048_576

const Minted = z.object({ key: z.string().startsWith('sk-') })

export function liteLlmKeys(settings: LiteLlmSettings): AiKeys {
  const ask = <T>(path: string, body: object, schema: z.ZodType<T>): Promise<T> =>
    fetchJson(settings.url + path, schema, {
      method: 'POST',
      bearer: settings.masterKey,
      body,
      readsRefusals: true,
      timeoutMs: ANSWER_WITHIN_MS,
      maxBytes: MAX_ANSWER_BYTES
    })
  return {
    baseUrl: () => `${settings.gatewayUrl}/v1`,
    async mint({ partnerId, instanceId, alias, models }) {
      requireModels(models)
      const key = { models, key_alias: alias, metadata: { partnerId, instanceId }, ...settings.keyBudget }
      const minted = await ask('/key/generate', key, Minted).catch(refuse)
      return minted.key
    },
    async revoke(alias) {
      await ask('/key/delete', { key_aliases: [alias] }, z.unknown()).catch((error: unknown) => {
        // 404: it has no such key, so there is nothing left to close. What it says of one that it closed is its own.
        const isDone = error instanceof UpstreamError && (error.status === 404 || error.fault === 'malformed')
        if (!isDone) refuse(error)
      })
    },
    // It takes `auto` for the name of a model that it doesn't have.
    defaultModel: requireModels
  }
}

const Refusal = z.object({
  error: z.object({ type: z.string().nullish(), param: z.string().nullish() })
})

function refuse(error: unknown): never {
  throw error instanceof UpstreamError ? asGatewayError(error) : error
}

/** The type says more than the status: a wrong key is 400, 401 or 403 from one version to the next. */
function asGatewayError(cause: UpstreamError): AiGatewayError {
  const { type, param } = Refusal.safeParse(cause.said).data?.error ?? {}
  const failure = (fault: AiGatewayFault, text: string) => new AiGatewayError(fault, text, { cause })
  switch (cause.fault === 'status' ? (type ?? '') : cause.fault) {
    case 'timeout':
    case 'unreachable':
      return failure('unreachable', 'The LiteLLM proxy can’t be reached. Try again later.')
    case 'too_large':
      return failure('failed', 'The LiteLLM proxy gave an answer that can’t be used.')
    case 'malformed':
      // Without the cause, which can quote a key.
      return new AiGatewayError('failed', 'The LiteLLM proxy gave an answer without a key.')
    case 'no_db_connection':
      return failure('failed', 'The LiteLLM proxy has no database, and so no keys. Give it a DATABASE_URL.')
    case 'auth_error':
    case 'token_not_found_in_db':
    case 'expired_key':
      return failure(
        'refused',
        'The LiteLLM proxy doesn’t take our master key. The operator must set LITELLM_MASTER_KEY.'
      )
    case 'bad_request_error':
      // An alias is unique among all of the proxy's keys, and this is all that it says of one that is not.
      if (param === 'key_alias')
        return failure('alias_taken', 'The LiteLLM proxy already has a key of this name.')
  }
  return failure('failed', `The LiteLLM proxy answered with status ${cause.status}.`)
}
