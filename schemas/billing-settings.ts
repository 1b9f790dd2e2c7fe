// How a partner bills: in which currency and by which clocks, and what its customers see of it.
import { z } from 'zod'
import { inMillionths, Money, said, told } from './primitives.ts'
import { PROVIDER_APIS, type Provider } from './voice-agent.ts'

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

const Currency = z
  .string()
  .max(10)
  .toUpperCase()
  .refine((code) => CURRENCIES.has(code), 'must be a code of ISO 4217 such as EUR')

const minutePriceAt = (provider: Provider) => {
  const { name } = PROVIDER_APIS[provider]
  const meaning =
    'What a minute costs beside what the provider charges, where there is a key; null takes it away.'
  return said(inMillionths(Money), meaning, 0.02, {
    label: `Price per minute at ${name}`,
    help: `US dollars that a minute costs you beside what ${name} charges, such as for models under your own keys. It is part of the cost of calls that are read from now on.`
  }).nullable()
}
const prices = { a: minutePriceAt('a'), b: minutePriceAt('b') } satisfies Record<Provider, unknown>

const settings = {
  currency: said(Currency, 'Of every price and charge.', 'EUR', {
    label: 'Currency',
    help: 'Of every price and charge; nothing is converted. It stays as it is once something was charged or a plan has a price.'
  }),
  timeZone: said(z.string().max(100), 'In which days and months begin.', 'Europe/Lisbon', {
    label: 'Time zone',
    help: 'Days and months begin at its midnight. A change counts for statements that begin from now on.'
  }),
  showsCosts: told.flag('Whether customers see what their calls cost.', false, {
    label: 'Customers see costs',
    help: 'What a call cost you, beside what it is charged at. Off keeps your margin to yourself.'
  }),
  showsRecordings: told.flag('Whether customers see recordings.', false, {
    label: 'Customers see recordings',
    help: 'A link to the provider’s recording.'
  }),
  minutePrices: z.strictObject(prices).partial()
}

/** What is left out stays. */
export const SetBillingSettings = z.strictObject(settings).partial()

/** `isCurrencyFixed`: there are amounts in it. */
export const BillingSettings = z.object({ ...settings, currency: z.string(), isCurrencyFixed: z.boolean() })

export const BillingSettingsResult = z.object({ data: BillingSettings })
