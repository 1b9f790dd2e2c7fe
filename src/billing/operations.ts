import { BillingSettingsResult, SetBillingSettings } from '../../schemas/billing-settings.ts'
import { Acknowledgement, NoInput } from '../../schemas/envelope.ts'
import { defineOperation, READS, SETS } from '../operation.ts'
import { billingSettingsOf, changeBillingSettings } from './settings.ts'

export const getBillingSettings = defineOperation({
  name: 'billing_settings_get',
  title: 'Get how you bill',
  summary: 'Returns your currency and time zone, prices per minute, and what customers see of calls.',
  scope: 'billing:read',
  channels: ['console'],
  input: NoInput,
  output: BillingSettingsResult,
  annotations: READS,
  async handle({ db }, { partnerId }) {
    return { data: await billingSettingsOf(db, partnerId) }
  }
})

export const setBillingSettings = defineOperation({
  name: 'billing_settings_set',
  title: 'Set how you bill',
  summary: 'Changes what is given of currency, time zone, prices per minute and what customers see of calls.',
  scope: 'billing:write',
  channels: ['console'],
  input: SetBillingSettings,
  output: Acknowledgement,
  annotations: SETS,
  errors: ['provider_key_not_found'],
  async handle(ctx, { partnerId }, changes) {
    return ctx.transaction(async (tx) => {
      await changeBillingSettings(tx, partnerId, changes)
      await ctx.audit(tx, { targetType: 'partner', targetId: partnerId, fields: Object.keys(changes) })
      return { message: 'The settings are saved.' }
    })
  }
})

export const billingOperations = [getBillingSettings, setBillingSettings]
