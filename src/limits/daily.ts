// What people may cause within a time, counted in the transaction that does it.
import { DAY_MS } from '../clock.ts'
import type { Config } from '../config.ts'
import { emailKey } from '../customers/email.ts'
import type { WriteHandle } from '../database/database.ts'
import { overdrawn, secondsOf } from './budget.ts'
import { countInWindow, windowKey } from './sign-in-limits.ts'

export type DailyLimitConfig = Pick<Config, 'secretKey'>

/**
 * Counts one more, of the day unless told otherwise; the transaction must end with what this throws.
 *
 * @throws ServiceError `rate_limited`, unless `quota` is 0
 */
export async function spendQuota(
  tx: WriteHandle,
  { secretKey }: DailyLimitConfig,
  { quota, of, what }: { quota: number; of: readonly string[]; what: string },
  windowMs = DAY_MS
): Promise<void> {
  if (quota === 0) return
  const { count, endsAt } = await countInWindow(tx, windowKey(secretKey, ...of), windowMs)
  if (count <= quota) return
  throw overdrawn({ secondsLeft: secondsOf(Date.parse(endsAt) - Date.now()) }, what)
}

interface CausedMail {
  partnerId: string
  /** Each has a budget of its own: nobody can spend another one's. `forgot` is whoever asks for a reset without being signed in. */
  by: 'partner' | 'forgot' | { customerId: string }
  recipient: string
}

/**
 * Counts a mail, to one address whatever is in it, and of one customer's people in all. What the service tells by itself
 * isn't counted. The transaction must end with what this throws. @throws ServiceError `rate_limited`
 */
export async function spendMail(
  tx: WriteHandle,
  config: DailyLimitConfig & Pick<Config, 'mailAddressLimit' | 'mailCustomerLimit'>,
  { partnerId, by, recipient }: CausedMail
): Promise<void> {
  const sender = typeof by === 'object' ? by.customerId : by
  await spendQuota(tx, config, {
    quota: config.mailAddressLimit,
    of: ['mail to', partnerId, sender, emailKey(recipient)],
    what: 'This address was sent enough mails for today'
  })
  if (typeof by !== 'object') return
  await spendQuota(tx, config, {
    quota: config.mailCustomerLimit,
    of: ['mail of', sender],
    what: 'You have sent enough mails for today'
  })
}
