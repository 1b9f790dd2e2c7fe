// What more than one attack is made of: many calls at once, and people who sign in.
import { setTimeout as sleep } from 'node:timers/promises'
import { hashPassword } from '../../src/portal-access/passwords.ts'
import type { Service } from '../../src/service.ts'
import { onboard } from '../portal/site-client.ts'
import { uniqueEmail } from '../support/fixture.ts'
import type { Shot } from './fixture.ts'

const PASSWORD = 'nine patient lanterns'

/** Who is refused tries again after so long. */
const AGAIN_AFTER_MS = 1_000

/**
 * Keeps so many calls under way, from as many clients, until the signal fires.
 *
 * @returns how many were answered with each status
 */
export async function flood(
  signal: AbortSignal,
  clients: number,
  send: (client: number) => Promise<Response>
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  const work = async (client: number) => {
    while (!signal.aborted) {
      const answer = await send(client)
      await answer.arrayBuffer()
      counts[answer.status] = (counts[answer.status] ?? 0) + 1
      if (answer.status === 429 || answer.status === 400) await sleep(AGAIN_AFTER_MS)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => work(client)))
  return counts
}

/** A customer whose owner has a password; its e-mail address. */
export async function makeOwner(service: Service, partnerId: string): Promise<string> {
  const email = uniqueEmail()
  const { customerId } = await onboard(service, partnerId, email)
  const passwordHash = await hashPassword(PASSWORD, 'test')
  await service.database.transaction((tx) =>
    tx
      .updateTable('identity')
      .set({ passwordHash })
      .where('id', '=', (eb) =>
        eb.selectFrom('customer').where('customer.id', '=', customerId).select('ownerIdentityId')
      )
      .execute()
  )
  return email
}

/** Gives the partner's user of the console a password; its e-mail address. */
export async function makeConsoleUser(service: Service, partnerId: string): Promise<string> {
  const passwordHash = await hashPassword(PASSWORD, 'test')
  const { email } = await service.database.transaction((tx) =>
    tx
      .updateTable('partnerUser')
      .set({ passwordHash })
      .where('partnerId', '=', partnerId)
      .returning('email')
      .executeTakeFirstOrThrow()
  )
  return email
}

/** Somebody with that address signs in, to `/portal/{slug}` or `/console`. */
export const signIn = (site: string, email: string, address = '192.0.2.7'): Shot => ({
  name: `sign in to ${new URL(site).pathname}`,
  url: `${site}/sign-in`,
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
  body: JSON.stringify({ email, password: PASSWORD })
})
