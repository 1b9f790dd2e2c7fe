// Enabling portal access: credentials, a temporary password and the invite that carries it (§4A).
import { updateCustomer } from '../customers/store.ts'
import type { WriteHandle } from '../database/database.ts'
import type { CustomerTable } from '../database/tables.ts'
import { setTemporaryPassword } from './identities.ts'
import { type MailContext, mailLink } from './links.ts'
import { hashPassword, newTemporaryPassword } from './passwords.ts'
import { endSessionsOfCustomer } from './sessions.ts'

export interface Credentials {
  temporaryPassword: string
  passwordHash: string
}

/**
 * A temporary password and its hash, made before the transaction that uses them: hashing takes milliseconds, so whatever
 * can be refused is looked at even before.
 *
 * @throws ServiceError `rate_limited` when the partner has too much waiting
 */
export async function prepareCredentials(partnerId: string): Promise<Credentials> {
  const temporaryPassword = newTemporaryPassword()
  return { temporaryPassword, passwordHash: await hashPassword(temporaryPassword, `partner ${partnerId}`) }
}

/**
 * Opens the portal to the customer's owner and mails the invite; an earlier invite and temporary password end, and so
 * does every session in it.
 */
export async function grantPortalAccess(
  ctx: MailContext,
  tx: WriteHandle,
  customer: CustomerTable,
  { temporaryPassword, passwordHash }: Credentials
): Promise<CustomerTable> {
  const { id: customerId, partnerId, email } = customer
  const ownerIdentityId = await setTemporaryPassword(tx, partnerId, email, passwordHash)
  await endSessionsOfCustomer(tx, { ...customer, ownerIdentityId })
  const letter = { partnerId, customerId, recipient: email, params: recipientOf(customer), temporaryPassword }
  await mailLink(ctx, tx, 'portal_invite', { customerId }, { ...letter, template: 'portal_invite' })
  return updateCustomer(tx, partnerId, customerId, {
    ownerIdentityId,
    credentialStatus: 'active',
    customerPortalEnabled: 1
  })
}

/** How mails address the customer. */
export const recipientOf = ({
  firstName,
  companyName
}: Pick<CustomerTable, 'firstName' | 'companyName'>) => ({
  ...(firstName ? { recipientName: firstName } : {}),
  ...(companyName ? { companyName } : {})
})
