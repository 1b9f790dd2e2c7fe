import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import { OnboardCustomer } from '../../../schemas/customer.ts'
import { INTAKE_PARTS } from '../../../schemas/customer-fields.ts'
import { formText, kindOf } from '../../../schemas/fields.ts'
import { onboardCustomer } from '../../../src/customers/operations.ts'
import { formatMoney } from '../../../src/money.ts'
import { asked, type FormState, typed } from '../form-state.ts'
import type { Form as Submitted } from '../forms.ts'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { Checkbox, Fieldset, Select } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Card, Prose } from '../ui/layout.tsx'
import { type Control, controlOf, typedValue } from './detail-values.ts'
import { type Choices, FieldControl } from './field-control.tsx'
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
    }
  }
}

/** The questions, by the part of the operation's input that holds the answers. */
const INTAKE = Object.entries(INTAKE_PARTS).map(([part, object]) => ({
  part,
  legend: formText(object).label,
  fields: Object.entries<z.ZodType>(object.shape).map(([name, schema]) => {
    const field = { name, schema }
    // A box that isn't ticked says no.
    const control: Control = kindOf(schema) === 'flag' ? 'switch' : controlOf(field)
    return { field, control }
  })
}))

const STARTING_CREDITS = { name: 'startingCredits', schema: OnboardCustomer.shape.startingCredits }

const intakeOf = (form: Submitted): Record<string, unknown> => ({
  ...Object.fromEntries(
    INTAKE.map(({ part, fields }) => [
      part,
      Object.fromEntries(fields.map(({ field, control }) => [field.name, typedValue(form, field, control)]))
    ])
  ),
  planId: form.text('planId'),
  startingCredits: typedValue(form, STARTING_CREDITS),
  allowPortalAccess: form.flag('allowPortalAccess'),
  isQuickOnboarding: form.flag('isQuickOnboarding')
})

async function answerOnboarding(context: PageContext, state?: FormState): Promise<Response> {
  const plans = await planChoices(context, 'subscription')
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
        <Form action={ONBOARD}>
          {INTAKE.map(({ legend, fields }) => (
            <Fieldset legend={legend}>
              {fields.map((field) => (
                <FieldControl {...field} state={state} />
              ))}
            </Fieldset>
          ))}
          <Start plans={plans} state={state} />
          <Submit cancelHref={CUSTOMERS}>Onboard customer</Submit>
        </Form>
      </Card>
    </>
  )
}

const Start: FC<{ plans: Choices[string]; state: FormState | undefined }> = ({ plans, state }) => (
  <Fieldset legend="Start">
    <Select
      {...asked(state, 'planId', 'Plan')}
      options={[{ value: '', label: 'No plan' }, ...plans]}
      help="The customer gets the plan’s features, and its trial."
    />
    <FieldControl field={STARTING_CREDITS} state={state} />
    <Checkbox
      label="Invite to the portal"
      name="allowPortalAccess"
      checked={state ? typed(state, 'allowPortalAccess') !== '' : true}
      help="Mails an invite with a temporary password. You can also send it later."
    />
    <Checkbox
      label="Quick onboarding"
      name="isQuickOnboarding"
      checked={typed(state, 'isQuickOnboarding') !== ''}
      help="The price comes from the call volume alone, and the intake counts as not complete."
    />
  </Fieldset>
)
