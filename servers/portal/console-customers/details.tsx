// Every field of a customer, in groups; each group is a form of its own and changes nothing else.

import type { FC } from 'hono/jsx'
import { APP_IDS } from '../../../schemas/customer.ts'
import type { Plan } from '../../../schemas/plan.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { eraseCustomerOperation, updateCustomerOperation } from '../../../src/customers/operations.ts'
import { ServiceError } from '../../../src/errors.ts'
import { listPlansOperation } from '../../../src/plans/operations.ts'
import { asked, type FormState, typedAll } from '../form-state.ts'
import { callOperation, type Page, type PageContext } from '../page-kit.tsx'
import { Checkbox, CheckboxGroup, Field, Select, TextArea } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Card, Row } from '../ui/layout.tsx'
import { answerPart, type CustomerContext, type ShownCustomer } from './customer-page.tsx'
import { DETAIL_GROUPS, type Detail, type DetailGroup } from './detail-groups.ts'
import { changesOf, seenOf, shownValues } from './detail-values.ts'
import { CUSTOMERS, customerPath } from './paths.ts'

export const detailsPart: Page<CustomerContext> = {
  show: answerDetails,
  forms: {
    async erase(context, form) {
      const { message } = await callOperation(context, eraseCustomerOperation, {
        confirm: form.raw('confirm')
      })
      return { message, next: CUSTOMERS }
    },
    async ':group'(context, form) {
      const group = groupOf(context)
      if (!group) throw new ServiceError('not_found', 'There is no page at this address.')
      const next = `${customerPath(context.customer.id, 'details')}#${group.id}`
      const changes = changesOf(form, group)
      if (Object.keys(changes).length === 0) return { message: 'Nothing was changed.', next }
      await callOperation(context, updateCustomerOperation, changes)
      return { message: `${group.title}: the changes are saved.`, next }
    }
  },
  // A long note in a script of three bytes a letter takes nine times its length in a form.
  maxBytes: 256 * 1024
}

/** Which form was sent. */
const groupOf = ({ c }: CustomerContext): DetailGroup | undefined =>
  DETAIL_GROUPS.find(({ id }) => id === c.req.param('group'))

async function answerDetails(context: CustomerContext, state?: FormState): Promise<Response> {
  const { customer } = context
  const choices = {
    apps: APP_IDS.map((app) => ({ value: app, label: app })),
    creditPlans: planChoices(await listCreditPlans(context), customer)
  }
  return answerPart(context, {
    part: 'details',
    state,
    children: (
      <>
        <nav aria-label="Groups of details">
          <Row>
            {DETAIL_GROUPS.map(({ id, title }) => (
              <a href={`#${id}`}>{title}</a>
            ))}
          </Row>
        </nav>
        {DETAIL_GROUPS.map((group) => (
          <GroupForm
            customer={customer}
            group={group}
            choices={choices}
            state={groupOf(context) === group ? state : undefined}
          />
        ))}
        <Erasure customer={customer} state={groupOf(context) ? undefined : state} />
      </>
    )
  })
}

interface GroupFormProps {
  customer: ShownCustomer
  group: DetailGroup
  choices: Choices
  state: FormState | undefined
}

const GroupForm: FC<GroupFormProps> = ({ customer, group, choices, state }) => {
  return (
    <Card title={group.title} description={group.description}>
      <Form id={group.id} action={customerPath(customer.id, 'details', group.id)}>
        {/* What was refused keeps what it was made with: whatever else changed meanwhile stays. */}
        <input
          type="hidden"
          name="seen"
          value={state ? String(state.values.seen ?? '') : seenOf(customer, group)}
        />
        {group.details.map((detail) => (
          <DetailControl detail={detail} customer={customer} choices={choices} state={state} />
        ))}
        <Submit kind="plain" label={`Save ${group.title}`}>
          Save
        </Submit>
      </Form>
    </Card>
  )
}

/** Typing what it is asks enough. */
const Erasure: FC<{ customer: ShownCustomer; state: FormState | undefined }> = ({ customer, state }) => (
  <Card
    tone="danger"
    title="Erase this customer"
    description={`Deletes ${nameOf(customer)} for good: memories, chats, mails, credits, team and tokens, and what was not billed yet. Nothing on its servers is changed.`}
  >
    <Form action={customerPath(customer.id, 'details', 'erase')}>
      <Field
        {...asked(state, 'confirm', 'Short code')}
        type="text"
        help={`Type ${customer.customerId} to erase this customer.`}
        autocomplete="off"
        required
      />
      <Submit kind="danger">Erase {nameOf(customer)}</Submit>
    </Form>
  </Card>
)

/** More than anybody offers a customer. */
const SHOWN_PLANS = 100

async function listCreditPlans(context: PageContext): Promise<Plan[]> {
  const { data } = await callOperation(context, listPlansOperation, { kind: 'credit', limit: SHOWN_PLANS })
  return data
}

/** What is chosen stays a choice, also when it is none of those that are offered. */
function planChoices(plans: readonly Plan[], { creditPlanIds }: ShownCustomer): Choices['creditPlans'] {
  const offered = plans.map(({ planId, name }) => ({ value: planId, label: name }))
  const unlisted = creditPlanIds.filter((id) => !plans.some(({ planId }) => planId === id))
  return [...offered, ...unlisted.map((id) => ({ value: id, label: id }))]
}

// One field of a customer, as the form asks for it.
/** What there is to choose from. */
interface Choices {
  apps: readonly { value: string; label: string }[]
  creditPlans: readonly { value: string; label: string }[]
}

interface DetailControlProps {
  detail: Detail
  customer: ShownCustomer
  choices: Choices
  state: FormState | undefined
}

const DetailControl: FC<DetailControlProps> = ({ detail, customer, choices, state }) => {
  const { name, label, help, control } = detail
  const shown = shownValues(customer, detail)
  const { value, ...common } = { ...asked(state, name, label, shown[0]), help }
  switch (control.kind) {
    case 'line':
      return (
        <Field
          {...common}
          type={control.type ?? 'text'}
          value={value}
          maxlength={control.maxlength}
          autocomplete="off"
          required={name === 'email' || name === 'deploymentStatus'}
        />
      )
    case 'text':
      return <TextArea {...common} value={value} rows={control.rows ?? 3} maxlength={control.maxlength} />
    case 'lines':
      return <TextArea {...common} value={value} rows={3} />
    case 'amount':
      return <Field {...common} type="number" inputmode="decimal" min={0} step="any" value={value} />
    case 'count':
      return (
        <Field
          {...common}
          type="number"
          inputmode="numeric"
          min={0}
          max={control.max}
          step={1}
          value={value}
          required
        />
      )
    case 'switch':
      return <Checkbox {...common} checked={state ? value !== '' : shown.length > 0} />
    case 'answer':
      return <Select {...common} value={value} options={ANSWERS} />
    case 'time':
      return <Field {...common} type="datetime-local" value={value} />
    case 'apps':
    case 'creditPlans':
      return (
        <Choice
          {...common}
          options={choices[control.kind]}
          values={typedAll(state, name, shown)}
          none={control.kind === 'apps' ? 'There is no app yet.' : 'There is no credit plan yet.'}
        />
      )
  }
}

const ANSWERS = [
  { value: '', label: 'Not said' },
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' }
]

interface ChoiceProps {
  name: string
  label: string
  help: string | undefined
  error: string | undefined
  options: Choices['apps']
  values: readonly string[]
  /** Said where there is nothing to choose from. */
  none: string
}

const Choice: FC<ChoiceProps> = ({ label, help, none, ...group }) => (
  <CheckboxGroup
    legend={label}
    {...group}
    help={group.options.length > 0 ? help : `${help ?? ''} ${none}`.trim()}
  />
)
