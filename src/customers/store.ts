import { type ExpressionBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { ListCustomers } from '../../schemas/customer.ts'
import { now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import type { CustomerTable, Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import type { CustomerListRow, toColumns } from './columns.ts'
import { emailKey } from './email.ts'

type Filter = z.output<typeof ListCustomers>

/**
 * The partner's customer with that record id or short code.
 *
 * @throws ServiceError `customer_not_found`, for another partner's customer as for none (§7: 404)
 */
export async function getCustomer(
  db: ReadHandle,
  partnerId: string,
  reference: string
): Promise<CustomerTable> {
  const { column, value } = referenceOf(reference)
  const row = await db
    .selectFrom('customer')
    .where('partnerId', '=', partnerId)
    .where(column, '=', value)
    .selectAll()
    .executeTakeFirst()
  return row ?? refuseUnknown()
}

/** As `getCustomer`, and keeps others from changing the customer until the transaction ends. */
export async function lockCustomer(
  tx: WriteHandle,
  partnerId: string,
  reference: string
): Promise<CustomerTable> {
  const { column, value } = referenceOf(reference)
  const row = await tx
    .updateTable('customer')
    // Writing a column to itself is the row lock that both databases know.
    .set((eb) => ({ id: eb.ref('id') }))
    .where('partnerId', '=', partnerId)
    .where(column, '=', value)
    .returningAll()
    .executeTakeFirst()
  return row ?? refuseUnknown()
}

/** Models mix up the two ids that list items carry, so either is taken. */
function referenceOf(reference: string): { column: 'id' | 'code'; value: string } {
  return /^c-/i.test(reference)
    ? { column: 'code', value: reference.toUpperCase() }
    : { column: 'id', value: reference }
}

function refuseUnknown(): never {
  throw new ServiceError(
    'customer_not_found',
    'There is no customer with this id. List the customers to find it.',
    {
      field: 'customerId'
    }
  )
}

/** Adds the row, or says that its e-mail or its code is taken. */
export async function insertCustomer(
  tx: WriteHandle,
  row: CustomerTable
): Promise<'inserted' | 'email_taken' | 'code_taken'> {
  const inserted = await tx
    .insertInto('customer')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows) return 'inserted'
  return (await isEmailTaken(tx, row.partnerId, row.email)) ? 'email_taken' : 'code_taken'
}

export async function isEmailTaken(
  db: ReadHandle,
  partnerId: string,
  email: string,
  exceptCustomerId = ''
): Promise<boolean> {
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
  columns: Partial<ReturnType<typeof toColumns>> & {
    [Column in keyof CustomerTable]?: CustomerTable[Column] | undefined
  }
): Promise<CustomerTable> {
  return tx
    .updateTable('customer')
    .set({ ...columns, updatedAt: now() })
    .where('partnerId', '=', partnerId)
    .where('id', '=', customerId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** How many customers the filter matches. */
export async function countCustomers(db: ReadHandle, partnerId: string, filter: Filter): Promise<number> {
  const { count } = await db
    .selectFrom('customer')
    .where((eb) => matches(eb, partnerId, filter))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** One page of what the filter matches, newest first, the id breaking ties. */
export async function listCustomers(
  db: ReadHandle,
  partnerId: string,
  filter: Filter
): Promise<CustomerListRow[]> {
  return (
    db
      .selectFrom('customer')
      .where((eb) => matches(eb, partnerId, filter))
      .select([
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
        'credentialStatus',
        'createdAt',
        'updatedAt'
      ])
      // Correlated: each of these is one index look-up for each of the page's rows only.
      .select((eb) => [
        subscriptionsOf(eb).as('subscriptions'),
        subscriptionsOf(eb).where('subscription.trialEndsAt', '>', now()).as('runningTrials'),
        unbilledOf(eb).as('unbilledMicros'),
        voiceAgentsOf(eb, 'a').as('voiceAgentsA'),
        voiceAgentsOf(eb, 'b').as('voiceAgentsB')
      ])
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(filter.limit)
      .offset((filter.page - 1) * filter.limit)
      .$narrowType<{
        subscriptions: number
        runningTrials: number
        unbilledMicros: number
        voiceAgentsA: number
        voiceAgentsB: number
      }>()
      .execute()
  )
}

type CustomerExpression = ExpressionBuilder<Tables, 'customer'>

function matches(eb: CustomerExpression, partnerId: string, filter: Filter) {
  return eb.and([
    eb('partnerId', '=', partnerId),
    ...(['monthlyCallVolume', 'callComplexity', 'deploymentTimeline'] as const).flatMap((column) => {
      const label = filter[column]
      return label === undefined ? [] : [eb(column, '=', label)]
    }),
    ...(filter.updatedSince ? [eb('updatedAt', '>=', new Date(filter.updatedSince).toISOString())] : []),
    ...(filter.search
      ? [sql<boolean>`${eb.ref('searchText')} like ${containing(filter.search)} escape '\\'`]
      : [])
  ])
}

/** The pattern for a text in which `%`, `_` and `\` stand for themselves. */
const containing = (search: string): string => `%${fold(search).replaceAll(/[\\%_]/g, '\\$&')}%`

/** SQLite's lower() knows ASCII only, so both sides are lowered here. */
const fold = (value: string): string => value.normalize('NFC').toLowerCase().trim()

/** What `search` looks in: names, full name, e-mail, phone and company (§4A), one a line so that none runs into the next. */
export function searchTextOf(
  customer: Pick<CustomerTable, 'firstName' | 'lastName' | 'email' | 'businessPhone' | 'companyName'>
): string {
  const fullName = [customer.firstName, customer.lastName].filter(Boolean).join(' ')
  return [fullName, customer.email, customer.businessPhone, customer.companyName]
    .map((value) => fold(value ?? ''))
    .join('\n')
}

const subscriptionsOf = (eb: CustomerExpression) =>
  eb
    .selectFrom('subscription')
    .whereRef('subscription.customerId', '=', 'customer.id')
    .select((inner) => inner.fn.countAll<number>().as('count'))

const unbilledOf = (eb: CustomerExpression) =>
  eb
    .selectFrom('usage')
    .whereRef('usage.customerId', '=', 'customer.id')
    .where('usage.billedAt', 'is', null)
    .select((inner) => inner.fn.coalesce(inner.fn.sum<number>('usage.amountMicros'), inner.lit(0)).as('sum'))

const voiceAgentsOf = (eb: CustomerExpression, provider: 'a' | 'b') =>
  eb
    .selectFrom('voiceAgent')
    .whereRef('voiceAgent.customerId', '=', 'customer.id')
    .where('voiceAgent.provider', '=', provider)
    .select((inner) => inner.fn.countAll<number>().as('count'))
