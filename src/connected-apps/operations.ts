// What the channels offer on apps that people connected. As with keys, nothing of it is REST's or MCP's: an app ends no app.
import { ConnectedAppList, ConnectedAppPath, CustomerAppPath } from '../../schemas/connected-app.ts'
import { CustomerPath } from '../../schemas/customer.ts'
import { getCustomer } from '../customers/store.ts'
import type { WriteHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { CHANGES, defineOperation, type OperationContext } from '../operation.ts'
import { endApps, listApps } from './store.ts'

/** Returns the apps that a customer’s people connected to its memory, newest first. */
export const listCustomerApps = defineOperation({
  name: 'customer_app_list',
  scope: 'customers:read',
  channels: ['console', 'portal', 'operator'],
  input: CustomerPath,
  output: ConnectedAppList,
  async handle({ db }, { partnerId }, { customerId: reference }) {
    const { id: customerId } = await getCustomer(db, partnerId, reference)
    return { data: await listApps(db, partnerId, { customerId }) }
  }
})

/** Ends an app that one of a customer’s people connected, with all of its tokens. */
export const endCustomerApp = defineOperation({
  name: 'customer_app_end',
  title: 'End a connected app of a customer',
  scope: 'customers:write',
  channels: ['console', 'portal', 'operator'],
  input: CustomerAppPath,
  annotations: CHANGES,
  async write(tx, ctx, { partnerId }, { customerId: reference, appId }) {
    const { id: customerId } = await getCustomer(tx, partnerId, reference)
    return end(tx, ctx, partnerId, { appId, customerId })
  }
})

/** Returns the apps that the partner’s own people connected, newest first. */
export const listPartnerApps = defineOperation({
  name: 'partner_app_list',
  scope: 'settings:read',
  channels: ['console', 'operator'],
  output: ConnectedAppList,
  handle: async ({ db }, { partnerId }) => ({ data: await listApps(db, partnerId, { gateway: 'partner' }) })
})

/** Ends an app that one of the partner’s own people connected, with all of its tokens. */
export const endPartnerApp = defineOperation({
  name: 'partner_app_end',
  title: 'End a connected app of the partner’s people',
  scope: 'settings:write',
  channels: ['console', 'operator'],
  input: ConnectedAppPath,
  annotations: CHANGES,
  write: (tx, ctx, { partnerId }, { appId }) => end(tx, ctx, partnerId, { appId, customerId: null })
})

export const connectedAppOperations = [listCustomerApps, endCustomerApp, listPartnerApps, endPartnerApp]

/** @throws ServiceError `app_not_found` */
async function end(
  tx: WriteHandle,
  ctx: Pick<OperationContext, 'audit'>,
  partnerId: string,
  { appId, customerId }: { appId: string; customerId: string | null }
) {
  if ((await endApps(tx, partnerId, { id: appId, customerId })) === 0) throw new ServiceError('app_not_found')
  await ctx.audit(tx, { targetType: 'connected_app', targetId: appId, fields: ['revokedAt'] })
  return { message: 'The app was disconnected. It is refused at once.' }
}
