// The mail about a customer's AI credits running low: once for each fall below the threshold.
import { nameOf } from '../customers/name.ts'
import type { WriteHandle } from '../database/database.ts'
import type { CustomerTable } from '../database/tables.ts'
import { fromMicros } from '../money.ts'
import type { OperationContext } from '../operation.ts'
import { listPartnerEmails } from '../partners/store.ts'
import { recipientOf } from '../portal-access/grant.ts'
import { type Moved, markNoticed } from './store.ts'

/**
 * Mails the customer and the partner's users when this payment took the customer's balance below its threshold. Told
 * once until a grant lifts the balance again: refunds near the threshold don't make each ask a crossing.
 */
export async function noticeLowCredit(
  ctx: Pick<OperationContext, 'mail'>,
  tx: WriteHandle,
  customer: CustomerTable,
  account: Moved
): Promise<void> {
  const thresholdMicros = customer.lowCreditThresholdMicros
  if (!customer.lowCreditNotificationsEnabled || thresholdMicros === null) return
  const beforeMicros = account.balanceMicros - account.amountMicros
  const isCrossing = beforeMicros >= thresholdMicros && account.balanceMicros < thresholdMicros
  if (!isCrossing || account.noticedThresholdMicros === thresholdMicros) return

  await markNoticed(tx, account, thresholdMicros)
  const { id: customerId, partnerId } = customer
  const amounts = { balance: spoken(account.balanceMicros), threshold: spoken(thresholdMicros) }
  await ctx.mail(tx, {
    partnerId,
    customerId,
    template: 'low_credit',
    recipient: customer.email,
    params: { ...recipientOf(customer), ...amounts, hasPortal: mayEnterPortal(customer) }
  })
  for (const email of await listPartnerEmails(tx, partnerId)) {
    const params = { ...amounts, customerName: nameOf(customer), customerCode: customer.code }
    await ctx.mail(tx, { partnerId, customerId, template: 'low_credit_partner', recipient: email, params })
  }
}

/** `1,234.5`: as people write it, with the decimals that there are. */
const spoken = (micros: number): string => numberFormat.format(fromMicros(micros))
const numberFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 })

const mayEnterPortal = ({ credentialStatus, customerPortalEnabled }: CustomerTable): boolean =>
  credentialStatus === 'active' && customerPortalEnabled === 1
