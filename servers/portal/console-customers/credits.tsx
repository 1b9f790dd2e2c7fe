// One customer's AI credits: what is left, granting more, and what moved them.
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { CreditEntryPage } from '../../../schemas/credits.ts'
import {
  customerCreditDaily,
  getCustomerCredits,
  grantCustomerCredits,
  listCustomerCreditEntries
} from '../../../src/credits/operations.ts'
import { asked, type FormState } from '../form-state.ts'
import { callOperation, type Page } from '../page-kit.tsx'
import { pageAsked, pagesOf } from '../settings/address.ts'
import { SpentChart } from '../ui/chart.tsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Card, EmptyState, Grid } from '../ui/layout.tsx'
import { Pager, Table } from '../ui/table.tsx'
import { Badge, Credits, ShortId, type State, StateBadge, Time } from '../ui/values.tsx'
import { answerPart, type CustomerContext, type ShownCustomer } from './customer-page.tsx'
import { numberOf } from './detail-values.ts'
import { customerPath } from './paths.ts'

export const creditsPart: Page<CustomerContext> = {
  show: answerCredits,
  forms: {
    async grant(context, form) {
      const amount = numberOf(form.raw('amount').trim() || 'nothing')
      const input = { amount, note: form.text('note') }
      const { data } = await callOperation(context, grantCustomerCredits, input, form)
      const granted = Number(amount).toLocaleString('en', { maximumFractionDigits: 6 })
      const left = data.balance.toLocaleString('en', { maximumFractionDigits: 6 })
      return { message: `${granted} credits were granted; ${left} are left now.` }
    }
  }
}

async function answerCredits(context: CustomerContext, state?: FormState): Promise<Response> {
  const { c, customer } = context
  const { data } = await callOperation(context, getCustomerCredits)
  const daily = await callOperation(context, customerCreditDaily)
  const entries = await callOperation(context, listCustomerCreditEntries, { page: pageAsked(c) })
  return answerPart(context, {
    part: 'credits',
    state,
    children: (
      <>
        <Grid>
          <Card title="Balance" description={<Balance customer={customer} balance={data.balance} />}>
            <SpentChart title="Spent in the last 30 days" daily={daily.data} />
          </Card>
          <Grant customer={customer} state={state} />
        </Grid>
        <Card title="Entries" description="Everything that moved the balance, newest first.">
          <Entries entries={entries.data} />
          <Pager pagination={entries.pagination} hrefOf={pagesOf(customerPath(customer.id, 'credits'))} />
        </Card>
      </>
    )
  })
}

const Balance: FC<{ customer: ShownCustomer; balance: number }> = ({ customer, balance }) => {
  const isLow = customer.lowCreditThreshold !== null && balance < customer.lowCreditThreshold
  return (
    <>
      <Credits amount={balance} /> left.{' '}
      {customer.aiCreditsEnabled ? (
        isLow && <Badge tone="warn">Low</Badge>
      ) : (
        <>
          Nothing is taken from them until{' '}
          <a href={`${customerPath(customer.id, 'details')}#credits`}>AI credits</a> are switched on; what the
          customer uses costs you alone.
        </>
      )}
    </>
  )
}

const Grant: FC<{ customer: ShownCustomer; state: FormState | undefined }> = ({ customer, state }) => (
  <Card title="Grant credits" description="Adds to this customer’s credits; your own stay as they are.">
    <Form action={customerPath(customer.id, 'credits', 'grant')}>
      <Field
        {...asked(state, 'amount', 'Amount')}
        type="number"
        inputmode="decimal"
        min={0}
        step="any"
        required
      />
      <Field {...asked(state, 'note', 'Note')} help="Why, for the list below." maxlength={200} />
      <Submit>Grant credits</Submit>
    </Form>
  </Card>
)

type Entry = z.output<typeof CreditEntryPage>['data'][number]

const KINDS: Record<Entry['kind'], State> = {
  initial: { tone: 'good', label: 'Start' },
  grant: { tone: 'good', label: 'Grant' },
  charge: { tone: 'neutral', label: 'Charge' },
  hold: { tone: 'neutral', label: 'Charge' },
  refund: { tone: 'warn', label: 'Refund' }
}

const WORK: Readonly<Record<string, string>> = {
  credits_grant: 'Granted',
  memory_remember: 'Remembered',
  memory_ask: 'Asked'
}

const Entries: FC<{ entries: readonly Entry[] }> = ({ entries }) => (
  <Table
    caption="Credit entries, newest first"
    columns={['When', 'Kind', 'For', { title: 'Credits', align: 'end' }, { title: 'Balance', align: 'end' }]}
    rows={entries.map(({ number, kind, amount, balanceAfter, operation, reference, note, createdAt }) => ({
      key: String(number),
      cells: [
        <Time iso={createdAt} />,
        <StateBadge {...KINDS[kind]} />,
        note ?? (
          <>
            {WORK[operation] ?? operation} <ShortId id={reference} />
          </>
        ),
        signed(amount),
        balanceAfter.toLocaleString('en', { maximumFractionDigits: 6 })
      ]
    }))}
    empty={
      <EmptyState title="Nothing has moved yet">
        <p>Grants, and what remembering and asking cost, are listed here.</p>
      </EmptyState>
    }
  />
)

/** “+250”, “−1”. */
const signed = (amount: number): string =>
  amount.toLocaleString('en', { maximumFractionDigits: 6, signDisplay: 'exceptZero' }).replace('-', '−')
