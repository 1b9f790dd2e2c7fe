import type { Log } from '../log.ts'
import { createEmbedder } from './embedder.ts'
import { gatewayBreaker, openGateway } from './gateway.ts'
import { createLanguageModel } from './language-model.ts'
import type { Embedder, LanguageModel } from './model.ts'
import type { ModelSettings } from './variables.ts'

export interface Models {
  model: LanguageModel | undefined
  embedder: Embedder | undefined
}

/** Opens no connection yet. Who shares what is opened learns of an outage from each other. */
export function openModels(settings: ModelSettings, log?: Log): Models {
  const { gateway, model, embeddingModel, embeddingDimensions, maxInputTokens, prices } = settings
  if (!gateway) return { model: undefined, embedder: undefined }
  const client = openGateway(gateway)
  const { timeoutMs } = settings
  const named = (name: string) => ({ client, breaker: gatewayBreaker(log), name, timeoutMs })
  return {
    model: model ? createLanguageModel(named(model), maxInputTokens, prices) : undefined,
    embedder: embeddingModel
      ? createEmbedder(named(embeddingModel), embeddingDimensions, prices.embedding)
      : undefined
  }
}
