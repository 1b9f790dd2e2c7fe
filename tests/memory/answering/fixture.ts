// A service whose questions a stand-in's model answers, and what the model was shown.

import { LLM_KEY, type LlmStandIn, startLlm } from '../../support/ai/llm.ts'
import type { LlmRequest } from '../../support/ai/llm-faults.ts'
import type { DatabaseKind } from '../../support/databases.ts'
import { openTestService, type TestService } from '../../support/service.ts'

export interface AnsweringFixture extends TestService {
  llm: LlmStandIn
}

export async function openAnswering(
  kind: DatabaseKind,
  overrides: Record<string, string> = {}
): Promise<AnsweringFixture> {
  const llm = await startLlm()
  const test = await openTestService(kind, {
    ...{ LLM_URL: llm.url, LLM_KEY, LLM_MODEL: 'wise-1', LLM_INPUT_PRICE: '2', LLM_OUTPUT_PRICE: '10' },
    ...overrides
  })
  return {
    ...test,
    llm,
    async close() {
      await test.close()
      await llm.close()
    }
  }
}

/** The label under which the model is shown the first item with these words. */
export function labelOf({ user }: LlmRequest, words: string): string {
  const line = user.split('\n').find((candidate) => candidate.startsWith('[m') && candidate.includes(words))
  return /^\[(m\d+)\]/.exec(line ?? '')?.[1] ?? 'none'
}

/** An answer that cites what has these words. */
export const answerCiting = (answer: string, words: string) => (request: LlmRequest) => {
  const label = labelOf(request, words)
  return { searches: [], isAnswered: true, answer: `${answer} [${label}]`, citations: [label] }
}

export const NO_ANSWER = { searches: [], isAnswered: false, answer: '', citations: [] }
