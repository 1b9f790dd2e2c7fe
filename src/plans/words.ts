import type { Plan } from '../../schemas/plan.ts'
import { formatMoney } from '../money.ts'

type Priced = Pick<Plan, 'price' | 'currency'> & Partial<Pick<Plan, 'kind' | 'period' | 'credits'>>

/** “$49.00 a month, 500 credits”: what a plan costs, and what it holds or starts with. */
export function priceInWords({ kind, price, period, credits = null, currency }: Priced): string {
  const each = period === undefined || kind === 'credit' ? '' : ` a ${period}`
  const amount = price === null ? 'No price' : `${formatMoney(price, currency)}${each}`
  return credits === null ? amount : `${amount}, ${credits.toLocaleString('en')} credits`
}
