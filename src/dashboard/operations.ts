import { Dashboard } from '../../schemas/dashboard.ts'
import { pageOfActs } from '../audit/history.ts'
import { namedTargets } from '../audit/names.ts'
import { spentByDay } from '../credits/daily.ts'
import { readAccount } from '../credits/store.ts'
import type { ReadHandle } from '../database/database.ts'
import { countGivenUp } from '../mail/store.ts'
import { fromMicros } from '../money.ts'
import { defineOperation } from '../operation.ts'
import { countByState, findLowOnCredits } from './store.ts'

const CHART_DAYS = 30
const RECENT_ACTS = 8

/** Returns your customers by state, your credits over 30 days, what was done last and what needs you. */
export const getDashboard = defineOperation({
  name: 'dashboard_get',
  scope: 'customers:read',
  output: Dashboard,
  async handle({ db }, { partnerId }) {
    const account = { partnerId, customerId: null }
    const [customers, { balanceMicros }, daily, ...found] = await Promise.all([
      countByState(db, partnerId),
      readAccount(db, account),
      spentByDay(db, account, CHART_DAYS),
      findLowOnCredits(db, partnerId),
      countGivenUp(db, partnerId),
      newestActs(db, partnerId, RECENT_ACTS)
    ])
    const [lowOnCredits, failedMails, activity] = found
    const credits = { balance: fromMicros(balanceMicros), daily }
    return { data: { customers, credits, lowOnCredits, failedMails, activity } }
  }
})

async function newestActs(db: ReadHandle, partnerId: string, limit: number) {
  const { data: acts } = await pageOfActs(db, partnerId, { page: 1, limit })
  const targets = await namedTargets(db, partnerId, acts)
  return acts.map((act) => ({
    ...act,
    targetName: targets.get(act.targetId)?.name ?? null,
    targetCustomerId: targets.get(act.targetId)?.customerId ?? null
  }))
}
