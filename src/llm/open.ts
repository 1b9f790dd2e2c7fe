// The models of the configured gateway.
import type { Log } from '../log.ts'
import { createEmbedder } from './embedder.ts'
import { gatewayBreaker, openGateway } from './gateway.ts'
import { createLanguageModel } from './language-model.ts'
import type { Embedder, LanguageModel } from './model.ts'
import type { ModelSettings } from './variables.ts'

export interface Models {
  /** `undefined` where none is configured. */
  model: LanguageModel | undefined
  embedder: Embedder | undefined
}

/** Opens no connection yet. Who shares what is opened learns of an outage from each other. */
export function openModels(settings: ModelSettings, log?: Log): Models {
  const { gateway, timeoutMs, maxInputTokens, prices } = settings
  if (!gateway) return { model: undefined, embedder: undefined }
  const client = openGateway(gateway)
  const model =
    settings.model === undefined
      ? undefined
      : createLanguageModel({
          ...{ client, breaker: gatewayBreaker(log), name: settings.model },
          ...{ timeoutMs, maxInputTokens, prices }
        })
  const embedder =
    settings.embeddingModel === undefined
      ? undefined
      : createEmbedder({
          ...{ client, breaker: gatewayBreaker(log), name: settings.embeddingModel, timeoutMs },
          ...{ dimensions: settings.embeddingDimensions, price: prices.embedding }
        })
  return { model, embedder }
}
