// How many mails people can cause in a day: to one address, whatever is in them, and by one customer's people in all.
// What the service tells by itself isn't counted.
import type { Config } from '../config.ts'
import { emailKey } from '../customers/email.ts'
import type { WriteHandle } from '../database/database.ts'
import { spendOfDay } from './daily.ts'

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
  await spendOfDay(tx, config, {
    quota: config.mailAddressLimit,
    of: ['mail to', partnerId, sender, emailKey(recipient)],
    what: 'This address was sent enough mails for today'
  })
  if (typeof by !== 'object') return
  await spendOfDay(tx, config, {
    quota: config.mailCustomerLimit,
    of: ['mail of', sender],
    what: 'You have sent enough mails for today'
  })
}
