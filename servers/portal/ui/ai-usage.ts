import type { z } from 'zod'
import type { AiUsageResult } from '../../../schemas/ai-gateway.ts'

export type AiUsage = z.output<typeof AiUsageResult>['data']

/** Tokens that agents used today and this month, as terms with their values. */
export const aiUsageItems = ({ today, month }: AiUsage) => [
  { term: 'AI tokens today', value: usedTokens(today) },
  { term: 'AI tokens this month', value: usedTokens(month) }
]

/** `1,234 of 5,000,000`. */
export const usedTokens = ({ tokens, budget }: AiUsage['today']): string =>
  [tokens, ...(budget === null ? [] : [budget])].map((count) => count.toLocaleString('en')).join(' of ')
