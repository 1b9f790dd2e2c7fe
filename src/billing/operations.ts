// How a partner bills.
import type { z } from 'zod'
import { BillingSettingsResult, SetBillingSettings } from '../../schemas/billing-settings.ts'
import { PROVIDERS } from '../../schemas/voice-agent.ts'
import { now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { isPostgres } from '../database/dialect.ts'
import { flag } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { invalidField } from '../invalid-input.ts'
import { fromMicros, toMicros } from '../money.ts'
import { defineOperation, SETS } from '../operation.ts'
import { ofAccount } from '../voice-agents/store.ts'
import { isTimeZone } from './calendar.ts'
import { billingTermsOf } from './ledger.ts'

/** Returns your currency and time zone, prices per minute, and what customers see of calls. */
export const getBillingSettings = defineOperation({
  name: 'billing_settings_get',
  scope: 'billing:read',
  output: BillingSettingsResult,
  async handle({ db }, { partnerId }) {
    const { showsCosts, showsRecordings, ...terms } = await billingTermsOf(db, partnerId)
    const keys = db.selectFrom('providerKey').where('partnerId', '=', partnerId)
    const prices = await keys.select(['provider', 'minutePriceMicros as micros']).execute()
    const data = {
      ...terms,
      isCurrencyFixed: await isCurrencyFixed(db, partnerId),
      showsCosts: showsCosts === 1,
      showsRecordings: showsRecordings === 1,
      minutePrices: Object.fromEntries(
        prices.map(({ provider, micros }) => [provider, micros === null ? null : fromMicros(micros)])
      )
    }
    return { data }
  }
})

/** Changes what is given of currency, time zone, prices per minute and what customers see of calls. */
export const setBillingSettings = defineOperation({
  name: 'billing_settings_set',
  title: 'Set how you bill',
  scope: 'billing:write',
  input: SetBillingSettings,
  annotations: SETS,
  errors: ['provider_key_not_found'],
  async write(tx, ctx, { partnerId }, changes) {
    await changeSettings(tx, partnerId, changes)
    await ctx.audit(tx, { targetType: 'partner', targetId: partnerId, fields: Object.keys(changes) })
    return { message: 'The settings are saved.' }
  }
})

/** Amounts that are owed, and prices of plans, are in it; they are not converted. */
async function isCurrencyFixed(db: ReadHandle, partnerId: string): Promise<boolean> {
  const owed = db.selectFrom('billingAccount').where('partnerId', '=', partnerId).select('partnerId')
  const priced = db.selectFrom('plan').where('partnerId', '=', partnerId).where('priceMicros', 'is not', null)
  const some = await owed.limit(1).executeTakeFirst()
  return (some ?? (await priced.select('partnerId').limit(1).executeTakeFirst())) !== undefined
}

/**
 * A price per minute counts for calls that are read from now on, a time zone for statements that begin from now on.
 *
 * @throws ServiceError `invalid_input` for a zone that there isn't and for another currency where amounts are in the one
 *   that is set, and `provider_key_not_found`
 */
async function changeSettings(
  tx: WriteHandle,
  partnerId: string,
  { currency, timeZone, showsCosts, showsRecordings, minutePrices = {} }: z.output<typeof SetBillingSettings>
) {
  // Whoever writes a customer's first amount holds the partner as it is, and is waited for, or waits.
  if (currency !== undefined && isPostgres(tx))
    await tx.selectFrom('partner').where('id', '=', partnerId).select('id').forUpdate().execute()
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw invalidField('timeZone', 'must be a zone of the IANA database such as Europe/Lisbon')
  const { currency: before } = await billingTermsOf(tx, partnerId)
  if (currency !== undefined && currency !== before && (await isCurrencyFixed(tx, partnerId)))
    throw invalidField('currency', `stays ${before}: what was charged and plans’ prices are in it`)
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
      .where(ofAccount({ partnerId, provider }))
      .executeTakeFirst()
    if (numUpdatedRows === 0n && price !== null)
      throw new ServiceError('provider_key_not_found', 'Set the provider’s key first: its calls cost this.', {
        field: `minutePrices.${provider}`
      })
  }
}

export const billingOperations = [getBillingSettings, setBillingSettings]
