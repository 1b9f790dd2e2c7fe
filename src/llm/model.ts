// The port behind which a language model answers, and one that turns texts into vectors.
import type { z } from 'zod'

export type ModelPurpose = 'consolidate' | 'ask' | 'embed'

export interface ModelUsage {
  purpose: ModelPurpose
  calls: number
  inputTokens: number
  outputTokens: number
  /** By the configured prices, in millionths of their currency. */
  costMicros: number
}

export type ModelFault =
  | 'timeout'
  | 'unreachable'
  | 'limited'
  | 'unauthorized'
  /** Any other 4xx: this request. Also a model that won't speak of its content. */
  | 'refused'
  /** 5xx, a redirect, a page, or 402, 404 and 408: nothing that another request would change. */
  | 'failed'
  /** The stream ended before the answer did, or the answer was cut at its limit. */
  | 'incomplete'
  | 'too_large'
  /** Not what was asked for, after one repair. */
  | 'malformed'
  /** Nothing was sent: earlier calls failed, and it is not yet time to try again. */
  | 'circuit_open'

/** Never has the key, nor anything that the gateway or the model wrote. */
export class ModelError extends Error {
  readonly fault: ModelFault
  readonly usage: ModelUsage
  readonly retryAfterSeconds: number | undefined

  constructor(fault: ModelFault, usage: ModelUsage, retryAfterSeconds?: number) {
    super(`The language model could not be used: ${fault}`)
    this.name = 'ModelError'
    this.fault = fault
    this.usage = usage
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export interface ModelRequest<T> {
  purpose: ModelPurpose
  /** Instructions: ours alone, never stored text. */
  system: string
  /** Stored text in it stands within a fence. */
  user: string
  /** What the JSON has to fit. `name` is for the gateway, `[a-z_]+`; `shape` shows the model what its schema says at length. */
  answer: { name: string; schema: z.ZodType<T>; shape?: string }
  maxOutputTokens: number
  timeoutMs: number
  signal?: AbortSignal
}

export interface LanguageModel {
  readonly name: string
  /** Of `system` and `user` together; see tokensAtMost in src/memory/token-budget.ts. */
  readonly maxInputTokens: number
  /** A reply that doesn't fit is sent back once, with its faults. @throws ModelError; what `signal` aborted with */
  answer<T>(request: ModelRequest<T>): Promise<{ value: T; usage: ModelUsage }>
}

export interface Reranker {
  readonly name: string
  readonly maxTexts: number
  /**
   * How well each text answers the query, from 0 to 1; longer texts are cut before they are sent.
   * @throws ModelError; what `signal` aborted with
   */
  rerank(
    query: string,
    texts: readonly string[],
    options: { purpose: ModelPurpose; timeoutMs: number; signal?: AbortSignal }
  ): Promise<{ scores: number[]; usage: ModelUsage }>
}

export interface Embedder {
  readonly name: string
  readonly maxTexts: number
  /**
   * A vector of length 1 for each text, all of one dimension; longer texts are cut before they are sent.
   * @throws ModelError; what `signal` aborted with
   */
  embed(
    texts: readonly string[],
    options: { purpose: ModelPurpose; timeoutMs: number; signal?: AbortSignal }
  ): Promise<{ vectors: Float32Array[]; usage: ModelUsage }>
}
