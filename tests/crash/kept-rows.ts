// What onboardings left in the tables, as lists that can be held whole against what should be there: nothing missing,
// nothing twice, nothing left over.
import type { ReadHandle } from '../../src/database/database.ts'
import { at } from '../support/fixture.ts'

/** Rows of one partner, each list in the order of its first column. */
export interface KeptRows {
  /** Id, e-mail, credential status, and the e-mail of the identity that owns it. */
  customers: [string, string, string, string | null][]
  /** E-mails. */
  identities: string[]
  /** Customer, purpose. The console user's own link is none of an onboarding's. */
  links: [string | null, string][]
  /** Customer, recipient, template, status. */
  mails: [string | null, string, string, string][]
  /** Target, operation. */
  acts: [string, string][]
  /** Key, id of the customer in the kept answer, whether anybody still works on it. */
  keys: [string, unknown, boolean][]
  /** Ids and Message-IDs of the mails. */
  letters: { id: string; messageId: string; recipient: string }[]
}

export async function keptRows(db: ReadHandle, partnerId: string): Promise<KeptRows> {
  const customers = await db
    .selectFrom('customer')
    .leftJoin('identity', 'identity.id', 'customer.ownerIdentityId')
    .where('customer.partnerId', '=', partnerId)
    .select(['customer.id', 'customer.email', 'credentialStatus', 'identity.email as owner'])
    .orderBy('customer.id')
    .execute()
  const identities = await db
    .selectFrom('identity')
    .where('partnerId', '=', partnerId)
    .select('email')
    .orderBy('email')
    .execute()
  const links = await db
    .selectFrom('accessLink')
    .where('partnerId', '=', partnerId)
    .where('partnerUserId', 'is', null)
    .select(['customerId', 'purpose'])
    .orderBy('customerId')
    .execute()
  const mails = await db
    .selectFrom('mail')
    .where('partnerId', '=', partnerId)
    .select(['id', 'customerId', 'recipient', 'template', 'status', 'messageId'])
    .orderBy('customerId')
    .execute()
  const acts = await db
    .selectFrom('audit')
    .where('partnerId', '=', partnerId)
    .select(['targetId', 'action'])
    .orderBy('targetId')
    .execute()
  const keys = await db
    .selectFrom('idempotency')
    .where('partnerId', '=', partnerId)
    .select(['key', 'answer', 'leaseOwner'])
    .orderBy('key')
    .execute()
  return {
    customers: customers.map(({ id, email, credentialStatus, owner }) => [
      id,
      email,
      credentialStatus,
      owner
    ]),
    identities: identities.map(({ email }) => email),
    links: links.map(({ customerId, purpose }) => [customerId, purpose]),
    mails: mails.map(({ customerId, recipient, template, status }) => [
      customerId,
      recipient,
      template,
      status
    ]),
    acts: acts.map(({ targetId, action }) => [targetId, action]),
    keys: keys.map(({ key, answer, leaseOwner }) => [
      key,
      at(JSON.parse(answer), 'data', 'id'),
      leaseOwner !== null
    ]),
    letters: mails.map(({ id, messageId, recipient }) => ({ id, messageId, recipient }))
  }
}

/** What must be there for these onboardings, and nothing else. */
export function expectedRows(
  onboardings: readonly { email: string; idempotencyKey: string; customerId: string }[]
): Omit<KeptRows, 'letters'> {
  const byId = sorted(onboardings, ({ customerId }) => customerId)
  return {
    customers: byId.map(({ customerId, email }) => [customerId, email, 'active', email]),
    identities: sorted(onboardings, ({ email }) => email).map(({ email }) => email),
    links: byId.map(({ customerId }) => [customerId, 'portal_invite']),
    mails: byId.map(({ customerId, email }) => [customerId, email, 'portal_invite', 'sent']),
    acts: byId.map(({ customerId }) => [customerId, 'customer_onboard']),
    keys: sorted(onboardings, ({ idempotencyKey }) => idempotencyKey).map(
      ({ idempotencyKey, customerId }) => [idempotencyKey, customerId, false]
    )
  }
}

const sorted = <T>(list: readonly T[], by: (one: T) => string): T[] =>
  [...list].sort((a, b) => (by(a) < by(b) ? -1 : 1))
