// What the channels offer on credits. A partner's own are granted by the operator's CLI alone.
import type { z } from 'zod'
import {
  CreditBalanceResult,
  type CreditEntry,
  CreditEntryPage,
  CustomerCreditDaily,
  CustomerCreditDailyResult,
  GrantCredits,
  GrantCreditsResult,
  ListCreditEntries,
  ListCustomerCreditEntries
} from '../../schemas/credits.ts'
import { CustomerPath } from '../../schemas/customer.ts'
import { NoInput, paginate } from '../../schemas/envelope.ts'
import { getCustomer } from '../customers/store.ts'
import type { ReadHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { fromMicros, toMicros } from '../money.ts'
import { ADDS, defineOperation, READS } from '../operation.ts'
import { spentByDay } from './daily.ts'
import { grantCredits } from './grant.ts'
import { type AccountOwner, listEntries, readAccount } from './store.ts'

export const getCredits = defineOperation({
  name: 'credits_balance',
  title: 'Get your credit balance',
  summary: 'Returns how many credits your partner account has left; remember and ask take from it.',
  scope: 'credits:read',
  channels: ['rest', 'console', 'operator'],
  http: { method: 'get', path: '/credits', group: 'Credits' },
  input: NoInput,
  output: CreditBalanceResult,
  annotations: READS,
  async handle({ db }, { partnerId }) {
    const { balanceMicros } = await readAccount(db, { partnerId, customerId: null })
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
  annotations: READS,
  async handle({ db }, { partnerId }, page) {
    return pageOfEntries(db, { partnerId, customerId: null }, page)
  }
})

export const getCustomerCredits = defineOperation({
  name: 'customer_credits_balance',
  title: 'Get a customer’s credit balance',
  summary:
    'Returns how many AI credits the customer has left. They are taken beside yours while its aiCreditsEnabled is on.',
  scope: 'credits:read',
  channels: ['rest', 'console', 'portal', 'operator'],
  http: { method: 'get', path: '/customers/{customerId}/credits', group: 'Credits' },
  input: CustomerPath,
  output: CreditBalanceResult,
  annotations: READS,
  async handle({ db }, { partnerId }, { customerId: reference }) {
    const { id: customerId } = await getCustomer(db, partnerId, reference)
    const { balanceMicros } = await readAccount(db, { partnerId, customerId })
    return { data: { balance: fromMicros(balanceMicros) } }
  }
})

export const grantCustomerCredits = defineOperation({
  name: 'credits_grant',
  title: 'Grant credits to a customer',
  summary:
    'Adds AI credits to a customer’s account; your own balance stays as it is. Returns the customer’s new balance.',
  scope: 'credits:write',
  channels: ['rest', 'console', 'operator'],
  http: { method: 'post', path: '/customers/{customerId}/credits', group: 'Credits' },
  input: GrantCredits,
  output: GrantCreditsResult,
  annotations: ADDS,
  async handle(ctx, { partnerId }, { customerId: reference, amount, note }) {
    return ctx.transaction(async (tx) => {
      const { id: customerId } = await getCustomer(tx, partnerId, reference)
      const { balanceMicros } = await grantCredits(
        tx,
        { partnerId, customerId },
        { amountMicros: toMicros(amount), note }
      )
      await ctx.audit(tx, { targetType: 'customer', targetId: customerId, fields: ['credits'] })
      return { message: 'The credits were granted.', data: { balance: fromMicros(balanceMicros) } }
    })
  }
})

export const grantPartnerCredits = defineOperation({
  name: 'partner_credits_grant',
  title: 'Grant credits to a partner',
  summary: 'Adds credits to a partner’s own account. Returns its new balance.',
  scope: 'credits:write',
  channels: ['operator'],
  input: GrantCredits.omit({ customerId: true }),
  output: GrantCreditsResult,
  annotations: ADDS,
  async handle(ctx, { partnerId }, { amount, note }) {
    return ctx.transaction(async (tx) => {
      const owner = { partnerId, customerId: null }
      const { balanceMicros } = await grantCredits(tx, owner, { amountMicros: toMicros(amount), note })
      await ctx.audit(tx, { targetType: 'partner', targetId: partnerId, fields: ['credits'] })
      return { message: 'The credits were granted.', data: { balance: fromMicros(balanceMicros) } }
    })
  }
})

export const listCustomerCreditEntries = defineOperation({
  name: 'customer_credits_entries',
  title: 'List a customer’s credit entries',
  summary: 'Returns what moved the customer’s balance of AI credits, newest first, a page at a time.',
  scope: 'credits:read',
  channels: ['rest', 'console', 'portal'],
  http: { method: 'get', path: '/customers/{customerId}/credits/entries', group: 'Credits' },
  input: ListCustomerCreditEntries,
  output: CreditEntryPage,
  annotations: READS,
  async handle({ db }, { partnerId }, { customerId: reference, ...page }) {
    const { id: customerId } = await getCustomer(db, partnerId, reference)
    return pageOfEntries(db, { partnerId, customerId }, page)
  }
})

export const customerCreditDaily = defineOperation({
  name: 'customer_credit_daily',
  title: 'Get a customer’s credits by day',
  summary:
    'Returns how many AI credits the customer spent on each of the last days, today last; days are in UTC.',
  scope: 'credits:read',
  channels: ['console', 'portal'],
  input: CustomerCreditDaily,
  output: CustomerCreditDailyResult,
  annotations: READS,
  async handle({ db }, { partnerId }, { customerId: reference, days }) {
    const { id: customerId } = await getCustomer(db, partnerId, reference)
    return { data: await spentByDay(db, { partnerId, customerId }, days) }
  }
})

/** One page of an account's entries, newest first. They are numbered, so a page is a range and no count is made. */
async function pageOfEntries(
  db: ReadHandle,
  owner: AccountOwner,
  { page, limit }: z.output<typeof ListCreditEntries>
): Promise<z.input<typeof CreditEntryPage>> {
  const { entryCount } = await readAccount(db, owner)
  const upTo = entryCount - (page - 1) * limit
  const entries = upTo > 0 ? await listEntries(db, owner, { after: upTo - limit, upTo }) : []
  return { data: entries.map(toEntry), pagination: paginate(page, limit, entryCount) }
}

const toEntry = (row: Tables['creditEntry']): z.input<typeof CreditEntry> => ({
  number: row.seq,
  kind: row.kind,
  amount: fromMicros(row.amountMicros),
  balanceAfter: fromMicros(row.balanceAfterMicros),
  operation: row.operation,
  reference: row.reference,
  note: row.note,
  createdAt: row.createdAt
})

export const creditOperations = [
  getCredits,
  listCreditEntries,
  getCustomerCredits,
  grantCustomerCredits,
  listCustomerCreditEntries,
  customerCreditDaily
]
