// Memory is open where the partner has it and the customer has it switched on (§4B).
import { sql } from 'kysely'
import { PAYING_COLUMNS } from '../credits/payment.ts'
import { referenceOf, refuseUnknownCustomer } from '../customers/store.ts'
import { compiledOnce, type Slot } from '../database/compiled.ts'
import type { ReadHandle } from '../database/database.ts'
import type { Flag } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { refuseUnknownMind } from './minds.ts'

/**
 * The customer, as far as paying asks for it, and its Mind: the one that is named, or the primary one; `undefined` while
 * there is none yet. A write asks again inside its transaction: none begins after the switch was turned off.
 * @throws ServiceError `customer_not_found` (§7: 404), `memory_not_enabled` (§7: 403), `mind_not_found` (§7: 404)
 */
export async function openMemory(
  db: ReadHandle,
  partnerId: string,
  reference: string,
  mindId: string | undefined
) {
  const { column, value } = referenceOf(reference)
  const [found] = await OPENED[mindId ? 'named' : 'primary'][column](db, partnerId, value, mindId ?? '')
  if (!found) refuseUnknownCustomer()
  const { hasAiMemory, enableAiMemory, mindKey, mind, memoryCount, nextSeq, mindUpdatedAt, ...customer } =
    found
  // Which of the two is off is the partner's business, and its customers' agents read this too.
  if (hasAiMemory !== 1 || enableAiMemory !== 1) throw new ServiceError('memory_not_enabled')
  if (mindKey === null) return mindId ? refuseUnknownMind() : { customer, mind: undefined }
  const counts = { memoryCount, nextSeq, updatedAt: mindUpdatedAt }
  return { customer, mind: { partnerId, customerId: customer.id, key: mindKey, id: mind, ...counts } }
}

export type OpenMind = NonNullable<Awaited<ReturnType<typeof openMemory>>['mind']>

/** The customer's id, where its memory is open. @throws as `openMemory` */
export const customerIdWithMemory = async (db: ReadHandle, partnerId: string, reference: string) =>
  (await openMemory(db, partnerId, reference, undefined)).customer.id

const OPENED = {
  primary: { id: openedBy('id', false), code: openedBy('code', false) },
  named: { id: openedBy('id', true), code: openedBy('code', true) }
}

function openedBy(column: 'id' | 'code', isNamed: boolean) {
  return compiledOnce((db, partnerId: Slot<string>, value: Slot<string>, mindId: Slot<string>) =>
    db
      .selectFrom('customer')
      .innerJoin('partner', 'partner.id', 'customer.partnerId')
      .leftJoin('mind', (on) => {
        const own = on
          .onRef('mind.customerId', '=', 'customer.id')
          .onRef('mind.partnerId', '=', 'customer.partnerId')
        // Written out: SQLite takes the partial index only where it reads the same condition.
        return isNamed ? own.on('mind.id', '=', mindId) : own.on('mind.isPrimary', '=', sql.lit<Flag>(1))
      })
      .where('customer.partnerId', '=', partnerId)
      .where(`customer.${column}`, '=', value)
      .select(PAYING_COLUMNS.map((name) => `customer.${name}` as const))
      .select(['hasAiMemory', 'enableAiMemory'])
      .select(['mind.key as mindKey', 'mind.id as mind', 'memoryCount', 'nextSeq'])
      .select('mind.updatedAt as mindUpdatedAt')
      .select(({ exists, selectFrom }) =>
        exists(
          selectFrom('webhook').whereRef('webhook.partnerId', '=', 'partner.id').select('webhook.id')
        ).as('hasWebhook')
      )
      // They are there together, or not at all.
      .$narrowType<{ mind: string; memoryCount: number; nextSeq: number; mindUpdatedAt: string }>()
  )
}
