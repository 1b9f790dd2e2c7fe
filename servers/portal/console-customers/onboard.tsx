import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import { OnboardCustomer } from '../../../schemas/customer.ts'
import { INTAKE_PARTS } from '../../../schemas/customer-fields.ts'
import { formText, kindOf } from '../../../schemas/fields.ts'
import { type PriceEstimate as EstimateOutput, EstimatePrice } from '../../../schemas/price-estimate.ts'
import { estimatePriceOperation, onboardCustomer } from '../../../src/customers/operations.ts'
import { formatMoney } from '../../../src/money.ts'
import { type Choices, FieldControls, type FormField, fieldsOf, typedInput } from '../field-control.tsx'
import type { FormState } from '../form-state.ts'
import type { Form as Submitted } from '../forms.ts'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { Fieldset } from '../ui/field.tsx'
import { Form, SaveBar, Submit } from '../ui/form.tsx'
import { Card, Prose } from '../ui/layout.tsx'
import { decimal, inWords, roundedMoney } from '../ui/values.tsx'
import { planChoices } from './plan-choices.ts'
import { CUSTOMERS, customerPath, ONBOARD } from './words.tsx'

export const onboardPage: Page = {
  show: answerOnboarding,
  forms: {
    async ''(context, form) {
      const { message, data } = await callOperation(context, onboardCustomer, intakeOf(form), form)
      const price = formatMoney(data.estimatedPrice, data.currency)
      const next = customerPath(data.id)
      return { message: `${message} The estimated price is ${price} a month.`, next }
    },
    /** What the answers so far come to; nothing is kept. */
    estimate: (context, form) => answerOnboarding(context, { values: form.values, form })
  }
}

/** The questions, by the part of the operation's input that holds the answers. */
const INTAKE = Object.entries(INTAKE_PARTS).map(([part, object]) => ({
  part,
  legend: formText(object).label,
  fields: fieldsOf(object.shape).map(unticked)
}))

const { isQuickOnboarding, allowPortalAccess, planId, startingCredits } = OnboardCustomer.shape
const START = fieldsOf({ planId, startingCredits, allowPortalAccess, isQuickOnboarding }).map(unticked)

/** A box that isn't ticked says no. */
function unticked(field: FormField): FormField {
  return kindOf(field.schema) === 'flag' ? { ...field, control: 'switch' } : field
}

const ESTIMATE = `${ONBOARD}/estimate`

const intakeOf = (form: Submitted): Record<string, unknown> => ({
  ...Object.fromEntries(INTAKE.map(({ part, fields }) => [part, typedInput(form, fields)])),
  ...typedInput(form, START)
})

async function answerOnboarding(context: PageContext, state?: FormState): Promise<Response> {
  const plans = await planChoices(context, 'subscription')
  const { data: estimate } = await callOperation(context, estimatePriceOperation, pricedIn(state?.form))
  const breadcrumbs = [{ href: CUSTOMERS, label: 'Customers' }]
  return showPage(
    context,
    { title: 'Onboard a customer', current: 'customers', breadcrumbs, state },
    <>
      <Prose>
        <p>
          Only the e-mail address is needed. The answers make the estimated price, and you can change them
          later.
        </p>
      </Prose>
      <Card>
        <Form action={ONBOARD} guarded asks={ESTIMATE}>
          {INTAKE.map(({ legend, fields }) => (
            <Fieldset legend={legend}>
              <FieldControls of={fields} choices={pricedChoices(estimate)} isOpen state={state} />
            </Fieldset>
          ))}
          <Fieldset legend="Start">
            <FieldControls
              of={START}
              choices={{ planId: [{ value: '', label: 'No plan' }, ...plans] }}
              saved={{ allowPortalAccess: true }}
              state={state}
            />
          </Fieldset>
          <SaveBar>
            <Submit cancelHref={CUSTOMERS}>Onboard customer</Submit>
            <Estimate {...estimate} />
          </SaveBar>
        </Form>
      </Card>
    </>
  )
}

/** The answers that were sent, as far as they count: a short intake is priced by its call volume alone. */
function pricedIn(form: Submitted | undefined): Record<string, unknown> {
  if (!form) return {}
  const answers = Object.assign({}, ...Object.values(intakeOf(form)).map(Object))
  const counted = form.flag(IS_SHORT) ? ['monthlyCallVolume'] : Object.keys(EstimatePrice.shape)
  return Object.fromEntries(counted.map((name) => [name, answers[name]]))
}

const IS_SHORT = 'isQuickOnboarding'

type PriceEstimate = z.output<typeof EstimateOutput>['data']

const Estimate: FC<PriceEstimate> = ({ estimatedPrice, currency, priceLines }) => (
  <div>
    <p data-part="estimate" role="status">
      Estimated price: <b>{roundedMoney(estimatedPrice, currency)}</b> a month
      <span class="help">
        {priceLines.length > 1 &&
          ` ${priceLines.map(({ item, amount }) => `${item.toLowerCase()} ${roundedMoney(amount, currency)}`).join(', ')}`}
      </span>
    </p>
    <button type="submit" class="button plain unscripted" formaction={ESTIMATE} formnovalidate>
      Estimate
    </button>
  </div>
)

/** What there is to answer where the price hangs on it, with what it comes to. */
function pricedChoices({ answers, currency }: PriceEstimate): Record<string, Choices> {
  const byFactor = (known: PriceEstimate['answers']['callComplexity']) =>
    known.map(({ value, factor }) => ({ value, label: `${inWords(value)}: ${surcharge(factor)}` }))
  const named = (...names: string[]) => names.map((name) => ({ value: name, label: name }))
  return {
    monthlyCallVolume: answers.monthlyCallVolume.map(({ value, base }) => ({
      value,
      label: `${value.replaceAll(/\d+/g, (digits) => decimal(Number(digits))).replace('-', '–')} calls: ${roundedMoney(base, currency)}`
    })),
    callComplexity: byFactor(answers.callComplexity),
    scriptComplexity: byFactor(answers.scriptComplexity),
    languages: named('English', 'Spanish', 'French', 'German', 'Portuguese', 'Italian', 'Arabic', 'Japanese'),
    crmSystem: named('None', 'HubSpot', 'Salesforce', 'GoHighLevel', 'Pipedrive', 'Zoho'),
    phoneSystem: named('None', 'Twilio', 'RingCentral', 'Vonage', 'Aircall', '3CX')
  }
}

const surcharge = (factor: number): string =>
  factor === 1 ? 'as the base' : decimal(factor - 1, { style: 'percent', signDisplay: 'always' })
