// Keys that a LiteLLM proxy lets in, minted with its master key: https://docs.litellm.ai/docs/proxy/virtual_keys
import { z } from 'zod'
import { AiGatewayError, type AiKeys, requireModels } from '../keys.ts'
import type { LiteLlmSettings } from '../variables.ts'
import { askLiteLlm, type LiteLlmAnswer } from './api.ts'

const Minted = z.object({ key: z.string().startsWith('sk-') })

export function liteLlmKeys(settings: LiteLlmSettings): AiKeys {
  return {
    baseUrl: () => `${settings.gatewayUrl}/v1`,
    async mint({ partnerId, instanceId, alias, models }) {
      requireModels(models)
      const answer = await askLiteLlm(settings, '/key/generate', {
        models,
        key_alias: alias,
        metadata: { partnerId, instanceId },
        ...settings.keyBudget
      })
      if (answer.isOk) {
        const minted = Minted.safeParse(answer.body)
        if (minted.success) return minted.data.key
        throw new AiGatewayError('failed', 'The LiteLLM proxy gave an answer without a key.')
      }
      // An alias is unique among all of the proxy's keys, and this is all that it says of one that is not.
      if (answer.type === 'bad_request_error' && answer.param === 'key_alias')
        throw new AiGatewayError('alias_taken', 'The LiteLLM proxy already has a key of this name.')
      throw refusal(answer)
    },
    async revoke(alias) {
      const answer = await askLiteLlm(settings, '/key/delete', { key_aliases: [alias] })
      // 404: it has no such key, so there is nothing left to close.
      if (!answer.isOk && answer.status !== 404) throw refusal(answer)
    },
    // It takes `auto` for the name of a model that it doesn't have.
    defaultModel: requireModels
  }
}

/** The type says more than the status: a wrong key is 400, 401 or 403 from one version to the next. */
function refusal({ status, type }: LiteLlmAnswer): AiGatewayError {
  switch (type) {
    case 'no_db_connection':
      return new AiGatewayError(
        'failed',
        'The LiteLLM proxy has no database, and so no keys. Give it a DATABASE_URL.'
      )
    case 'auth_error':
    case 'token_not_found_in_db':
    case 'expired_key':
      return new AiGatewayError(
        'refused',
        'The LiteLLM proxy doesn’t take our master key. The operator must set LITELLM_MASTER_KEY.'
      )
    default:
      return new AiGatewayError('failed', `The LiteLLM proxy answered with status ${status}.`)
  }
}
