// One question to a model, in as many calls as its level takes: what they have taken, and the time that they have left.
import type { z } from 'zod'
import type { Searcher } from '../embeddings/searcher.ts'
import type { LanguageModel, ModelUsage, Question, ReadHandle } from '../port.ts'
import { addUsage, ModelError, noUsage } from '../port.ts'
import type { Item } from './items.ts'

export interface Answering {
  model: LanguageModel
  deadlineMs: number
}

export interface Asked {
  db: ReadHandle
  mindKey: number
  question: Question
  searcher: Searcher
  signal: AbortSignal
}

interface Prompt {
  system: string
  user: string
  maxOutputTokens?: number
}

const ANSWER_TOKENS = 2_000

/** The rest is for the passages that are given if the model fails. */
const MODEL_SHARE = 0.75
const LEAST_SHARE = 0.05

export class Asking {
  readonly asked: Asked
  /** What the model reads of a memory, by its `seq`: worked out once for all steps. */
  readonly read = new Map<number, Item>()
  readonly #answering: Answering
  readonly #endsAt: number
  #usage: ModelUsage = noUsage('ask')

  constructor(answering: Answering, asked: Asked) {
    this.asked = asked
    this.#answering = answering
    this.#endsAt = performance.now() + MODEL_SHARE * answering.deadlineMs
  }

  get maxInputTokens(): number {
    return this.#answering.model.maxInputTokens
  }

  get usage(): readonly ModelUsage[] {
    return [...(this.#usage.calls === 0 ? [] : [this.#usage]), ...this.asked.searcher.usage()]
  }

  /** @throws ModelError also where the time is over */
  async ask<T>(
    name: string,
    schema: z.ZodType<T>,
    { system, user, maxOutputTokens = ANSWER_TOKENS }: Prompt
  ): Promise<T> {
    const { model, deadlineMs } = this.#answering
    const timeoutMs = this.#endsAt - performance.now()
    // What can't be answered in so little time would only count against the gateway.
    if (timeoutMs <= LEAST_SHARE * deadlineMs) throw new ModelError('timeout', noUsage('ask'))
    const { signal } = this.asked
    try {
      const { value, usage } = await model.answer({
        purpose: 'ask',
        system,
        user,
        answer: { name, schema },
        maxOutputTokens,
        timeoutMs,
        signal
      })
      this.#usage = addUsage(this.#usage, usage)
      return value
    } catch (error) {
      if (error instanceof ModelError) this.#usage = addUsage(this.#usage, error.usage)
      throw error
    }
  }
}
