// Partners and customers that pay, and what they have left.

import { chargeFor, type Payer } from '../../src/credits/payment.ts'
import { grantCredits, readAccount } from '../../src/credits/store.ts'
import type { CustomerTable } from '../../src/customers/table.ts'
import { ServiceError } from '../../src/errors.ts'
import { newId } from '../../src/ids.ts'
import { fromMicros, toMicros } from '../../src/money.ts'
import type { Service } from '../../src/service.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'

/** A partner with 1,000 credits and a customer with AI credits of its own, so many. */
export async function makePayer(
  service: Service,
  { credits = 0, ...given }: Partial<CustomerTable> & { credits?: number } = {}
): Promise<Payer> {
  const { id: partnerId } = await makePartnerRow(service)
  const customer = await makeCustomerRow(service, partnerId, { aiCreditsEnabled: 1, ...given })
  if (credits > 0) await grantTo(service, { partnerId, customer }, credits)
  return { partnerId, customer }
}

/** Grants credits to the customer. */
export const grantTo = (service: Service, { partnerId, customer }: Payer, credits: number) =>
  service.database.transaction((tx) =>
    grantCredits(tx, { partnerId, customerId: customer.id }, { amountMicros: toMicros(credits) })
  )

/** What both have left. */
export async function balancesOf(
  { database }: Service,
  { partnerId, customer }: Payer
): Promise<{ partner: number; customer: number }> {
  const partner = await readAccount(database.read, { partnerId, customerId: null })
  const own = await readAccount(database.read, { partnerId, customerId: customer.id })
  return { partner: fromMicros(partner.balanceMicros), customer: fromMicros(own.balanceMicros) }
}

/** What a payment needs of the operation's context. */
export const payingIn = ({ outbox }: Service) => ({ mail: outbox.enqueue })

/** Charges one credit so many times at once; how many were paid, and the codes of the refusals. */
export async function chargeAtOnce(
  service: Service,
  payer: Payer,
  times: number
): Promise<{ paid: number; refusals: string[] }> {
  const charges = await Promise.allSettled(
    Array.from({ length: times }, () =>
      service.database.transaction((tx) =>
        chargeFor(payingIn(service), tx, payer, {
          operation: 'memory_remember',
          priceMicros: toMicros(1),
          reference: newId('mem')
        })
      )
    )
  )
  const refusals = charges.flatMap((end) =>
    end.status === 'rejected'
      ? [end.reason instanceof ServiceError ? end.reason.code : String(end.reason)]
      : []
  )
  return { paid: times - refusals.length, refusals }
}
