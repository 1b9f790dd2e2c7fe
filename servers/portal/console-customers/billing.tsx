// What a customer owes and why: the plan that it has, those that it had, and its statements.
import type { z } from 'zod'
import type { SubscriptionPage } from '../../../schemas/subscription.ts'
import { updateCustomerOperation } from '../../../src/customers/operations.ts'
import { formatMoney } from '../../../src/money.ts'
import { priceInWords } from '../../../src/plans/words.ts'
import { listSubscriptions } from '../../../src/subscriptions/operations.ts'
import { statementsOf } from '../belongings/statements.tsx'
import { asked, type FormState } from '../form-state.ts'
import { callOperation, type Page } from '../page-kit.tsx'
import { PageNumber, withQuery } from '../settings/address.ts'
import { Select } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { Pager, Table } from '../ui/table.tsx'
import { type State, StateBadge, Time } from '../ui/values.tsx'
import { answerPart, type CustomerContext } from './customer-page.tsx'
import { planChoices } from './plan-choices.ts'
import { customerPath } from './words.tsx'

export const billingPart: Page<CustomerContext> = {
  show: answerBilling,
  forms: {
    async give(context, form) {
      const planId = form.text('planId') ?? null
      await callOperation(context, updateCustomerOperation, { planId })
      return { message: `The customer has ${planId === null ? 'no' : 'that'} plan now.` }
    }
  }
}

async function answerBilling(context: CustomerContext, state?: FormState): Promise<Response> {
  const { c, customer } = context
  const plans = await planChoices(context, 'subscription')
  const page = PageNumber.parse(c.req.query('plans'))
  const { data, pagination } = await callOperation(context, listSubscriptions, { page })
  const here = customerPath(customer.id, 'billing')
  const current = data.find(({ endedAt }) => endedAt === null)
  // What it has stays a choice also where it isn't on offer any more.
  const held = current ? [{ value: current.planId, label: current.planName }] : []
  const others = plans.filter(({ value }) => value !== current?.planId)
  const children = (
    <>
      <p>{formatMoney(customer.unbilledAmount, customer.currency)} not billed yet.</p>
      <Card title="Plan of the customer" description={current?.status === 'past_due' ? PAST_DUE : BEGINS}>
        <Form action={`${here}/give`}>
          <Select
            {...asked(state, 'planId', 'Plan', customer.planId ?? '')}
            options={[{ value: '', label: 'No plan' }, ...held, ...others]}
          />
          <Submit>{current?.status === 'past_due' ? 'Charge and begin' : 'Save'}</Submit>
        </Form>
        <Table
          caption="Plans of the customer, newest first"
          columns={['Plan', 'State', 'Price', 'Since', 'Next charge', 'Ended']}
          rows={data.map((one) => ({
            cells: [
              one.planName,
              <StateBadge {...STATES[one.status]} />,
              priceInWords(one),
              <Time iso={one.createdAt} />,
              <Time iso={one.nextChargeAt} />,
              <Time iso={one.endedAt} />
            ]
          }))}
          empty={{ title: 'No plan yet', text: <p>A plan gives features, and charges a price.</p> }}
        />
        <Pager pagination={pagination} hrefOf={(plans) => withQuery(here, { plans })} />
      </Card>
      {await statementsOf(context)}
    </>
  )
  return answerPart(context, { part: 'billing', state, children })
}

const BEGINS =
  'Another plan begins now; what is left of a period that was charged goes back to the customer’s account.'
const PAST_DUE =
  'The plan waits to be paid, and what it gave is off. Once the customer has paid, charge it and begin its next period.'

type Shown = z.output<typeof SubscriptionPage>['data'][number]

const STATES: Record<Shown['status'], State> = {
  trialing: { tone: 'warn', label: 'On trial' },
  active: { tone: 'good', label: 'Active' },
  past_due: { tone: 'bad', label: 'Past due' },
  canceled: { tone: 'neutral', label: 'Ended' }
}
