// The models of the configured gateway.
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
  const { gateway, timeoutMs, maxInputTokens, prices } = settings
  if (!gateway) return { model: undefined, embedder: undefined }
  const client = openGateway(gateway)
  const named = (name: string) => ({ client, breaker: gatewayBreaker(log), name, timeoutMs })
  const { model, embeddingModel, embeddingDimensions: dimensions } = settings
  return {
    model: model === undefined ? undefined : createLanguageModel({ ...named(model), maxInputTokens, prices }),
    embedder:
      embeddingModel === undefined
        ? undefined
        : createEmbedder({ ...named(embeddingModel), dimensions, price: prices.embedding })
  }
}
