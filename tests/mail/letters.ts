// Letters as the operations write them: a link and its mail in one transaction.
import { fromNow } from '../../src/clock.ts'
import type { ReadHandle } from '../../src/database/database.ts'
import type { Tables } from '../../src/database/tables.ts'
import type { Outbox } from '../../src/mail/outbox.ts'
import type { Letter } from '../../src/mail/templates/letters.ts'
import { mintLink } from '../../src/portal-access/links.ts'
import { newTemporaryPassword } from '../../src/portal-access/passwords.ts'
import type { Service } from '../../src/service.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'

export interface Addressee {
  partnerId: string
  customerId: string
  email: string
}

/** A partner with one customer. */
export async function makeAddressee(
  service: Service,
  partner: Parameters<typeof makePartnerRow>[1] = {}
): Promise<Addressee> {
  const { id: partnerId } = await makePartnerRow(service, partner)
  const { id: customerId, email } = await makeCustomerRow(service, partnerId)
  return { partnerId, customerId, email }
}

export interface WrittenLetter {
  mailId: string
  linkToken: string
  temporaryPassword: string
}

/** Writes a mail to the addressee, with a link that works; a portal invite unless told otherwise. */
export async function writeLetter(
  service: Service,
  { partnerId, customerId, email }: Addressee,
  {
    template = 'portal_invite',
    outbox = service.outbox,
    ...given
  }: Partial<Pick<Letter, 'template' | 'params' | 'recipient'>> & { outbox?: Outbox } = {}
): Promise<WrittenLetter> {
  const temporaryPassword = newTemporaryPassword()
  return service.database.transaction(async (tx) => {
    const earlier = await mailIds(tx, customerId)
    const purpose =
      template === 'password_forgotten'
        ? 'password_reset'
        : template === 'console_invite'
          ? 'console_password'
          : template
    const linkToken = await mintLink(tx, partnerId, purpose, { customerId })
    const isInvite = template === 'portal_invite'
    await outbox.enqueue(tx, {
      partnerId,
      customerId,
      template,
      recipient: email,
      params: {},
      secret: { linkToken, ...(isInvite ? { temporaryPassword } : {}) },
      ...given
    })
    const mailId = (await mailIds(tx, customerId)).find((id) => !earlier.includes(id)) ?? ''
    return { mailId, linkToken, temporaryPassword }
  })
}

async function mailIds(db: ReadHandle, customerId: string): Promise<string[]> {
  const mails = await db.selectFrom('mail').where('customerId', '=', customerId).select('id').execute()
  return mails.map(({ id }) => id)
}

/** The mail's row. */
export const mailRow = (service: Service, mailId: string): Promise<Tables['mail']> =>
  service.database.read.selectFrom('mail').where('id', '=', mailId).selectAll().executeTakeFirstOrThrow()

/** As if so much time had passed: who held the lease is dead. */
export const endLease = (service: Service, mailId: string) =>
  service.database.transaction((tx) =>
    tx
      .updateTable('mail')
      .set({ leaseExpiresAt: fromNow(-1) })
      .where('id', '=', mailId)
      .execute()
  )
