// How a partner bills: in which currency and by which clocks, and what its customers see of it.
import { z } from 'zod'
import { inMillionths, Money } from './primitives.ts'
import type { Provider } from './voice-agent.ts'

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

const Currency = z
  .string()
  .max(10)
  .toUpperCase()
  .refine((code) => CURRENCIES.has(code), 'must be a code of ISO 4217 such as EUR')

/** What a minute costs the partner beside what its provider charges, where there is a key; null takes it away. */
const minutePrice = inMillionths(Money).nullable()
const minutePrices = z
  .strictObject({ a: minutePrice, b: minutePrice } satisfies Record<Provider, unknown>)
  .partial()

const settings = {
  currency: Currency,
  timeZone: z.string().max(100),
  showsCosts: z.boolean(),
  showsRecordings: z.boolean(),
  minutePrices
}

/** What is left out stays. */
export const SetBillingSettings = z.strictObject(settings).partial()

/** `isCurrencyFixed`: there are amounts in it. */
export const BillingSettings = z.object({ ...settings, currency: z.string(), isCurrencyFixed: z.boolean() })

export const BillingSettingsResult = z.object({ data: BillingSettings })
