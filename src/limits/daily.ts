// What people may cause in a day, counted in the transaction that does it.
import { DAY_MS } from '../clock.ts'
import type { Config } from '../config.ts'
import type { WriteHandle } from '../database/database.ts'
import { overdrawn } from './budget.ts'
import { countFailure, windowKey } from './sign-in-limits.ts'

export type DailyLimitConfig = Pick<Config, 'secretKey'>

/** Counts one more; the transaction must end with what this throws. @throws ServiceError `rate_limited`, unless `quota` is 0 */
export async function spendOfDay(
  tx: WriteHandle,
  { secretKey }: DailyLimitConfig,
  { quota, of, what }: { quota: number; of: readonly string[]; what: string }
): Promise<void> {
  if (quota === 0) return
  const { count, endsAt } = await countFailure(tx, windowKey(secretKey, ...of), DAY_MS)
  if (count <= quota) return
  const secondsLeft = Math.max(1, Math.ceil((Date.parse(endsAt) - Date.now()) / 1000))
  throw overdrawn({ secondsLeft }, what)
}
