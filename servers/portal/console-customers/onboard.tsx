import { OnboardCustomer } from '../../../schemas/customer.ts'
import { INTAKE_PARTS } from '../../../schemas/customer-fields.ts'
import { formText, kindOf } from '../../../schemas/fields.ts'
import { onboardCustomer } from '../../../src/customers/operations.ts'
import { formatMoney } from '../../../src/money.ts'
import { FieldControl, type FormField, fieldsOf, typedInput } from '../field-control.tsx'
import type { FormState } from '../form-state.ts'
import type { Form as Submitted } from '../forms.ts'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { Fieldset } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Card, Prose } from '../ui/layout.tsx'
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
  fields: fieldsOf(object.shape).map(unticked)
}))

const { isQuickOnboarding, allowPortalAccess, planId, startingCredits } = OnboardCustomer.shape
const START = fieldsOf({ planId, startingCredits, allowPortalAccess, isQuickOnboarding }).map(unticked)

/** A box that isn't ticked says no. */
function unticked(field: FormField): FormField {
  return kindOf(field.schema) === 'flag' ? { ...field, control: 'switch' } : field
}

const intakeOf = (form: Submitted): Record<string, unknown> => ({
  ...Object.fromEntries(INTAKE.map(({ part, fields }) => [part, typedInput(form, fields)])),
  ...typedInput(form, START)
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
                <FieldControl field={field} state={state} />
              ))}
            </Fieldset>
          ))}
          <Fieldset legend="Start">
            {START.map((field) => (
              <FieldControl
                {...{ field, state }}
                choices={field.schema === planId ? [{ value: '', label: 'No plan' }, ...plans] : undefined}
                saved={field.schema === allowPortalAccess ? true : undefined}
              />
            ))}
          </Fieldset>
          <Submit cancelHref={CUSTOMERS}>Onboard customer</Submit>
        </Form>
      </Card>
    </>
  )
}
