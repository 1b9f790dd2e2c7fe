// Onboarding a customer: an e-mail address is enough, everything else can follow.
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import { OnboardCustomerResult } from '../../../schemas/customer.ts'
import { type Plan, PlanPage } from '../../../schemas/plan.ts'
import { onboardCustomer } from '../../../src/customers/operations.ts'
import { listPlansOperation } from '../../../src/plans/operations.ts'
import { page } from '../answer.tsx'
import { ConsolePage } from '../frames.tsx'
import { Checkbox, Field, Fieldset, Select, TextArea } from '../ui/field.tsx'
import { Form, FormError, Submit } from '../ui/form.tsx'
import { Card, Prose } from '../ui/layout.tsx'
import { asked, done, errorAbove, run, submitted, type Tried, typed, type Visit } from '../visit.ts'
import { INTAKE_GROUPS, type IntakeField, intakeOf } from './intake.ts'
import { CUSTOMERS, customerPath, ONBOARD } from './paths.ts'

export async function showOnboarding(visit: Visit): Promise<Response> {
  return answerOnboarding(visit)
}

export async function onboard(visit: Visit): Promise<Response> {
  return submitted(visit, {
    async act(form) {
      const { message, data } = await run(visit, onboardCustomer, OnboardCustomerResult, intakeOf(form), form)
      return done(visit, customerPath(data.id), `${message} ${priceText(data)}`)
    },
    again: (tried) => answerOnboarding(visit, tried)
  })
}

/** The page that follows shows the lines of it. */
function priceText({ estimatedPrice }: z.output<typeof OnboardCustomerResult>['data']): string {
  return `The estimated price is ${estimatedPrice.toLocaleString('en', { minimumFractionDigits: 2 })} a month.`
}

/** More than anybody offers. */
const SHOWN_PLANS = 100

async function answerOnboarding(visit: Visit, tried?: Tried): Promise<Response> {
  const { data: plans } = await run(visit, listPlansOperation, PlanPage, {
    kind: 'subscription',
    limit: SHOWN_PLANS
  })
  return page(
    visit.c,
    <ConsolePage
      c={visit.c}
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
          <FormError refusal={errorAbove(tried, FIELD_NAMES)} />
          {INTAKE_GROUPS.map(({ legend, fields }) => (
            <Fieldset legend={legend}>
              {fields.map((field) => (
                <IntakeControl field={field} tried={tried} />
              ))}
            </Fieldset>
          ))}
          <Start plans={plans} tried={tried} />
          <Submit cancelHref={CUSTOMERS}>Onboard customer</Submit>
        </Form>
      </Card>
    </ConsolePage>,
    tried ? tried.refusal.status : 200
  )
}

const FIELD_NAMES = [...INTAKE_GROUPS.flatMap(({ fields }) => fields.map(({ name }) => name)), 'planId']

const IntakeControl: FC<{ field: IntakeField; tried: Tried | undefined }> = ({ field, tried }) => {
  const { name, label, help, kind, maxlength } = field
  const { value, ...box } = { ...asked(tried, name, label), help }
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

const Start: FC<{ plans: readonly Plan[]; tried: Tried | undefined }> = ({ plans, tried }) => (
  <Fieldset legend="Start">
    <Select
      {...asked(tried, 'planId', 'Plan')}
      options={[
        { value: '', label: 'No plan' },
        ...plans.map(({ planId, name }) => ({ value: planId, label: name }))
      ]}
      help="The customer gets the plan’s features, and its trial."
    />
    <Checkbox
      label="Invite to the portal"
      name="allowPortalAccess"
      checked={tried ? typed(tried, 'allowPortalAccess') !== '' : true}
      help="Mails an invite with a temporary password. You can also send it later."
    />
    <Checkbox
      label="Quick onboarding"
      name="isQuickOnboarding"
      checked={typed(tried, 'isQuickOnboarding') !== ''}
      help="The price comes from the call volume alone, and the intake counts as not complete."
    />
  </Fieldset>
)
