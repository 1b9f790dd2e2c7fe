// What the channels offer on a customer's portal access (§4A, §3).
import { BlockPortalAccess, CustomerPath, PortalBlockResult, PortalView } from '../../schemas/customer.ts'
import { acknowledgement } from '../../schemas/envelope.ts'
import { getCustomer, lockCustomer, updateCustomer } from '../customers/store.ts'
import { ADDS, defineOperation } from '../operation.ts'
import { accessMissing, grantPortalAccess, mailPasswordReset, prepareCredentials } from './access-mails.ts'
import { beginView, endSessionsOfCustomer } from './sessions.ts'

export const enablePortalAccess = defineOperation({
  name: 'customer_enable_portal_access',
  title: 'Enable portal access',
  summary:
    'Opens the portal to a customer and mails an invite with a temporary password; call it again to send a new one.',
  scope: 'customers:write',
  channels: ['rest', 'mcp', 'console'],
  http: { method: 'post', path: '/customers/{customerId}/portal-access', group: 'Portal access' },
  mails: () => true,
  input: CustomerPath,
  output: acknowledgement('Portal access is enabled and an invite is on its way.'),
  annotations: { ...ADDS, openWorld: true },
  async handle(ctx, { partnerId }, { customerId }) {
    await getCustomer(ctx.db, partnerId, customerId)
    const credentials = await prepareCredentials(partnerId)
    return ctx.transaction(async (tx) => {
      const customer = await lockCustomer(tx, partnerId, customerId)
      await grantPortalAccess(ctx, tx, customer, credentials)
      await ctx.audit(tx, { targetType: 'customer', targetId: customer.id })
      return { message: 'Portal access is enabled and an invite is on its way.' }
    })
  }
})

export const togglePortalBlock = defineOperation({
  name: 'customer_toggle_portal_block',
  title: 'Block or unblock portal access',
  summary: 'Suspends the customer’s portal access or grants it again: send the newStatus that it shall have.',
  scope: 'customers:write',
  channels: ['rest', 'mcp', 'console'],
  http: { method: 'post', path: '/customers/{customerId}/portal-access/block', group: 'Portal access' },
  input: BlockPortalAccess,
  output: PortalBlockResult,
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  errors: ['portal_access_missing'],
  async write(tx, ctx, { partnerId }, { customerId, newStatus: wanted }) {
    const customer = await lockCustomer(tx, partnerId, customerId)
    const { credentialStatus } = customer
    if (credentialStatus === 'none') throw accessMissing('There is nothing to block')
    const newStatus = wanted ?? (credentialStatus === 'active' ? 'suspended' : 'active')
    const action = newStatus === 'suspended' ? ('blocked' as const) : ('granted' as const)
    if (newStatus === credentialStatus) {
      return { message: `Portal access was ${action} already.`, newStatus, action }
    }
    await updateCustomer(tx, partnerId, customer.id, { credentialStatus: newStatus })
    if (action === 'blocked') await endSessionsOfCustomer(tx, customer)
    const told = { status: newStatus }
    await ctx.audit(tx, { targetType: 'customer', targetId: customer.id, fields: ['credentialStatus'], told })
    const message = action === 'blocked' ? 'Portal access is blocked.' : 'Portal access is granted again.'
    return { message, newStatus, action }
  }
})

export const sendPasswordReset = defineOperation({
  name: 'customer_send_password_reset',
  title: 'Send a password reset',
  summary: 'Mails the customer a link to set a new portal password, valid for 60 minutes.',
  scope: 'customers:write',
  channels: ['rest', 'mcp', 'console'],
  http: { method: 'post', path: '/customers/{customerId}/reset-password', group: 'Portal access' },
  mails: () => true,
  input: CustomerPath,
  output: acknowledgement('A password reset e-mail is on its way.'),
  annotations: { ...ADDS, openWorld: true },
  errors: ['portal_access_missing'],
  async write(tx, ctx, { partnerId }, { customerId }) {
    const customer = await lockCustomer(tx, partnerId, customerId)
    await mailPasswordReset(ctx, tx, customer)
    await ctx.audit(tx, { targetType: 'customer', targetId: customer.id })
    const message =
      customer.credentialStatus === 'suspended'
        ? 'A password reset e-mail is on its way; the new password works once access is granted again.'
        : 'A password reset e-mail is on its way.'
    return { message }
  }
})

/** Lets who calls look at the portal as its customer does, for a while. */
export const viewPortal = defineOperation({
  name: 'customer_view_portal',
  title: 'View the portal as the customer',
  scope: 'customers:write',
  input: CustomerPath,
  output: PortalView,
  annotations: ADDS,
  async write(tx, ctx, { partnerId, actor }, { customerId }) {
    const customer = await getCustomer(tx, partnerId, customerId)
    const partner = tx.selectFrom('partner').where('id', '=', partnerId).select('slug')
    const { slug } = await partner.executeTakeFirstOrThrow()
    const token = await beginView(tx, { partnerId, partnerUserId: actor }, customer.id)
    await ctx.audit(tx, { targetType: 'customer', targetId: customer.id })
    return { token, slug }
  }
})

export const portalAccessOperations = [enablePortalAccess, togglePortalBlock, sendPasswordReset, viewPortal]
