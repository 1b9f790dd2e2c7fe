// The calls to the model, and what becomes of a batch when they fail.

import { type LanguageModel, ModelError, type ModelUsage } from '../../../llm/model.ts'
import { addUsage, noUsage } from '../../../llm/usage.ts'
import { BatchRefused, WorkPostponed } from '../../jobs/work.ts'
import type { Operation } from './answer.ts'
import { Consolidation, MAX_OUTPUT_TOKENS } from './answer.ts'
import { INSTRUCTIONS, type LabelledFact, type LabelledMemory, promptOf } from './prompt.ts'

export interface Asking {
  model: LanguageModel
  timeoutMs: number
  /** Until a model has answered once, what it refuses says nothing of the memories: it may not even be there. */
  hasAnswered: boolean
}

/**
 * One call after the other.
 *
 * @throws BatchRefused, WorkPostponed; what `signal` aborted with, if it did
 */
export async function askAll(
  asking: Asking,
  facts: readonly LabelledFact[],
  calls: readonly (readonly LabelledMemory[])[],
  signal: AbortSignal
): Promise<{ operations: Operation[]; usage: ModelUsage }> {
  const operations: Operation[] = []
  let usage = noUsage('consolidate')
  for (const memories of calls) {
    try {
      const answered = await asking.model.answer({
        purpose: 'consolidate',
        system: INSTRUCTIONS,
        user: promptOf(facts, memories),
        answer: { name: 'consolidation', schema: Consolidation },
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        timeoutMs: asking.timeoutMs,
        signal
      })
      asking.hasAnswered = true
      operations.push(...answered.value.operations)
      usage = addUsage(usage, answered.usage)
    } catch (error) {
      throw failureOf(error, usage, asking.hasAnswered)
    }
  }
  return { operations, usage }
}

/** Whether it is the memories' fault, or that of the day. */
function failureOf(error: unknown, before: ModelUsage, hasAnswered: boolean): unknown {
  if (!(error instanceof ModelError)) return error
  const usage = [addUsage(before, error.usage)]
  const options = { usage, retryAfterSeconds: error.retryAfterSeconds, cause: error }
  switch (error.fault) {
    case 'malformed':
    case 'incomplete':
    case 'too_large':
      return new BatchRefused('The model’s answer could not be used.', options)
    case 'refused':
      return hasAnswered
        ? new BatchRefused('The model’s gateway refused the request.', options)
        : new WorkPostponed('The model’s gateway refuses every request so far; check LLM_MODEL.', options)
    case 'unauthorized':
      return new WorkPostponed('The model’s gateway refuses our key; check LLM_KEY.', options)
    case 'limited':
      return new WorkPostponed('The model’s gateway limits us.', options)
    case 'timeout':
      return new WorkPostponed('The model took too long.', options)
    default:
      return new WorkPostponed('The model’s gateway can’t be reached.', options)
  }
}
