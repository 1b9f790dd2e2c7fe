// How the partner bills: in which currency, by which clocks, and what its customers see of calls.
import { PROVIDER_APIS, PROVIDERS } from '../../../schemas/voice-agent.ts'
import { getBillingSettings, setBillingSettings } from '../../../src/billing/operations.ts'
import { numberOf } from '../console-customers/detail-values.ts'
import { asked, type FormState, typed } from '../form-state.ts'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { Checkbox, Field, Select } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { pathTo } from './address.ts'

export const billingPage: Page = {
  show: showBilling,
  forms: {
    ''(context, form) {
      const prices = PROVIDERS.filter((provider) => form.values[provider] !== undefined)
      return callOperation(context, setBillingSettings, {
        currency: form.text('currency'),
        timeZone: form.text('timeZone'),
        showsCosts: form.flag('showsCosts'),
        showsRecordings: form.flag('showsRecordings'),
        minutePrices: Object.fromEntries(
          prices.map((provider) => [provider, numberOf(form.text(provider) ?? '') || null])
        )
      })
    }
  }
}

const NAMES = new Intl.DisplayNames('en', { type: 'currency' })
const CURRENCIES = Intl.supportedValuesOf('currency').map((code) => ({
  value: code,
  label: `${code} · ${NAMES.of(code)}`
}))
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')]

const SHOWN = [
  {
    name: 'showsCosts',
    label: 'Costs',
    help: 'What a call cost you, beside what it is charged at. Off keeps your margin to yourself.'
  },
  { name: 'showsRecordings', label: 'Recordings', help: 'A link to the provider’s recording.' }
] as const

async function showBilling(context: PageContext, state?: FormState): Promise<Response> {
  const { data: saved } = await callOperation(context, getBillingSettings)
  // A zone has more names than the list.
  const zones = ZONES.includes(saved.timeZone) ? ZONES : [saved.timeZone, ...ZONES]
  return showPage(
    context,
    { title: 'Billing', current: 'billing', state },
    <Form action={pathTo('billing')}>
      <Card title="Amounts and periods">
        {saved.isCurrencyFixed ? (
          <Field
            {...asked(state, 'currency', 'Currency', saved.currency)}
            help="It stays: what was charged and your plans’ prices are in it."
            readonly
          />
        ) : (
          <Select
            {...asked(state, 'currency', 'Currency', saved.currency)}
            options={CURRENCIES}
            help="Of every price and charge; nothing is converted. It stays as it is once something was charged or a plan has a price."
          />
        )}
        <Select
          {...asked(state, 'timeZone', 'Time zone', saved.timeZone)}
          options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
          help="Days and months begin at its midnight. A change counts for statements that begin from now on."
        />
        {PROVIDERS.filter((provider) => saved.minutePrices[provider] !== undefined).map((provider) => {
          const [{ name }, price] = [PROVIDER_APIS[provider], saved.minutePrices[provider] ?? '']
          return (
            <Field
              {...asked(state, provider, `Price per minute at ${name}`, String(price))}
              type="number"
              inputmode="decimal"
              min={0}
              step="any"
              help={`US dollars that a minute costs you beside what ${name} charges, such as for models under your own keys. It is part of the cost of calls that are read from now on.`}
            />
          )
        })}
      </Card>
      <Card title="What customers see of calls">
        {SHOWN.map(({ name, ...shown }) => (
          <Checkbox name={name} checked={state ? typed(state, name) !== '' : saved[name]} {...shown} />
        ))}
      </Card>
      <Submit>Save settings</Submit>
    </Form>
  )
}
