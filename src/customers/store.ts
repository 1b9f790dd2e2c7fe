import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely'
import { now } from '../clock.ts'
import { compiledOnce, type Slot } from '../database/compiled.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { changeWhere, rowsWhere } from '../database/known.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { foldText } from '../fold.ts'
import type { BilledCustomer } from './columns.ts'
import { emailKey } from './email.ts'
import { type Named, personName } from './name.ts'
import type { CustomerTable } from './table.ts'

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
  const row = await rowsWhere(db, 'customer', { id }).select('partnerId').executeTakeFirst()
  return row?.partnerId
}

/** In which language its people are met, as far as its record says; nothing of a customer that isn't there any more. */
export const languageOfCustomer = (db: ReadHandle, partnerId: string, id: string) =>
  rowsWhere(db, 'customer', { partnerId, id }).select('portalLanguage').executeTakeFirst()

/** As `getCustomer`, and keeps others from changing the customer until the transaction ends. */
export async function lockCustomer(tx: WriteHandle, partnerId: string, reference: string) {
  const { column, value } = referenceOf(reference)
  const row = await changeWhere(tx, 'customer', { partnerId })
    // Writing a column to itself is the row lock that both databases know.
    .set((eb) => ({ id: eb.ref('id') }))
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
  const other = await rowsWhere(db, 'customer', { partnerId, emailKey: emailKey(email) })
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
  return changeWhere(tx, 'customer', { partnerId, id: customerId })
    .set({ ...columns, updatedAt: now() })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** What `search` looks in: names, full name, e-mail, phone and company (§4A), one a line so that none runs into the next. */
export function searchTextOf(customer: Named & Pick<CustomerTable, 'businessPhone'>): string {
  const texts = [personName(customer), customer.email, customer.businessPhone, customer.companyName]
  return texts.map((text) => foldText(text ?? '')).join('\n')
}

export type CustomerExpression = ExpressionBuilder<Tables, 'customer'>

export const unbilledOf = (eb: CustomerExpression) =>
  eb.fn.coalesce(
    eb
      .selectFrom('billingAccount')
      .whereRef('billingAccount.customerId', '=', 'customer.id')
      .select('billingAccount.balanceMicros'),
    eb.lit(0)
  )

export const currencyOf = (eb: CustomerExpression) =>
  eb.selectFrom('partner').whereRef('partner.id', '=', 'customer.partnerId').select('partner.currency')

export const accessOf = (eb: CustomerExpression) =>
  [
    passwordOf(eb).as('passwordsOfOwner'),
    ownerOf(eb).select('lastSeenAt').as('ownerSeenAt'),
    ownerOf(eb).select('temporaryPasswordExpiresAt').as('inviteExpiresAt')
  ] as const

const ownerOf = (eb: CustomerExpression) =>
  eb.selectFrom('identity').whereRef('identity.id', '=', 'customer.ownerIdentityId')

/** 1 where the owner has a password of its own: the one in an invite must be changed at once. */
export const passwordOf = (eb: CustomerExpression) =>
  ownerOf(eb)
    .where('identity.passwordHash', 'is not', null)
    .select((inner) => inner.lit(1).as('one'))
