// What subscriptions cost, told again: each period whole at its start, and what is left of it back at its end.
import { type Period, periodAfter } from '../../src/billing/calendar.ts'

export interface PricedPlan {
  planId: string
  priceMicros: number
  period: Period
}

interface Running extends PricedPlan {
  anchor: string
  number: number
  startsAt: string
  endsAt: string
}

/** `owe` is told what each customer owes more, or less. */
export function createSubscriptionModel(owe: (customerId: string, micros: number) => void) {
  const running = new Map<string, Running>()

  function begin(customerId: string, plan: Omit<Running, 'endsAt'>, zone: string): void {
    const { endsAt } = periodAfter(plan.anchor, zone, plan.period, plan.number)
    running.set(customerId, { ...plan, endsAt })
    owe(customerId, plan.priceMicros)
  }

  function advance(customerId: string, zone: string, at: string): void {
    for (let plan = running.get(customerId); plan && plan.endsAt <= at; plan = running.get(customerId))
      begin(customerId, { ...plan, number: plan.number + 1, startsAt: plan.endsAt }, zone)
  }

  return {
    advance,
    change(customerId: string, plan: PricedPlan | undefined, zone: string, at: string): void {
      if (running.get(customerId)?.planId === plan?.planId) return
      advance(customerId, zone, at)
      const before = running.get(customerId)
      running.delete(customerId)
      if (before) {
        const whole = BigInt(Date.parse(before.endsAt) - Date.parse(before.startsAt))
        const left = BigInt(Date.parse(before.endsAt) - Date.parse(at))
        const product = BigInt(before.priceMicros) * left
        owe(customerId, -Number(product / whole + ((product % whole) * 2n >= whole ? 1n : 0n)))
      }
      if (plan) begin(customerId, { ...plan, anchor: at, number: 0, startsAt: at }, zone)
    }
  }
}
