import type { z } from 'zod'
import {
  CreditBalanceResult,
  CreditEntryPage,
  CustomerCreditDaily,
  CustomerCreditDailyResult,
  GrantCredits,
  GrantCreditsResult,
  ListCreditEntries,
  ListCustomerCreditEntries
} from '../../schemas/credits.ts'
import { CustomerPath } from '../../schemas/customer.ts'
import { paginate } from '../../schemas/envelope.ts'
import type { Caller } from '../caller.ts'
import { getCustomer, lockCustomer } from '../customers/store.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { fromMicros, toMicros } from '../money.ts'
import { ADDS, defineOperation, type OperationContext } from '../operation.ts'
import { spentByDay } from './daily.ts'
import { type AccountOwner, accountId, entriesOf, grantCredits, readAccount } from './store.ts'

export const getCredits = defineOperation({
  name: 'credits_balance',
  title: 'Get your credit balance',
  summary: 'Returns how many credits your partner account has left.',
  scope: 'credits:read',
  channels: ['rest', 'mcp', 'console', 'operator'],
  http: { method: 'get', path: '/credits', group: 'Credits' },
  output: CreditBalanceResult,
  async handle({ db }, caller) {
    const { balanceMicros } = await readAccount(db, ownAccount(caller))
    return { data: { balance: fromMicros(balanceMicros) } }
  }
})

const listCreditEntries = defineOperation({
  name: 'credits_entries',
  title: 'List your credit entries',
  summary: 'Returns what moved the balance of your partner account, newest first, a page at a time.',
  scope: 'credits:read',
  channels: ['rest', 'console'],
  http: { method: 'get', path: '/credits/entries', group: 'Credits' },
  input: ListCreditEntries,
  output: CreditEntryPage,
  async handle({ db }, caller, page) {
    return pageOfEntries(db, ownAccount(caller), page)
  }
})

export const getCustomerCredits = defineOperation({
  name: 'customer_credits_balance',
  title: 'Get a customer’s credit balance',
  summary:
    'Returns how many AI credits the customer has left. They are taken beside yours while its aiCreditsEnabled is on.',
  scope: 'credits:read',
  channels: ['rest', 'mcp', 'console', 'portal', 'operator'],
  http: { method: 'get', path: '/customers/{customerId}/credits', group: 'Credits' },
  input: CustomerPath,
  output: CreditBalanceResult,
  async handle({ db }, caller, { customerId }) {
    const { balanceMicros } = await readAccount(db, await accountOf(db, caller, customerId))
    return { data: { balance: fromMicros(balanceMicros) } }
  }
})

export const grantCustomerCredits = defineOperation({
  name: 'credits_grant',
  title: 'Grant credits to a customer',
  summary: 'Adds AI credits to a customer’s account; your own balance stays as it is.',
  scope: 'credits:write',
  channels: ['rest', 'mcp', 'console', 'operator'],
  http: { method: 'post', path: '/customers/{customerId}/credits', group: 'Credits' },
  input: GrantCredits,
  output: GrantCreditsResult,
  annotations: ADDS,
  async write(tx, ctx, caller, { customerId, ...given }) {
    // Who sets its threshold meanwhile waits, or has done so.
    const { id } = await lockCustomer(tx, caller.partnerId, customerId)
    return grant(tx, ctx, { partnerId: caller.partnerId, customerId: id }, given)
  }
})

/** Adds credits to a partner’s own account. Returns its new balance. */
export const grantPartnerCredits = defineOperation({
  name: 'partner_credits_grant',
  title: 'Grant credits to a partner',
  scope: 'credits:write',
  channels: ['operator'],
  input: GrantCredits.omit({ customerId: true }),
  output: GrantCreditsResult,
  annotations: ADDS,
  write: (tx, ctx, caller, given) => grant(tx, ctx, ownAccount(caller), given)
})

async function grant(
  tx: WriteHandle,
  { audit }: OperationContext,
  owner: AccountOwner,
  { amount, note }: Omit<z.output<typeof GrantCredits>, 'customerId'>
) {
  const { balanceMicros } = await grantCredits(tx, owner, { amountMicros: toMicros(amount), note })
  const targetType = owner.customerId === null ? 'partner' : 'customer'
  await audit(tx, { targetType, targetId: accountId(owner), fields: ['credits'] })
  return { message: 'The credits were granted.', data: { balance: fromMicros(balanceMicros) } }
}

export const listCustomerCreditEntries = defineOperation({
  name: 'customer_credits_entries',
  title: 'List a customer’s credit entries',
  summary: 'Returns what moved the customer’s balance of AI credits, newest first, a page at a time.',
  scope: 'credits:read',
  channels: ['rest', 'console', 'portal'],
  http: { method: 'get', path: '/customers/{customerId}/credits/entries', group: 'Credits' },
  input: ListCustomerCreditEntries,
  output: CreditEntryPage,
  async handle({ db }, caller, { customerId, ...page }) {
    return pageOfEntries(db, await accountOf(db, caller, customerId), page)
  }
})

/** Returns how many AI credits the customer spent on each of the last days, today last; days are in UTC. */
export const customerCreditDaily = defineOperation({
  name: 'customer_credit_daily',
  scope: 'credits:read',
  channels: ['console', 'portal'],
  input: CustomerCreditDaily,
  output: CustomerCreditDailyResult,
  async handle({ db }, caller, { customerId, days }) {
    return { data: await spentByDay(db, await accountOf(db, caller, customerId), days) }
  }
})

/** One page of an account's entries, newest first. They are numbered, so a page is a range and no count is made. */
async function pageOfEntries(
  db: ReadHandle,
  owner: AccountOwner,
  { page, limit }: z.output<typeof ListCreditEntries>
) {
  const { entryCount } = await readAccount(db, owner)
  const upTo = entryCount - (page - 1) * limit
  const entries = entriesOf(db, owner)
    .where('seq', '>', upTo - limit)
    .where('seq', '<=', upTo)
  const rows = upTo > 0 ? await entries.selectAll().orderBy('seq', 'desc').execute() : []
  const data = rows.map((row) => ({
    ...row,
    number: row.seq,
    amount: fromMicros(row.amountMicros),
    balanceAfter: fromMicros(row.balanceAfterMicros)
  }))
  return { data, pagination: paginate(page, limit, entryCount) }
}

const ownAccount = ({ partnerId }: Caller): AccountOwner => ({ partnerId, customerId: null })

/** @throws ServiceError `customer_not_found` */
async function accountOf(db: ReadHandle, { partnerId }: Caller, reference: string) {
  return { partnerId, customerId: (await getCustomer(db, partnerId, reference)).id }
}

export const creditOperations = [
  getCredits,
  listCreditEntries,
  getCustomerCredits,
  grantCustomerCredits,
  listCustomerCreditEntries,
  customerCreditDaily
]
