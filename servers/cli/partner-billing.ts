import { SetBillingSettings } from '../../schemas/billing-settings.ts'
import { getBillingSettings, setBillingSettings } from '../../src/billing/operations.ts'
import { commandOfPartner } from './command.ts'
import { jsonOf, onOff, textOf } from './values.ts'

const { currency, minutePrices } = SetBillingSettings.shape

export const billingCommand = commandOfPartner('billing', {
  about: 'show how a partner bills, and change what is given',
  example: [
    'mindgate partner billing --partner acme-voice --currency EUR --time-zone Europe/Lisbon',
    `mindgate partner billing --partner acme-voice --minute-prices '{"a": 0.05}'`
  ],
  options: (bare) =>
    bare
      .option('--currency <code>', 'ISO 4217; it stays once something was charged', textOf(currency))
      .option('--time-zone <zone>', 'where its days and months begin, such as Europe/Lisbon')
      .option('--shows-costs <on|off>', 'whether customers see what calls cost the partner', onOff)
      .option('--shows-recordings <on|off>', 'whether customers see links to recordings', onOff)
      .option(
        '--minute-prices <json>',
        'what a minute costs beside, by provider, in US dollars; null takes it away',
        jsonOf(minutePrices)
      ),
  async run(
    { operate, printCard, partner },
    { currency: code, timeZone, showsCosts, showsRecordings, minutePrices: prices }
  ) {
    const given = { currency: code, timeZone, showsCosts, showsRecordings, minutePrices: prices }
    const isAsked = Object.values(given).every((value) => value === undefined)
    const { data } = await (isAsked ? operate(getBillingSettings, {}) : operate(setBillingSettings, given))
    printCard(data, `How ${partner.slug} bills`, {
      Currency: data.currency,
      'Time zone': data.timeZone,
      'Customers see':
        [data.showsCosts && 'costs', data.showsRecordings && 'recordings'].filter(Boolean).join(', ') || null,
      'Minutes cost': JSON.stringify(data.minutePrices)
    })
  }
})
