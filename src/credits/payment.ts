// What a priced call takes, and from whom.
import { type Debtor, postLines } from '../billing/ledger.ts'
import { chargeOf } from '../billing/price.ts'
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import { nameOf } from '../customers/name.ts'
import type { CustomerTable } from '../customers/table.ts'
import { compiledOnce, type Slot } from '../database/compiled.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { afterCommit } from '../database/guard.ts'
import { ServiceError } from '../errors.ts'
import { fromMicros, MICROS } from '../money.ts'
import type { OperationContext } from '../operation.ts'
import { listPartnerEmails } from '../partners/users.ts'
import { recipientOf } from '../portal-access/access-mails.ts'
import { tally } from '../tally.ts'
import { tell } from '../webhooks/events.ts'
import { insertEntries, type Moved, markNoticed, type Reason, takeFrom } from './store.ts'

/** What paying asks of a customer: its terms, and whom to tell that little is left. */
export const PAYING_COLUMNS = [
  ...(['id', 'partnerId', 'code', 'email', 'firstName', 'lastName', 'companyName'] as const),
  ...(['aiCreditsEnabled', 'billingType', 'aiCreditPricePerMinuteMicros'] as const),
  ...(['lowCreditNotificationsEnabled', 'lowCreditThresholdMicros'] as const),
  ...(['credentialStatus', 'customerPortalEnabled'] as const)
] as const
type PayingCustomer = Pick<CustomerTable, (typeof PAYING_COLUMNS)[number]>

/** Who pays: a partner and its customer. Spread a caller into it: `customerId` is set when the customer's token calls. */
export interface Payer extends Pick<Caller, 'partnerId'> {
  customerId?: string | undefined
  customer: PayingCustomer
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
) {
  const [balances] = await balancesOf(db, caller.partnerId, customerId)
  if ((balances?.partnerMicros ?? 0) < priceMicros) throw insufficient(caller, 'partner', priceMicros)
  if (balances?.aiCreditsEnabled !== 1 || isBilled(balances)) return
  if ((balances.customerMicros ?? 0) < priceMicros) throw insufficient(caller, 'customer', priceMicros)
}

const balancesOf = compiledOnce((db, partnerId: Slot<string>, customerId: Slot<string>) =>
  db
    .selectFrom('customer')
    .leftJoin('creditAccount as own', 'own.id', 'customer.id')
    .leftJoin('creditAccount as partners', 'partners.id', 'customer.partnerId')
    .where('customer.partnerId', '=', partnerId)
    .where('customer.id', '=', customerId)
    .select(['own.balanceMicros as customerMicros', 'partners.balanceMicros as partnerMicros'])
    .select(['aiCreditsEnabled', 'billingType', 'aiCreditPricePerMinuteMicros'])
)

type Terms = Pick<CustomerTable, 'aiCreditsEnabled' | 'billingType' | 'aiCreditPricePerMinuteMicros'>

/** Whether use is billed, and so goes on where no credits are left. What is prepaid was billed when it was bought. */
const isBilled = (terms: Terms): boolean =>
  terms.aiCreditsEnabled === 1 &&
  terms.billingType === 'postpaid' &&
  (terms.aiCreditPricePerMinuteMicros ?? 0) > 0

/**
 * Takes the price from both accounts, the partner's always first: two that pay at once never wait for each other in a
 * circle. The customer's is asked only where it has AI credits of its own. The transaction must end with the refusal, or
 * the partner would have paid alone.
 *
 * @throws ServiceError `insufficient_credits`
 */
export async function takeFromBoth(
  ctx: PaymentContext,
  tx: WriteHandle,
  payer: Payer,
  priceMicros: number,
  reason: Reason
) {
  if (priceMicros === 0) return { partnerMicros: 0, customerMicros: 0, coveredMicros: 0, usageMicros: 0 }
  const { partnerId, customer } = payer
  const partner = await takeFrom(tx, { partnerId, customerId: null }, priceMicros)
  if (!partner) throw insufficient(payer, 'partner', priceMicros)
  const owner = { partnerId, customerId: customer.id }
  const own = customer.aiCreditsEnabled ? await takeFrom(tx, owner, priceMicros) : undefined
  if (customer.aiCreditsEnabled && !own && !isBilled(customer))
    throw insufficient(payer, 'customer', priceMicros)
  await insertEntries(tx, own ? [partner, own] : [partner], reason)
  afterCommit(() => {
    for (const account of own ? ['partner', 'customer'] : ['partner'])
      tally('mindgate_credits_taken_total', [account], fromMicros(priceMicros))
  })
  if (own) await noticeLowCredit(ctx, tx, customer, own)
  const coveredMicros = own?.coveredMicros ?? 0
  return {
    partnerMicros: priceMicros,
    /** 0 where the customer has no AI credits of its own, or too few and is billed for all of it. */
    customerMicros: own ? priceMicros : 0,
    /** Of that, what it had paid for before. */
    coveredMicros,
    usageMicros: isBilled(customer) ? priceOf(customer, priceMicros - coveredMicros) : 0
  }
}

/** One credit stands for a minute. Beyond what the tables keep it is the most that they do. */
function priceOf({ aiCreditPricePerMinuteMicros }: Terms, creditMicros: number): number {
  const minuteMicros = aiCreditPricePerMinuteMicros ?? 0
  const isTooMuch = (creditMicros / MICROS) * minuteMicros > Number.MAX_SAFE_INTEGER
  return isTooMuch ? Number.MAX_SAFE_INTEGER : chargeOf(creditMicros, minuteMicros)
}

interface Priced {
  operation: string
  priceMicros: number
  /** What is paid for, such as the memory's id; paying twice for one is refused by the table. */
  reference: string
}

/**
 * Charges the partner, and the customer if it has AI credits, in the transaction that does the work. Call it late in
 * that transaction: until the commit, everybody else of this partner who pays waits.
 *
 * @throws ServiceError `insufficient_credits`; the transaction must end with it
 */
export async function chargeFor(
  ctx: PaymentContext,
  tx: WriteHandle,
  payer: Payer,
  { operation, priceMicros, reference }: Priced
) {
  const reason = { kind: 'charge', operation, reference } as const
  const { usageMicros } = await takeFromBoth(ctx, tx, payer, priceMicros, reason)
  await billCredits(tx, { partnerId: payer.partnerId, customerId: payer.customer.id }, usageMicros, reference)
  return { credits: fromMicros(priceMicros) }
}

/** Puts what the customer owes for AI credits on its statement. */
export async function billCredits(tx: WriteHandle, debtor: Debtor, amountMicros: number, reference: string) {
  if (amountMicros === 0) return
  const line = { kind: 'ai_credits', amountMicros, description: 'AI credits' } as const
  await postLines(tx, debtor, [{ ...line, reference, occurredAt: now() }])
}

/** The partner learns whose account it is; its customer must not learn from the words how the partner stands. */
function insufficient(
  payer: Pick<Payer, 'customerId'>,
  account: 'partner' | 'customer',
  microsNeeded: number
) {
  const [who, next] = INSUFFICIENT[payer.customerId === undefined ? account : 'caller']
  return new ServiceError('insufficient_credits', `${who}: this costs ${fromMicros(microsNeeded)}. ${next}.`)
}

const INSUFFICIENT = {
  caller: ['There are not enough credits', 'Ask your provider for more'],
  partner: ['Your partner account has not enough credits', 'Ask the operator of this service for more'],
  customer: ['The customer has not enough AI credits', 'Grant it some, or switch its aiCreditsEnabled off']
} as const

/**
 * Mails the customer and the partner's users when this payment took the customer's balance below its threshold. Told
 * once until a grant lifts the balance again: refunds near the threshold don't make each ask a crossing.
 */
async function noticeLowCredit(
  ctx: PaymentContext,
  tx: WriteHandle,
  customer: PayingCustomer,
  account: Moved
) {
  const thresholdMicros = customer.lowCreditThresholdMicros
  if (!customer.lowCreditNotificationsEnabled || thresholdMicros === null) return
  const beforeMicros = account.balanceMicros - account.amountMicros
  const isCrossing = beforeMicros >= thresholdMicros && account.balanceMicros < thresholdMicros
  if (!isCrossing || account.noticedThresholdMicros === thresholdMicros) return

  await markNoticed(tx, account, thresholdMicros)
  const { id: customerId, partnerId } = customer
  const amounts = {
    balance: String(fromMicros(account.balanceMicros)),
    threshold: String(fromMicros(thresholdMicros))
  }
  await tell(tx, partnerId, 'credits.low', { customerId, balance: amounts.balance })
  await ctx.mail(tx, {
    partnerId,
    customerId,
    template: 'low_credit',
    recipient: customer.email,
    params: { ...recipientOf(customer), ...amounts, hasPortal: mayEnterPortal(customer) }
  })
  for (const email of await listPartnerEmails(tx, partnerId, 'credits:write')) {
    const params = { ...amounts, customerName: nameOf(customer), customerCode: customer.code }
    await ctx.mail(tx, { partnerId, customerId, template: 'low_credit_partner', recipient: email, params })
  }
}

const mayEnterPortal = ({ credentialStatus, customerPortalEnabled }: PayingCustomer): boolean =>
  credentialStatus === 'active' && customerPortalEnabled === 1
