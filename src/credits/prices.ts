// What memory costs: fixed by configuration, in millionths of a credit.
import type { ReasoningLevel } from '../../schemas/mind.ts'

export interface CreditPrices {
  remember: number
  ask: Readonly<Record<ReasoningLevel, number>>
}
