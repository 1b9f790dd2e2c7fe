import type { Context } from 'hono'
import { REASONING_LEVELS, type ReasoningLevel } from '../../../schemas/mind.ts'
import type { CreditPrices } from '../../../src/credits/prices.ts'
import { fromMicros } from '../../../src/money.ts'
import type { Service } from '../../../src/service.ts'
import type { PageEnv } from '../env.ts'
import { counted } from '../ui/values.tsx'

/** What memory costs this customer; nothing to show where it has no credits of its own. */
export const pricesFor = ({ config }: Service, c: Context<PageEnv>): CreditPrices | undefined =>
  c.get('visitor').features.hasCredits ? config.creditPrices : undefined

/** “1 credit”, “0.5 credits”, “free”. */
export const priceText = (micros: number): string =>
  micros === 0 ? 'free' : counted(fromMicros(micros), 'credit')

const LEVELS: Record<ReasoningLevel, string> = {
  standard: 'Standard: the best passages',
  enhanced: 'Enhanced: more passages',
  deep: 'Deep: also what the first passages name'
}

/** The levels to choose from, each with its price for those who pay it. */
export const levelOptions = (prices: CreditPrices | undefined): { value: ReasoningLevel; label: string }[] =>
  REASONING_LEVELS.map((value) => ({
    value,
    label: prices ? `${LEVELS[value]} (${priceText(prices.ask[value])})` : LEVELS[value]
  }))
