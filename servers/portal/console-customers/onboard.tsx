// Onboarding a customer: an e-mail address is enough, everything else can follow.

import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { OnboardCustomerResult } from '../../../schemas/customer.ts'
import type { Plan } from '../../../schemas/plan.ts'
import { onboardCustomer } from '../../../src/customers/operations.ts'
import { listPlansOperation } from '../../../src/plans/operations.ts'
import { page } from '../answer.tsx'
import { asked, type FormState, typed } from '../form-state.ts'
import { ConsolePage } from '../frames.tsx'
import { callOperation, type Page, type PageContext } from '../page-kit.tsx'
import { Checkbox, Field, Fieldset, Select, TextArea } from '../ui/field.tsx'
import { Form, FormError, Submit } from '../ui/form.tsx'
import { Card, Prose } from '../ui/layout.tsx'
import { INTAKE_GROUPS, type IntakeField, intakeOf } from './intake.ts'
import { CUSTOMERS, customerPath, ONBOARD } from './paths.ts'

export const onboardPage: Page = {
  show: answerOnboarding,
  forms: {
    async ''(context, form) {
      const { message, data } = await callOperation(context, onboardCustomer, intakeOf(form), form)
      return { message: `${message} ${priceText(data)}`, next: customerPath(data.id) }
    }
  }
}

/** The page that follows shows the lines of it. */
function priceText({ estimatedPrice }: z.output<typeof OnboardCustomerResult>['data']): string {
  return `The estimated price is ${estimatedPrice.toLocaleString('en', { minimumFractionDigits: 2 })} a month.`
}

/** More than anybody offers. */
const SHOWN_PLANS = 100

async function answerOnboarding(context: PageContext, state?: FormState): Promise<Response> {
  const { data: plans } = await callOperation(context, listPlansOperation, {
    kind: 'subscription',
    limit: SHOWN_PLANS
  })
  return page(
    context.c,
    <ConsolePage
      c={context.c}
      title="Onboard a customer"
      current="customers"
      breadcrumbs={[{ href: CUSTOMERS, label: 'Customers' }]}
    >
      <Prose>
        <p>
          Only the e-mail address is needed. The answers make the estimated price, and you can change them
          later.
        </p>
      </Prose>
      <Card>
        <Form action={ONBOARD}>
          <FormError refusal={state?.refusal} />
          {INTAKE_GROUPS.map(({ legend, fields }) => (
            <Fieldset legend={legend}>
              {fields.map((field) => (
                <IntakeControl field={field} state={state} />
              ))}
            </Fieldset>
          ))}
          <Start plans={plans} state={state} />
          <Submit cancelHref={CUSTOMERS}>Onboard customer</Submit>
        </Form>
      </Card>
    </ConsolePage>,
    state?.refusal?.status ?? 200
  )
}

const _FIELD_NAMES = [...INTAKE_GROUPS.flatMap(({ fields }) => fields.map(({ name }) => name)), 'planId']

const IntakeControl: FC<{ field: IntakeField; state: FormState | undefined }> = ({ field, state }) => {
  const { name, label, help, kind, maxlength } = field
  const { value, ...box } = { ...asked(state, name, label), help }
  switch (kind) {
    case 'check':
      return <Checkbox {...box} checked={value !== ''} />
    case 'text':
      return <TextArea {...box} value={value} rows={3} maxlength={maxlength} />
    case 'lines':
      return <TextArea {...box} value={value} rows={2} />
    default:
      return (
        <Field
          {...box}
          type={kind === 'line' ? 'text' : kind}
          value={value}
          maxlength={maxlength}
          autocomplete="off"
          required={name === 'email'}
        />
      )
  }
}

const Start: FC<{ plans: readonly Plan[]; state: FormState | undefined }> = ({ plans, state }) => (
  <Fieldset legend="Start">
    <Select
      {...asked(state, 'planId', 'Plan')}
      options={[
        { value: '', label: 'No plan' },
        ...plans.map(({ planId, name }) => ({ value: planId, label: name }))
      ]}
      help="The customer gets the plan’s features, and its trial."
    />
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
