import type { WriteHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../ids.ts'
import { fromMicros } from '../money.ts'
import { type AccountOwner, addTo, insertEntries, markNoticed, openAccount, type Reason } from './store.ts'

/** The most that an account may hold; sums of micro-credits stay exact numbers far above it. */
const MOST_MICROS = 1_000_000_000_000_000

/**
 * Adds credits to the account, which is opened if it has to be. `paid` says what they were bought with: using those is
 * not billed again. Once they lift a balance to the threshold that was told last, the next fall below it is told again.
 *
 * @throws ServiceError `invalid_input` when the account would hold more than it may
 */
export async function grantCredits(
  tx: WriteHandle,
  owner: AccountOwner,
  { amountMicros, note, paid }: { amountMicros: number; note?: string | undefined; paid?: Reason }
) {
  await openAccount(tx, owner)
  const limits = { paidMicros: paid ? amountMicros : 0, mostMicros: MOST_MICROS - amountMicros }
  const moved = await addTo(tx, owner, amountMicros, limits)
  if (!moved) {
    const message = `An account holds at most ${fromMicros(MOST_MICROS)} credits. Grant less.`
    throw new ServiceError('invalid_input', message, { field: 'amount' })
  }
  const given = { kind: 'grant', operation: 'credits_grant', reference: newId('grt') } as const
  await insertEntries(tx, [moved], { ...(paid ?? given), note })
  const { noticedThresholdMicros, balanceMicros } = moved
  if (noticedThresholdMicros !== null && balanceMicros >= noticedThresholdMicros) {
    await markNoticed(tx, moved, null)
  }
  return { balanceMicros }
}

/** Opens a new partner's account with what it starts with. */
export async function openPartnerAccount(tx: WriteHandle, partnerId: string, initialMicros: number) {
  const owner = { partnerId, customerId: null }
  await openAccount(tx, owner)
  const moved = initialMicros > 0 && (await addTo(tx, owner, initialMicros))
  if (!moved) return
  await insertEntries(tx, [moved], { kind: 'initial', operation: 'partner_create', reference: partnerId })
}
