// Somebody who is signed in to the attacker's portal, and does there as fast as it can what people do by hand.
import type { Service } from '../../src/service.ts'
import { openSession } from '../portal/customer-visitors.ts'
import { run, stringAt, type TestPartner, uniqueEmail } from '../support/fixture.ts'

export interface PortalOwner {
  customerId: string
  /** The portal's path. */
  base: string
  cookie: string
}

/** A customer whose owner has a session. */
export async function makePortalOwner(
  service: Service,
  { partnerId, slug }: TestPartner
): Promise<PortalOwner> {
  const email = uniqueEmail()
  const basic = { email, firstName: 'Mallory' }
  const onboarded = await run(service, partnerId, 'customer_onboard', { basic, allowPortalAccess: true })
  const customerId = stringAt(onboarded, 'data', 'id')
  await run(service, partnerId, 'customer_update', { customerId, maxTeamMembers: 1_000 })
  const token = await openSession(service, partnerId, email)
  return { customerId, base: `/portal/${slug}`, cookie: `mindgate_portal=${token}` }
}

/** Sends JSON as the portal's own pages do. */
export const postTo = (url: string, { cookie }: PortalOwner, body: unknown): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(body)
  })
