// What a customer owes: its statements, and lines of the partner's own.
import { formatMoney } from '../../../src/money.ts'
import { adjustBilling } from '../../../src/statements/operations.ts'
import { statementsOf } from '../belongings/statements.tsx'
import { asked, type FormState } from '../form-state.ts'
import { callOperation, type Page } from '../page-kit.tsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { answerPart, type CustomerContext } from './customer-page.tsx'
import { numberOf } from './detail-values.ts'
import { customerPath } from './words.tsx'

export const billingPart: Page<CustomerContext> = {
  show: answerBilling,
  forms: {
    async adjust(context, form) {
      const amount = numberOf(form.raw('amount').trim() || 'nothing')
      const { data } = await callOperation(context, adjustBilling, { amount, note: form.text('note') }, form)
      return { message: `${formatMoney(data.unbilledAmount, data.currency)} is not billed yet now.` }
    }
  }
}

async function answerBilling(context: CustomerContext, state?: FormState): Promise<Response> {
  const { id, unbilledAmount, currency } = context.customer
  const here = customerPath(id, 'billing')
  const children = (
    <>
      {await statementsOf(context, here)}
      <Card
        title={`${formatMoney(unbilledAmount, currency)} not billed yet`}
        description="A line of your own changes that: it stands on the open statement, and the customer reads why."
      >
        <Form action={`${here}/adjust`}>
          <Field
            {...asked(state, 'amount', `Amount in ${currency}`)}
            type="number"
            step="any"
            help="Below 0 for a credit."
            required
          />
          <Field {...asked(state, 'note', 'Note')} maxlength={200} required />
          <Submit>Add the line</Submit>
        </Form>
      </Card>
    </>
  )
  return answerPart(context, { part: 'billing', state, children })
}
