// How a partner bills.
import type { z } from 'zod'
import type { BillingSettings, SetBillingSettings } from '../../schemas/billing-settings.ts'
import { PROVIDERS } from '../../schemas/voice-agent.ts'
import { now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { isPostgres } from '../database/dialect.ts'
import { flag } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { invalidField } from '../invalid-input.ts'
import { fromMicros, toMicros } from '../money.ts'
import { isTimeZone } from './calendar.ts'

export async function billingSettingsOf(
  db: ReadHandle,
  partnerId: string
): Promise<z.output<typeof BillingSettings>> {
  const partner = await db
    .selectFrom('partner')
    .where('id', '=', partnerId)
    .select(['currency', 'timeZone', 'showsCosts', 'showsRecordings'])
    .executeTakeFirstOrThrow()
  const keys = await db
    .selectFrom('providerKey')
    .where('partnerId', '=', partnerId)
    .select(['provider', 'minutePriceMicros as micros'])
    .execute()
  return {
    ...partner,
    isCurrencyFixed: await isCurrencyFixed(db, partnerId),
    showsCosts: partner.showsCosts === 1,
    showsRecordings: partner.showsRecordings === 1,
    minutePrices: Object.fromEntries(
      keys.map(({ provider, micros }) => [provider, micros === null ? null : fromMicros(micros)])
    )
  }
}

/** Amounts that are owed, and prices of plans, are in it; they are not converted. */
async function isCurrencyFixed(db: ReadHandle, partnerId: string): Promise<boolean> {
  const owed = db.selectFrom('billingAccount').where('partnerId', '=', partnerId).select('partnerId')
  const priced = db.selectFrom('plan').where('partnerId', '=', partnerId).where('priceMicros', 'is not', null)
  const some = await owed.limit(1).executeTakeFirst()
  return (some ?? (await priced.select('partnerId').limit(1).executeTakeFirst())) !== undefined
}

/**
 * Changes what is given. A price per minute counts for calls that are read from now on, a time zone for statements that
 * begin from now on.
 *
 * @throws ServiceError `invalid_input` for a zone that there isn't and for another currency where amounts are in the one
 *   that is set, and `provider_key_not_found`
 */
export async function changeBillingSettings(
  tx: WriteHandle,
  partnerId: string,
  { currency, timeZone, showsCosts, showsRecordings, minutePrices = {} }: z.output<typeof SetBillingSettings>
) {
  // Whoever writes a customer's first amount holds the partner as it is, and is waited for, or waits.
  if (currency !== undefined && isPostgres(tx))
    await tx.selectFrom('partner').where('id', '=', partnerId).select('id').forUpdate().execute()
  const before = await billingSettingsOf(tx, partnerId)
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw invalidField('timeZone', 'must be a zone of the IANA database such as Europe/Lisbon')
  if (currency !== undefined && currency !== before.currency && before.isCurrencyFixed)
    throw invalidField('currency', `stays ${before.currency}: what was charged and plans’ prices are in it`)
  await tx
    .updateTable('partner')
    .set({
      currency,
      timeZone,
      showsCosts: flag(showsCosts),
      showsRecordings: flag(showsRecordings),
      updatedAt: now()
    })
    .where('id', '=', partnerId)
    .execute()
  for (const provider of PROVIDERS) {
    const price = minutePrices[provider]
    if (price === undefined) continue
    const { numUpdatedRows } = await tx
      .updateTable('providerKey')
      .set({ minutePriceMicros: price === null ? null : toMicros(price) })
      .where('partnerId', '=', partnerId)
      .where('provider', '=', provider)
      .executeTakeFirst()
    if (numUpdatedRows === 0n && price !== null)
      throw new ServiceError('provider_key_not_found', 'Set the provider’s key first: its calls cost this.', {
        field: `minutePrices.${provider}`
      })
  }
}
