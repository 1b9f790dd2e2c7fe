// Every field of a customer, in groups; each group is a form of its own and changes nothing else.
import type { FC } from 'hono/jsx'
import { APP_IDS, CustomerResult } from '../../../schemas/customer.ts'
import { Acknowledgement } from '../../../schemas/envelope.ts'
import { type Plan, PlanPage } from '../../../schemas/plan.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { eraseCustomerOperation, updateCustomerOperation } from '../../../src/customers/operations.ts'
import { ServiceError } from '../../../src/errors.ts'
import { listPlansOperation } from '../../../src/plans/operations.ts'
import { Checkbox, CheckboxGroup, Field, Select, TextArea } from '../ui/field.tsx'
import { Form, FormError, Submit } from '../ui/form.tsx'
import { Card, Row } from '../ui/layout.tsx'
import { asked, errorAbove, run, runFor, type Tried, typedAll, type Visit } from '../visit.ts'
import { answerPart, type CustomerVisit, type PartPages, type ShownCustomer } from './customer-page.tsx'
import { DETAIL_GROUPS, type Detail, type DetailGroup } from './detail-groups.ts'
import { changesOf, seenOf, shownValues } from './detail-values.ts'
import { CUSTOMERS, customerPath } from './paths.ts'

export const detailsPart: PartPages = {
  show: answerDetails,
  forms: {
    async erase(visited, form) {
      const { message } = await runFor(visited, eraseCustomerOperation, Acknowledgement, {
        confirm: form.raw('confirm')
      })
      return { message, next: CUSTOMERS }
    },
    async ':group'(visited, form) {
      const group = groupOf(visited)
      if (!group) throw new ServiceError('not_found', 'There is no page at this address.')
      const next = `${customerPath(visited.customer.id, 'details')}#${group.id}`
      const changes = changesOf(form, group)
      if (Object.keys(changes).length === 0) return { message: 'Nothing was changed.', next }
      await runFor(visited, updateCustomerOperation, CustomerResult, changes)
      return { message: `${group.title}: the changes are saved.`, next }
    }
  },
  // A long note in a script of three bytes a letter takes nine times its length in a form.
  maxBytes: 256 * 1024
}

/** Which form was sent. */
const groupOf = ({ c }: CustomerVisit): DetailGroup | undefined =>
  DETAIL_GROUPS.find(({ id }) => id === c.req.param('group'))

async function answerDetails(visited: CustomerVisit, tried?: Tried): Promise<Response> {
  const { customer } = visited
  const choices = {
    apps: APP_IDS.map((app) => ({ value: app, label: app })),
    creditPlans: planChoices(await listCreditPlans(visited), customer)
  }
  return answerPart(visited, {
    part: 'details',
    tried,
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
            tried={groupOf(visited) === group ? tried : undefined}
          />
        ))}
        <Erasure customer={customer} tried={groupOf(visited) ? undefined : tried} />
      </>
    )
  })
}

interface GroupFormProps {
  customer: ShownCustomer
  group: DetailGroup
  choices: Choices
  tried: Tried | undefined
}

const GroupForm: FC<GroupFormProps> = ({ customer, group, choices, tried }) => {
  return (
    <Card title={group.title} description={group.description}>
      <Form id={group.id} action={customerPath(customer.id, 'details', group.id)}>
        <FormError
          refusal={errorAbove(
            tried,
            group.details.map(({ name }) => name)
          )}
        />
        {/* What was refused keeps what it was made with: whatever else changed meanwhile stays. */}
        <input
          type="hidden"
          name="seen"
          value={tried ? String(tried.values.seen ?? '') : seenOf(customer, group)}
        />
        {group.details.map((detail) => (
          <DetailControl detail={detail} customer={customer} choices={choices} tried={tried} />
        ))}
        <Submit kind="plain" label={`Save ${group.title}`}>
          Save
        </Submit>
      </Form>
    </Card>
  )
}

/** Typing what it is asks enough. */
const Erasure: FC<{ customer: ShownCustomer; tried: Tried | undefined }> = ({ customer, tried }) => (
  <Card
    tone="danger"
    title="Erase this customer"
    description={`Deletes ${nameOf(customer)} for good: memories, chats, mails, credits, team and tokens, and what was not billed yet. Nothing on its servers is changed.`}
  >
    <Form action={customerPath(customer.id, 'details', 'erase')}>
      <FormError refusal={errorAbove(tried, ['confirm'])} />
      <Field
        {...asked(tried, 'confirm', 'Short code')}
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

async function listCreditPlans(visit: Visit): Promise<Plan[]> {
  const { data } = await run(visit, listPlansOperation, PlanPage, { kind: 'credit', limit: SHOWN_PLANS })
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
  tried: Tried | undefined
}

const DetailControl: FC<DetailControlProps> = ({ detail, customer, choices, tried }) => {
  const { name, label, help, control } = detail
  const shown = shownValues(customer, detail)
  const { value, ...common } = { ...asked(tried, name, label, shown[0]), help }
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
      return <Checkbox {...common} checked={tried ? value !== '' : shown.length > 0} />
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
          values={typedAll(tried, name, shown)}
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
