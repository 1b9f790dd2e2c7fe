// How the partner bills: in which currency, by which clocks, and what its customers see of calls.
import { SetBillingSettings } from '../../../schemas/billing-settings.ts'
import { getBillingSettings, setBillingSettings } from '../../../src/billing/operations.ts'
import { lazily } from '../../../src/once.ts'
import { type Choices, FieldControls, fieldsOf, typedInput } from '../field-control.tsx'
import type { FormState } from '../form-state.ts'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { pathTo } from './address.ts'

const { minutePrices, ...settings } = SetBillingSettings.shape
const FIELDS = fieldsOf(settings)
const PRICES = fieldsOf(minutePrices.unwrap().shape)

export const billingPage: Page = {
  show: showBilling,
  forms: {
    ''(context, form) {
      const prices = PRICES.filter(({ name }) => form.values[name] !== undefined)
      const input = { ...typedInput(form, FIELDS), minutePrices: typedInput(form, prices) }
      return callOperation(context, setBillingSettings, input)
    }
  }
}

/** To list them takes some 30 ms: not at every start. */
const supported = lazily(() => ({
  names: new Intl.DisplayNames('en', { type: 'currency' }),
  currencies: Intl.supportedValuesOf('currency'),
  zones: ['UTC', ...Intl.supportedValuesOf('timeZone')]
}))

async function showBilling(context: PageContext, state?: FormState): Promise<Response> {
  const { data: saved } = await callOperation(context, getBillingSettings)
  const { names, ...all } = supported()
  const currencies = saved.isCurrencyFixed ? [saved.currency] : all.currencies
  // A zone has more names than the list.
  const zones = all.zones.includes(saved.timeZone) ? all.zones : [saved.timeZone, ...all.zones]
  const choices: Record<string, Choices> = {
    currency: currencies.map((code) => ({ value: code, label: `${code} · ${names.of(code)}` })),
    timeZone: zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))
  }
  const prices = PRICES.filter(({ name }) => Reflect.has(saved.minutePrices, name))
  return showPage(
    context,
    { title: 'Billing settings', current: 'billing', state },
    <Card>
      <Form action={pathTo('billing')}>
        <FieldControls
          of={[...FIELDS, ...prices]}
          choices={choices}
          saved={{ ...saved, ...saved.minutePrices }}
          state={state}
        />
        <Submit>Save settings</Submit>
      </Form>
    </Card>
  )
}
