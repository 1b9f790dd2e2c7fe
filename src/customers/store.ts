import {
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql
} from 'kysely'
import type { z } from 'zod'
import type { FindCustomers } from '../../schemas/customer.ts'
import type { Provider } from '../../schemas/voice-agent.ts'
import { now } from '../clock.ts'
import { compiledOnce, type Slot } from '../database/compiled.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { isOwnedBy } from '../database/known.ts'
import { countedBy, placeOf, rowCount } from '../database/row-count.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { foldText } from '../fold.ts'
import { type BilledCustomer, type CustomerCounts, LISTED_COLUMNS } from './columns.ts'
import { emailKey } from './email.ts'
import { LABELS } from './labels.ts'
import { type Named, personName } from './name.ts'
import { orderOf } from './order.ts'
import { has, isFoundBy, NEEDS } from './search.ts'
import type { CustomerTable } from './table.ts'

export type Filter = z.output<typeof FindCustomers>

/**
 * The partner's customer with that record id or short code.
 *
 * @throws ServiceError `customer_not_found`, for another partner's customer as for none (§7: 404)
 */
export const getCustomer = getterOf((customers) => customers.selectAll())

/** As `getCustomer`, with what it owes and in which currency. @throws ServiceError `customer_not_found` */
export const getBilledCustomer = getterOf((customers) =>
  customers
    .selectAll()
    .select((eb) => [unbilledOf(eb).as('unbilledMicros'), currencyOf(eb).as('currency'), ...accessOf(eb)])
    .$narrowType<BilledCustomer>()
)

type Customers<Row> = SelectQueryBuilder<Tables, 'customer', Row>

function getterOf<Row>(shown: (customers: Customers<object>) => Customers<Row>) {
  const compiledBy = (column: 'id' | 'code') =>
    compiledOnce((db, partnerId: Slot<string>, value: Slot<string>) =>
      shown(db.selectFrom('customer').where('partnerId', '=', partnerId).where(column, '=', value))
    )
  const rowsBy = { id: compiledBy('id'), code: compiledBy('code') }
  return async (db: ReadHandle, partnerId: string, reference: string): Promise<Row> => {
    const { column, value } = referenceOf(reference)
    const [row] = await rowsBy[column](db, partnerId, value)
    return row ?? refuseUnknownCustomer()
  }
}

/** Whose customer that record id is; for the operator, who may ask across partners. */
export async function partnerIdOfCustomer(db: ReadHandle, id: string) {
  const row = await db.selectFrom('customer').where('id', '=', id).select('partnerId').executeTakeFirst()
  return row?.partnerId
}

/** In which language its people are met, as far as its record says; nothing of a customer that isn't there any more. */
export const languageOfCustomer = (db: ReadHandle, partnerId: string, id: string) =>
  db
    .selectFrom('customer')
    .where('partnerId', '=', partnerId)
    .where('id', '=', id)
    .select('portalLanguage')
    .executeTakeFirst()

/** As `getCustomer`, and keeps others from changing the customer until the transaction ends. */
export async function lockCustomer(tx: WriteHandle, partnerId: string, reference: string) {
  const { column, value } = referenceOf(reference)
  const row = await tx
    .updateTable('customer')
    // Writing a column to itself is the row lock that both databases know.
    .set((eb) => ({ id: eb.ref('id') }))
    .where('partnerId', '=', partnerId)
    .where(column, '=', value)
    .returningAll()
    .executeTakeFirst()
  return row ?? refuseUnknownCustomer()
}

/** Models mix up the two ids that list items carry, so either is taken. */
export function referenceOf(reference: string): { column: 'id' | 'code'; value: string } {
  return /^c-/i.test(reference)
    ? { column: 'code', value: reference.toUpperCase() }
    : { column: 'id', value: reference }
}

/** @throws ServiceError `customer_not_found` */
export function refuseUnknownCustomer(): never {
  throw new ServiceError('customer_not_found')
}

export async function insertCustomer(tx: WriteHandle, row: CustomerTable) {
  const inserted = await tx
    .insertInto('customer')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows) return 'inserted'
  return (await isEmailTaken(tx, row.partnerId, row.email)) ? 'email_taken' : 'code_taken'
}

export async function isEmailTaken(db: ReadHandle, partnerId: string, email: string, exceptCustomerId = '') {
  const other = await db
    .selectFrom('customer')
    .where('partnerId', '=', partnerId)
    .where('emailKey', '=', emailKey(email))
    .where('id', '!=', exceptCustomerId)
    .select('id')
    .executeTakeFirst()
  return other !== undefined
}

/** Changes the given columns and the time of change; `undefined` leaves a column alone. */
export async function updateCustomer(
  tx: WriteHandle,
  partnerId: string,
  customerId: string,
  columns: { [Column in keyof CustomerTable]?: CustomerTable[Column] | undefined }
) {
  return tx
    .updateTable('customer')
    .set({ ...columns, updatedAt: now() })
    .where('partnerId', '=', partnerId)
    .where('id', '=', customerId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function countCustomers(db: ReadHandle, partnerId: string, filter: Filter) {
  const counted = countedOf(db, partnerId, filter)
  if (counted) return rowCount(counted)
  const { count } = await db
    .selectFrom('customer')
    .where((eb) => matches(eb, db, partnerId, filter))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

function countedOf(db: ReadHandle, partnerId: string, filter: Filter) {
  const { page, limit, sort, createdFrom, createdTo, emails, ...conditions } = filter
  const { isOnTrial, search, updatedSince, hasEntered, need, ...states } = conditions
  if (isOnTrial === false || search || updatedSince || hasEntered !== undefined || need) return undefined
  if (createdFrom || createdTo || emails) return undefined
  return countedBy(db, partnerId, 'customer', {
    ...states,
    subscriptionStatus: isOnTrial ? 'trialing' : undefined
  })
}

/** One page of what the filter matches, in its order, newest first unless told; the id breaks ties. */
export async function listCustomers(db: ReadHandle, partnerId: string, filter: Filter) {
  const { limit, page } = filter
  const offset = (page - 1) * limit
  const counted = countedOf(db, partnerId, filter)
  const { by, direction, isByTime } = orderOf(db, filter.sort)
  if (counted && counted.column === undefined && isByTime && direction === 'desc') {
    const { before, skip } = await placeOf(counted, offset)
    return pageOfAll(db, partnerId, before, limit, skip)
  }
  // All that match are counted anyway. To put them in order is little then, and to go by the order until enough were found
  // could mean to read everybody.
  const isInOrder = counted && (isByTime || counted.column === undefined)
  const order = { by: isInOrder ? by : sql`${by} || ''`, direction }
  return pageMatching(db, (eb) => matches(eb, db, partnerId, filter), { ...order, limit, offset }).execute()
}

const pageOfAll = compiledOnce(
  (db, partnerId: Slot<string>, before: Slot<string>, limit: Slot<number>, offset: Slot<number>) => {
    const condition: Condition = (eb) =>
      eb.and([eb('partnerId', '=', partnerId), eb('createdAt', '<', before)])
    return pageMatching(db, condition, { by: sql`"createdAt"`, direction: 'desc', limit, offset })
  }
)

const SLICE = 50

/** Those that match among the 50 after the cursor, newest first: however few match, a slice reads no more rows. */
export async function sliceOfCustomers(db: ReadHandle, partnerId: string, filter: Filter, cursor = 'z z') {
  const [time, id] = cursor.split(' ')
  const own = db.selectFrom('customer').where('partnerId', '=', partnerId)
  const slice = own.where(sql<boolean>`("createdAt", "id") < (${time ?? ''}, ${id ?? ''})`).limit(SLICE)
  const newest = slice.select(['id', 'createdAt']).orderBy('createdAt', 'desc').orderBy('id', 'desc')
  const all = await newest.execute()
  const ids = [...all.map((row) => row.id), '']
  const order = { by: sql`"createdAt" || ''`, direction: 'desc', limit: SLICE, offset: 0 } as const
  const rows = await pageMatching(db, (eb) => matches(eb, db, partnerId, filter, ids), order).execute()
  const last = all[SLICE - 1]
  return { rows, nextCursor: last ? `${last.createdAt} ${last.id}` : null }
}

function pageMatching(db: ReadHandle, condition: Condition, { by, direction, limit, offset }: Position) {
  const ids = db.selectFrom('customer').where(condition).select('id')
  return (
    db
      .selectFrom('customer')
      // Their ids first: PostgreSQL does all that is selected for the rows that are passed over, too.
      .where('id', 'in', ids.orderBy(by, direction).orderBy('id', direction).limit(limit).offset(offset))
      .select(LISTED_COLUMNS)
      // Correlated: each of these is one index look-up for each of the page's rows only.
      .select((eb) => [
        unbilledOf(eb).as('unbilledMicros'),
        currencyOf(eb).as('currency'),
        voiceAgentsOf(eb, 'a').as('voiceAgentsA'),
        voiceAgentsOf(eb, 'b').as('voiceAgentsB'),
        ...accessOf(eb)
      ])
      .orderBy(by, direction)
      .orderBy('id', direction)
      .$narrowType<CustomerCounts>()
  )
}

interface Position {
  by: RawBuilder<unknown>
  direction: 'asc' | 'desc'
  limit: number | Slot<number>
  offset: number | Slot<number>
}

type CustomerExpression = ExpressionBuilder<Tables, 'customer'>
type Condition = (eb: CustomerExpression) => Expression<SqlBool>

const STATES = [...LABELS, 'credentialStatus', 'orderStatus'] as const

function matches(eb: CustomerExpression, db: ReadHandle, partnerId: string, filter: Filter, ids?: string[]) {
  const { createdFrom = '', createdTo = '', emails } = filter
  const isPartners = ids || filter.need ? isOwnedBy(partnerId) : eb('partnerId', '=', partnerId)
  return eb.and([
    ...(ids ? [eb('id', 'in', ids), has(filter.search ?? '')] : []),
    filter.search && !ids ? isFoundBy(db, partnerId, filter.search) : isPartners,
    ...(createdFrom ? [eb('createdAt', '>=', createdFrom)] : []),
    // Behind a day it sorts after all times within, in any collation.
    ...(createdTo ? [eb('createdAt', '<', `${createdTo}z`)] : []),
    ...(emails ? [eb('emailKey', 'in', [...emails.map(emailKey), ''])] : []),
    ...(filter.need ? [eb('id', 'in', NEEDS[filter.need](db, partnerId))] : []),
    ...STATES.flatMap((column) => {
      const state = filter[column]
      return state === undefined ? [] : [eb(column, '=', state)]
    }),
    ...(filter.isOnTrial === undefined
      ? []
      : [eb('subscriptionStatus', filter.isOnTrial ? '=' : '!=', 'trialing')]),
    ...(filter.hasEntered === undefined
      ? []
      : [filter.hasEntered ? eb.exists(passwordOf(eb)) : eb.not(eb.exists(passwordOf(eb)))]),
    ...(filter.updatedSince ? [eb('updatedAt', '>=', new Date(filter.updatedSince).toISOString())] : [])
  ])
}

/** What `search` looks in: names, full name, e-mail, phone and company (§4A), one a line so that none runs into the next. */
export function searchTextOf(customer: Named & Pick<CustomerTable, 'businessPhone'>): string {
  const texts = [personName(customer), customer.email, customer.businessPhone, customer.companyName]
  return texts.map((text) => foldText(text ?? '')).join('\n')
}

const unbilledOf = (eb: CustomerExpression) =>
  eb.fn.coalesce(
    eb
      .selectFrom('billingAccount')
      .whereRef('billingAccount.customerId', '=', 'customer.id')
      .select('billingAccount.balanceMicros'),
    eb.lit(0)
  )

const currencyOf = (eb: CustomerExpression) =>
  eb.selectFrom('partner').whereRef('partner.id', '=', 'customer.partnerId').select('partner.currency')

const accessOf = (eb: CustomerExpression) =>
  [
    passwordOf(eb).as('passwordsOfOwner'),
    ownerOf(eb).select('lastSeenAt').as('ownerSeenAt'),
    ownerOf(eb).select('temporaryPasswordExpiresAt').as('inviteExpiresAt')
  ] as const

const ownerOf = (eb: CustomerExpression) =>
  eb.selectFrom('identity').whereRef('identity.id', '=', 'customer.ownerIdentityId')

/** 1 where the owner has a password of its own: the one in an invite must be changed at once. */
const passwordOf = (eb: CustomerExpression) =>
  ownerOf(eb)
    .where('identity.passwordHash', 'is not', null)
    .select((inner) => inner.lit(1).as('one'))

const voiceAgentsOf = (eb: CustomerExpression, provider: Provider) =>
  eb
    .selectFrom('voiceAgent')
    .whereRef('voiceAgent.customerId', '=', 'customer.id')
    .where('voiceAgent.provider', '=', provider)
    .select((inner) => inner.fn.countAll<number>().as('count'))
