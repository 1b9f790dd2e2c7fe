// Every field of a customer, in one form. It only changes what was changed in it, so that a page which was opened before
// somebody else saved doesn't bring old values back.
import { createHash } from 'node:crypto'
import type { FC } from 'hono/jsx'
import { UpdateCustomer } from '../../../schemas/customer.ts'
import { requireScope } from '../../../src/caller.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { eraseCustomerOperation, updateCustomerOperation } from '../../../src/customers/operations.ts'
import { FieldControl, type FormField, shownTexts, typedInput, typedTexts } from '../field-control.tsx'
import { asked, type FormState, typed } from '../form-state.ts'
import type { Form as Submitted } from '../forms.ts'
import { callOperation, type Page } from '../page-kit.tsx'
import { Field } from '../ui/field.tsx'
import { Form, FormCard, SaveBar, Submit } from '../ui/form.tsx'
import { Card, Row } from '../ui/layout.tsx'
import { answerPart, type CustomerContext, type ShownCustomer } from './customer-page.tsx'
import { DETAIL_GROUPS, type DetailName } from './detail-groups.ts'
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
    async ''(context, form) {
      const changes = changesOf(form)
      requireScope(context.c.get('consoleVisitor').caller, updateCustomerOperation.scope)
      if (Object.keys(changes).length === 0) return { message: 'Nothing was changed.' }
      await callOperation(context, updateCustomerOperation, changes)
      const groups = DETAIL_GROUPS.filter(({ fields }) => fields.some((name) => name in changes))
      return { message: `${groups.map(({ title }) => title).join(', ')}: the changes are saved.` }
    }
  },
  // A long note in a script of three bytes a letter takes nine times its length in a form.
  maxBytes: 256 * 1024
}

async function answerDetails(context: CustomerContext, state?: FormState): Promise<Response> {
  const { customer } = context
  const creditPlans = await planChoices(context, 'credit', customer.creditPlanIds)
  // What is erased has a form of its own.
  const [changed, erased] = state && 'confirm' in state.values ? [undefined, state] : [state, undefined]
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
        <Form action={customerPath(customer.id, 'details')} guarded>
          {/* What was refused keeps what it was made with: whatever else changed meanwhile stays. */}
          <input type="hidden" name="seen" value={typed(changed, 'seen', seenOf(customer))} />
          {DETAIL_GROUPS.map((group) => (
            <Card {...group}>
              {group.fields.map((name) => {
                const unit = PRICES.has(name) ? customer.currency : undefined
                const choices = name === 'creditPlanIds' ? creditPlans : undefined
                const of = { field: fieldOf(name), saved: customer[name], choices, unit }
                return <FieldControl {...of} state={changed} />
              })}
            </Card>
          ))}
          <SaveBar>
            <Submit>Save changes</Submit>
          </SaveBar>
        </Form>
        <Erasure customer={customer} state={erased} />
      </>
    )
  })
}

const PRICES: ReadonlySet<DetailName> = new Set(['agreedPrice', 'aiCreditPricePerMinute'])

const Erasure: FC<{ customer: ShownCustomer; state: FormState | undefined }> = ({ customer, state }) => (
  <FormCard
    tone="danger"
    title="Erase this customer"
    sendsTo={customerPath(customer.id, 'details', 'erase')}
    description={`Deletes ${nameOf(customer)} for good: memories, chats, mails, credits, team and tokens, and what was not billed yet. Nothing on its servers is changed.`}
    verb={`Erase ${nameOf(customer)}`}
    kind="danger"
  >
    <Field
      {...asked(state, 'confirm', 'Short code')}
      type="text"
      help={`Type ${customer.customerId} to erase this customer.`}
      autocomplete="off"
      required
    />
  </FormCard>
)

/** What is empty clears it, or is refused; only a change leaves it out. */
const fieldOf = (name: DetailName): FormField => ({ name, schema: UpdateCustomer.shape[name].unwrap() })

const FIELDS = DETAIL_GROUPS.flatMap(({ fields }) => fields)

const seenOf = (customer: ShownCustomer): string =>
  FIELDS.map((name) => `${name}.${digest(shownTexts(fieldOf(name), customer[name]))}`).join(' ')

/** The changes that the form asks for. Without word of what it was made with, that is what is in it, and no more. */
function changesOf(form: Submitted): Record<string, unknown> {
  const seen = form.text('seen')?.split(' ')
  const changed = FIELDS.filter((name) =>
    seen ? !seen.includes(`${name}.${digest(typedTexts(form, fieldOf(name)))}`) : name in form.values
  )
  return typedInput(form, changed.map(fieldOf))
}

const DIGEST_LENGTH = 16

const digest = (values: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, DIGEST_LENGTH)
