import type { z } from 'zod'
import type { Instance, InstancePage, ListInstances } from '../../schemas/instance.ts'
import { nameOf } from '../customers/name.ts'
import { getCustomer } from '../customers/store.ts'
import type { ReadHandle } from '../database/database.ts'
import { pageOfRows } from '../database/page.ts'
import type { InstanceRow } from './store.ts'

export const toInstance = ({ id, partnerId, privateKeySealed, ...row }: InstanceRow): Instance => ({
  instanceId: id,
  ...row
})

/** One page of the partner's instances, or of one customer's, newest first. @throws ServiceError `customer_not_found` */
export async function pageOfInstances(
  db: ReadHandle,
  partnerId: string,
  { customerId: reference, ...page }: z.output<typeof ListInstances>
): Promise<z.input<typeof InstancePage>> {
  let matching = db.selectFrom('instance').where('instance.partnerId', '=', partnerId)
  if (reference !== undefined) {
    const { id } = await getCustomer(db, partnerId, reference)
    matching = matching.where('instance.customerId', '=', id)
  }
  const newest = matching
    .innerJoin('customer', 'customer.id', 'instance.customerId')
    .select(['instance.id', 'instance.customerId', 'instance.name', 'instance.host', 'instance.port'])
    .select(['instance.status', 'instance.agentName', 'instance.createdAt'])
    .select(['customer.companyName', 'customer.firstName', 'customer.lastName', 'customer.email'])
    .orderBy('instance.createdAt', 'desc')
    .orderBy('instance.id', 'desc')
  const { rows, pagination } = await pageOfRows(page, newest, matching)
  const data = rows.map(({ id, companyName, firstName, lastName, email, ...row }) => ({
    instanceId: id,
    ...row,
    customerName: nameOf({ companyName, firstName, lastName, email })
  }))
  return { data, pagination }
}
