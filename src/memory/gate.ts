// Memory is open where the partner has it and the customer has it switched on (§4B).
import { getCustomer, referenceOf, refuseUnknownCustomer } from '../customers/store.ts'
import { compiledOnce, type Slot } from '../database/compiled.ts'
import type { ReadHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'

/**
 * A write asks again inside its transaction: none begins after the switch was turned off.
 * @throws ServiceError `customer_not_found` (§7: 404), `memory_not_enabled` (§7: 403)
 */
export async function customerWithMemory(db: ReadHandle, partnerId: string, reference: string) {
  return getCustomer(db, partnerId, await customerIdWithMemory(db, partnerId, reference))
}

/** As `customerWithMemory`, for what needs no more of the customer than its id. */
export async function customerIdWithMemory(db: ReadHandle, partnerId: string, reference: string) {
  const { column, value } = referenceOf(reference)
  const [found] = await switchesBy[column](db, partnerId, value)
  if (!found) refuseUnknownCustomer()
  if (found.hasAiMemory === 1 && found.enableAiMemory === 1) return found.id
  // Which of the two is off is the partner's business, and its customers' agents read this too.
  throw new ServiceError('memory_not_enabled')
}

const switchesBy = { id: switchesByColumn('id'), code: switchesByColumn('code') }

function switchesByColumn(column: 'id' | 'code') {
  return compiledOnce((db, partnerId: Slot<string>, value: Slot<string>) =>
    db
      .selectFrom('customer')
      .innerJoin('partner', 'partner.id', 'customer.partnerId')
      .where('customer.partnerId', '=', partnerId)
      .where(`customer.${column}`, '=', value)
      .select(['customer.id', 'enableAiMemory', 'hasAiMemory'])
  )
}
