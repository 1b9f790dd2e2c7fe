// A customer's fields between the wire (booleans, arrays, amounts) and the table (flags, JSON, micro-units).
import type { z } from 'zod'
import { type Customer, type CustomerListItem, UpdateCustomer } from '../../schemas/customer.ts'
import { formText, type Kind, kindOf } from '../../schemas/fields.ts'
import { now } from '../clock.ts'
import { fromMicros, toMicros } from '../money.ts'
import { emailKey } from './email.ts'
import { linesOfBreakdown } from './pricing.ts'
import type { CustomerChanges, CustomerTable, FieldColumns } from './table.ts'

const FIELDS = Object.entries(UpdateCustomer.shape).map(([name, field]) => {
  const kind = kindOf(field)
  return { name, kind, column: kind === 'amount' ? `${name}Micros` : name, usual: formText(field).usual }
})

/** What a new customer has of each: nothing, or what is usual. */
export function usualColumns(): FieldColumns & Pick<CustomerTable, 'emailKey'>
export function usualColumns(): object {
  const columns = FIELDS.map(({ column, kind, usual = null }) => [column, written(kind, usual)])
  return { ...Object.fromEntries(columns), email: '', emailKey: '' }
}

export function toColumns(changes: CustomerChanges): Partial<FieldColumns & Pick<CustomerTable, 'emailKey'>>
export function toColumns(changes: Record<string, unknown>): object {
  const given = FIELDS.filter(({ name }) => changes[name] !== undefined)
  const columns = Object.fromEntries(
    given.map(({ name, kind, column }) => [column, written(kind, changes[name])])
  )
  return changes.email === undefined ? columns : { ...columns, emailKey: emailKey(String(changes.email)) }
}

function written(kind: Kind, value: unknown): unknown {
  if (value === null) return null
  if (kind === 'flag') return value ? 1 : 0
  if (kind === 'list') return JSON.stringify(value)
  if (kind === 'amount') return toMicros(Number(value))
  return kind === 'time' ? new Date(String(value)).toISOString() : value
}

function read(kind: Kind, value: unknown): unknown {
  if (value === null) return null
  if (kind === 'flag') return Boolean(value)
  if (kind === 'list') return JSON.parse(String(value))
  return kind === 'amount' ? fromMicros(Number(value)) : value
}

const OWN = ['id', 'orderStatus', 'dealStatus', 'credentialStatus', 'createdAt', 'updatedAt'] as const

const READ: { name: string; column: string; kind: Kind }[] = [
  ...FIELDS,
  ...OWN.map((name) => ({ name, column: name, kind: 'text' as const })),
  { name: 'customerId', column: 'code', kind: 'text' },
  { name: 'isOnboardingCompleted', column: 'isOnboardingCompleted', kind: 'flag' },
  { name: 'estimatedPrice', column: 'estimatedPriceMicros', kind: 'amount' },
  { name: 'unbilledAmount', column: 'unbilledMicros', kind: 'amount' },
  { name: 'currency', column: 'currency', kind: 'text' }
]

const NAMES = [...READ.map(({ name }) => name), 'priceLines', 'portalAccess']
const NULLS = JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, null])))
/** By way of JSON, because V8 copies only such an object at once: with another a call took 40 µs instead of 3. */
const BLANK: Record<string, unknown> = JSON.parse(NULLS)

export function toCustomer(row: BilledCustomer): z.input<typeof Customer>
export function toCustomer(row: Pick<BilledCustomer, 'priceBreakdown' | PriceColumn> & AccessRow): object {
  const customer = { ...BLANK }
  for (const { name, column, kind } of READ) customer[name] = read(kind, Reflect.get(row, column))
  customer.priceLines = priceLinesOf(row)
  customer.portalAccess = portalAccessOf(row)
  return customer
}

type PriceColumn = 'estimatedPriceMicros' | 'agreedPriceMicros'

/** The estimate's lines, and what was agreed as the difference to it. */
function priceLinesOf(row: Pick<CustomerTable, 'priceBreakdown' | PriceColumn>) {
  const agreed = row.agreedPriceMicros ?? row.estimatedPriceMicros
  const lines = linesOfBreakdown(row.priceBreakdown)
  const difference = fromMicros(agreed - row.estimatedPriceMicros)
  return difference === 0 ? lines : [...lines, { item: 'As agreed', amount: difference }]
}

/** A customer, what it owes, the currency of its amounts, and how far its owner got into the portal. */
export interface BilledCustomer extends CustomerTable, OwnersAccess {
  unbilledMicros: number
  currency: string
}

export interface OwnersAccess {
  passwordsOfOwner: 1 | null
  ownerSeenAt: string | null
  /** Of the invite that nobody took. */
  inviteExpiresAt: string | null
}

type AccessRow = OwnersAccess & Pick<CustomerTable, 'credentialStatus' | 'customerPortalEnabled'>

function portalAccessOf(row: AccessRow): z.input<typeof Customer>['portalAccess'] {
  const { credentialStatus, inviteExpiresAt } = row
  if (credentialStatus === 'none') return { state: 'none', at: null }
  if (credentialStatus === 'suspended') return { state: 'blocked', at: null }
  if (row.customerPortalEnabled === 0) return { state: 'off', at: null }
  if (row.passwordsOfOwner === 1) return { state: 'active', at: row.ownerSeenAt }
  return { state: (inviteExpiresAt ?? '') > now() ? 'invited' : 'lapsed', at: inviteExpiresAt }
}

export const LISTED_COLUMNS = [
  'id',
  'code',
  'firstName',
  'lastName',
  'email',
  'companyName',
  'monthlyCallVolume',
  'callComplexity',
  'deploymentStatus',
  'subscriptionStatus',
  'planId',
  'credentialStatus',
  'customerPortalEnabled',
  'createdAt',
  'updatedAt'
] as const

export interface CustomerCounts extends OwnersAccess {
  unbilledMicros: number
  currency: string
  voiceAgentsA: number
  voiceAgentsB: number
}

type CustomerListRow = Pick<CustomerTable, (typeof LISTED_COLUMNS)[number]> & CustomerCounts

/** Column by column: copying what is left of a row took longer than the query. */
export function toListItem(row: CustomerListRow): z.input<typeof CustomerListItem> {
  return {
    id: row.id,
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    companyName: row.companyName,
    monthlyCallVolume: row.monthlyCallVolume,
    callComplexity: row.callComplexity,
    subscriptions: row.planId === null ? 0 : 1,
    deploymentStatus: row.deploymentStatus,
    subscriptionStatus: row.subscriptionStatus,
    credentialStatus: row.credentialStatus,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    customerId: row.code,
    unbilledAmount: fromMicros(row.unbilledMicros),
    currency: row.currency,
    hasVoiceAgentA: row.voiceAgentsA > 0,
    hasVoiceAgentB: row.voiceAgentsB > 0,
    hasEntered: row.passwordsOfOwner === 1,
    portalAccess: portalAccessOf(row),
    isOnTrial: row.subscriptionStatus === 'trialing'
  }
}
