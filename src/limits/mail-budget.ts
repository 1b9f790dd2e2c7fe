// How many mails people can cause in a day: to one address, whatever is in them, and by one customer's people in all.
// What the service tells by itself isn't counted.
import { DAY_MS } from '../clock.ts'
import type { Config } from '../config.ts'
import { emailKey } from '../customers/email.ts'
import type { WriteHandle } from '../database/database.ts'
import { overdrawn } from './budget.ts'
import { countFailure, windowKey } from './sign-in-limits.ts'

interface CausedMail {
  partnerId: string
  /** Each has a budget of its own: nobody can spend another one's. `forgot` is whoever asks for a reset without being signed in. */
  by: 'partner' | 'forgot' | { customerId: string }
  recipient: string
}

/** Counts a mail in the transaction that writes it, and must end with what this throws. @throws `rate_limited` */
export async function spendMail(
  tx: WriteHandle,
  config: Pick<Config, 'secretKey' | 'mailAddressLimit' | 'mailCustomerLimit'>,
  { partnerId, by, recipient }: CausedMail
): Promise<void> {
  const sender = typeof by === 'object' ? by.customerId : by
  const toAddress = windowKey(config.secretKey, 'mail to', partnerId, sender, emailKey(recipient))
  await spend(tx, config.mailAddressLimit, toAddress, 'This address was sent enough mails for today')
  if (typeof by !== 'object') return
  const ofCustomer = windowKey(config.secretKey, 'mail of', sender)
  await spend(tx, config.mailCustomerLimit, ofCustomer, 'You have sent enough mails for today')
}

async function spend(tx: WriteHandle, quota: number, key: string, what: string): Promise<void> {
  if (quota === 0) return
  const { count, endsAt } = await countFailure(tx, key, DAY_MS)
  if (count <= quota) return
  const secondsLeft = Math.max(1, Math.ceil((Date.parse(endsAt) - Date.now()) / 1000))
  throw overdrawn({ secondsLeft }, what)
}
