import type { WriteHandle } from '../database/database.ts'
import type { CustomerTable } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import type { OperationContext } from '../operation.ts'
import { recipientOf } from './grant.ts'
import { mintLink } from './links.ts'

/**
 * Mails the customer's owner a link that sets a new password; an earlier reset link ends. A suspended customer gets it
 * too: the new password opens the portal once access is granted again.
 *
 * @throws ServiceError `portal_access_missing` when portal access was never enabled
 */
export async function mailPasswordReset(
  ctx: Pick<OperationContext, 'mail'>,
  tx: WriteHandle,
  customer: CustomerTable
): Promise<void> {
  if (customer.credentialStatus === 'none') throw accessMissing('There is no password to reset')
  const { id: customerId, partnerId } = customer
  const linkToken = await mintLink(tx, partnerId, 'password_reset', { customerId })
  await ctx.mail(tx, {
    partnerId,
    customerId,
    template: 'password_reset',
    recipient: customer.email,
    params: recipientOf(customer),
    secret: { linkToken }
  })
}

/** The refusal of what needs portal access. */
export const accessMissing = (consequence: string): ServiceError =>
  new ServiceError(
    'portal_access_missing',
    `${consequence}: this customer has no portal access. Enable it first.`
  )
