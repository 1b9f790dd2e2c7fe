// What a priced call takes, and from whom.
import type { Caller } from '../caller.ts'
import { nameOf } from '../customers/name.ts'
import type { CustomerTable } from '../customers/table.ts'
import { compiledOnce, type Slot } from '../database/compiled.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { fromMicros, MICROS } from '../money.ts'
import type { OperationContext } from '../operation.ts'
import { listPartnerEmails } from '../partners/store.ts'
import { recipientOf } from '../portal-access/access-mails.ts'
import { type AccountOwner, insertEntries, type Moved, markNoticed, type Reason, takeFrom } from './store.ts'

/** Who pays: a partner and its customer. Spread a caller into it: `customerId` is set when the customer's token calls. */
export interface Payer extends Pick<Caller, 'partnerId'> {
  customerId?: string | undefined
  customer: CustomerTable
}

/** What paying needs of the operation's context: the outbox, for the notice about a low balance. */
export type PaymentContext = Pick<OperationContext, 'mail'>

/**
 * Looks whether both accounts could pay by now, before work begins that would be for nothing. What counts is the payment.
 *
 * @throws ServiceError `insufficient_credits`
 */
export async function requireCredits(
  db: ReadHandle,
  caller: Pick<Caller, 'partnerId' | 'customerId'>,
  customerId: string,
  priceMicros: number
): Promise<void> {
  const [balances] = await balancesOf(db, caller.partnerId, customerId)
  if ((balances?.partnerMicros ?? 0) < priceMicros) throw insufficient(caller, 'partner', priceMicros)
  if (balances?.aiCreditsEnabled !== 1) return
  if ((balances.customerMicros ?? 0) < priceMicros) throw insufficient(caller, 'customer', priceMicros)
}

const balancesOf = compiledOnce((db, partnerId: Slot<string>, customerId: Slot<string>) =>
  db
    .selectFrom('customer')
    .leftJoin('creditAccount as own', 'own.id', 'customer.id')
    .leftJoin('creditAccount as partners', 'partners.id', 'customer.partnerId')
    .where('customer.partnerId', '=', partnerId)
    .where('customer.id', '=', customerId)
    .select([
      'aiCreditsEnabled',
      'own.balanceMicros as customerMicros',
      'partners.balanceMicros as partnerMicros'
    ])
)

/** What each account is asked for. */
export interface Cost {
  partnerMicros: number
  /** 0 where the customer has no AI credits of its own. */
  customerMicros: number
  /** What the customer is billed: one credit stands for a minute where a price per minute is asked for. */
  usageMicros: number
}

export function costOf({ customer }: Payer, priceMicros: number): Cost {
  const customerMicros = customer.aiCreditsEnabled ? priceMicros : 0
  return {
    partnerMicros: priceMicros,
    customerMicros,
    usageMicros: product(customerMicros, customer.aiCreditPricePerMinuteMicros ?? 0)
  }
}

/** Of two numbers in millionths, in millionths, rounded; beyond what the tables keep, the most that they do. */
const product = (a: number, b: number): number =>
  Math.min(Math.round((a / MICROS) * b), Number.MAX_SAFE_INTEGER)

/**
 * Takes the cost from both accounts, the partner's always first: two that pay at once never wait for each other in a
 * circle. The transaction must end with the refusal, or the partner would have paid alone.
 *
 * @throws ServiceError `insufficient_credits`
 */
export async function takeFromBoth(
  ctx: PaymentContext,
  tx: WriteHandle,
  payer: Payer,
  { partnerMicros, customerMicros }: Cost,
  reason: Reason
): Promise<void> {
  if (partnerMicros === 0) return
  const partner = await takeFrom(tx, partnerAccount(payer), partnerMicros)
  if (!partner) throw insufficient(payer, 'partner', partnerMicros)
  if (customerMicros === 0) return insertEntries(tx, [partner], reason)

  const customer = await takeFrom(tx, customerAccount(payer), customerMicros)
  if (!customer) throw insufficient(payer, 'customer', customerMicros)
  await insertEntries(tx, [partner, customer], reason)
  await noticeLowCredit(ctx, tx, payer.customer, customer)
}

const partnerAccount = ({ partnerId }: Payer): AccountOwner => ({ partnerId, customerId: null })
const customerAccount = ({ partnerId, customer }: Payer): AccountOwner => ({
  partnerId,
  customerId: customer.id
})

/** The partner learns whose account it is; its customer must not learn from the words how the partner stands. */
function insufficient(
  payer: Pick<Payer, 'customerId'>,
  account: 'partner' | 'customer',
  microsNeeded: number
): ServiceError {
  const cost = `this costs ${fromMicros(microsNeeded)}`
  if (payer.customerId !== undefined) {
    return new ServiceError(
      'insufficient_credits',
      `There are not enough credits: ${cost}. Ask your provider for more.`
    )
  }
  return new ServiceError(
    'insufficient_credits',
    account === 'partner'
      ? `Your partner account has not enough credits: ${cost}. Ask the operator of this service for more.`
      : `The customer has not enough AI credits: ${cost}. Grant it some, or switch its aiCreditsEnabled off.`
  )
}

// The mail about a customer's AI credits running low: once for each fall below the threshold.

/**
 * Mails the customer and the partner's users when this payment took the customer's balance below its threshold. Told
 * once until a grant lifts the balance again: refunds near the threshold don't make each ask a crossing.
 */
async function noticeLowCredit(
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
