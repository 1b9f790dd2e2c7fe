// The plan that a customer has, what it costs, and what it had before.
import type { z } from 'zod'
import type { Plan } from '../../../schemas/plan.ts'
import type { SubscriptionPage } from '../../../schemas/subscription.ts'
import { updateCustomerOperation } from '../../../src/customers/operations.ts'
import { listPlansOperation } from '../../../src/plans/operations.ts'
import { priceInWords } from '../../../src/plans/words.ts'
import { listSubscriptions } from '../../../src/subscriptions/operations.ts'
import { asked, type FormState } from '../form-state.ts'
import { callOperation, type Page } from '../page-kit.tsx'
import { pageAsked, pagesOf } from '../settings/address.ts'
import { Select } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { Pager, Table } from '../ui/table.tsx'
import { type State, StateBadge, Time } from '../ui/values.tsx'
import { answerPart, type CustomerContext } from './customer-page.tsx'
import { customerPath } from './words.tsx'

export const planPart: Page<CustomerContext> = {
  show: answerPlan,
  forms: {
    async give(context, form) {
      const planId = form.text('planId') ?? null
      await callOperation(context, updateCustomerOperation, { planId })
      return {
        message: planId === null ? 'The customer has no plan now.' : 'The customer has that plan now.',
        next: customerPath(context.customer.id, 'plan')
      }
    }
  }
}

/** More than anybody offers. */
const SHOWN_PLANS = 100

async function answerPlan(context: CustomerContext, state?: FormState): Promise<Response> {
  const { c, customer } = context
  const offered = { kind: 'subscription', limit: SHOWN_PLANS }
  const { data: plans } = await callOperation(context, listPlansOperation, offered)
  const { data, pagination } = await callOperation(context, listSubscriptions, { page: pageAsked(c) })
  const here = customerPath(customer.id, 'plan')
  const current = data.find(({ endedAt }) => endedAt === null)
  const children = (
    <>
      <Card title="Plan of the customer" description={current?.status === 'past_due' ? PAST_DUE : BEGINS}>
        <Form action={`${here}/give`}>
          <Select
            {...asked(state, 'planId', 'Plan', customer.planId ?? '')}
            options={[{ value: '', label: 'No plan' }, ...plansToGive(plans, current)]}
          />
          <Submit>{current?.status === 'past_due' ? 'Charge and begin' : 'Save'}</Submit>
        </Form>
      </Card>
      <Card title="History" description="Every plan that the customer has or had, newest first.">
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
        <Pager pagination={pagination} hrefOf={pagesOf(here)} />
      </Card>
    </>
  )
  return answerPart(context, { part: 'plan', state, children })
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

/** What it has stays a choice also where it isn't on offer any more. */
function plansToGive(plans: readonly Plan[], current: Shown | undefined) {
  const offered = plans
    .filter(({ isArchived, planId }) => !isArchived && planId !== current?.planId)
    .map((plan) => ({ value: plan.planId, label: `${plan.name}: ${priceInWords(plan)}` }))
  return current ? [{ value: current.planId, label: current.planName }, ...offered] : offered
}
