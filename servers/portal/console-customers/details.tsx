// Every field of a customer; each group is a form of its own and changes nothing else. It only changes what was changed
// in it, so that a page which was opened before somebody else saved doesn't bring old values back.
import { createHash } from 'node:crypto'
import type { FC } from 'hono/jsx'
import { UpdateCustomer } from '../../../schemas/customer.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { eraseCustomerOperation, updateCustomerOperation } from '../../../src/customers/operations.ts'
import { ServiceError } from '../../../src/errors.ts'
import {
  type Choices,
  FieldControl,
  type FormField,
  shownTexts,
  typedInput,
  typedTexts
} from '../field-control.tsx'
import { asked, type FormState, typed } from '../form-state.ts'
import type { Form as Submitted } from '../forms.ts'
import { callOperation, type Page } from '../page-kit.tsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Card, Row } from '../ui/layout.tsx'
import { answerPart, type CustomerContext, type ShownCustomer } from './customer-page.tsx'
import { DETAIL_GROUPS, type DetailGroup, type DetailName } from './detail-groups.ts'
import { planChoices } from './plan-choices.ts'
import { CUSTOMERS, customerPath } from './words.tsx'

export const detailsPart: Page<CustomerContext> = {
  show: answerDetails,
  forms: {
    async erase(context, form) {
      const input = { confirm: form.raw('confirm') }
      const { message } = await callOperation(context, eraseCustomerOperation, input)
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

const groupOf = ({ c }: CustomerContext): DetailGroup | undefined =>
  DETAIL_GROUPS.find(({ id }) => id === c.req.param('group'))

async function answerDetails(context: CustomerContext, state?: FormState): Promise<Response> {
  const { customer } = context
  const creditPlans = await planChoices(context, 'credit', customer.creditPlanIds)
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
            {...{ customer, group, creditPlans }}
            state={groupOf(context) === group ? state : undefined}
          />
        ))}
        <Erasure customer={customer} state={groupOf(context) ? undefined : state} />
      </>
    )
  })
}

type Shown = { customer: ShownCustomer; state: FormState | undefined }

const GroupForm: FC<Shown & { group: DetailGroup; creditPlans: Choices }> = ({
  customer,
  group,
  creditPlans,
  state
}) => (
  <Card title={group.title} description={group.description}>
    <Form id={group.id} action={customerPath(customer.id, 'details', group.id)}>
      {/* What was refused keeps what it was made with: whatever else changed meanwhile stays. */}
      <input type="hidden" name="seen" value={typed(state, 'seen', seenOf(customer, group.fields))} />
      {group.fields.map((name) => {
        const unit = PRICES.has(name) ? customer.currency : undefined
        const choices = name === 'creditPlanIds' ? creditPlans : undefined
        return <FieldControl field={fieldOf(name)} saved={customer[name]} {...{ choices, unit, state }} />
      })}
      <Submit kind="plain" label={`Save ${group.title}`}>
        Save
      </Submit>
    </Form>
  </Card>
)

const PRICES: ReadonlySet<DetailName> = new Set(['agreedPrice', 'aiCreditPricePerMinute'])

const Erasure: FC<Shown> = ({ customer, state }) => (
  <Card
    tone="danger"
    title="Erase this customer"
    sendsTo={customerPath(customer.id, 'details', 'erase')}
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

/** What is empty clears it, or is refused; only a change leaves it out. */
const fieldOf = (name: DetailName): FormField => ({ name, schema: UpdateCustomer.shape[name].unwrap() })

const seenOf = (customer: ShownCustomer, fields: readonly DetailName[]): string =>
  fields.map((name) => `${name}.${digest(shownTexts(fieldOf(name), customer[name]))}`).join(' ')

/** The changes that the form asks for. Without word of what it was made with, everything in it is one. */
function changesOf(form: Submitted, { fields }: DetailGroup): Record<string, unknown> {
  const seen = new Set(form.raw('seen').split(' '))
  const changed = fields.filter((name) => !seen.has(`${name}.${digest(typedTexts(form, fieldOf(name)))}`))
  return typedInput(form, changed.map(fieldOf))
}

const DIGEST_LENGTH = 16

const digest = (values: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, DIGEST_LENGTH)
