import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import { type CreditEntryPage, GrantCredits } from '../../../schemas/credits.ts'
import {
  customerCreditDaily,
  getCustomerCredits,
  grantCustomerCredits,
  listCustomerCreditEntries
} from '../../../src/credits/operations.ts'
import { FieldControls, fieldsOf, typedInput } from '../field-control.tsx'
import type { FormState } from '../form-state.ts'
import { callOperation, type Page } from '../page-kit.tsx'
import { pageAsked, pagesOf } from '../settings/address.ts'
import { SpentChart } from '../ui/chart.tsx'
import { FormCard } from '../ui/form.tsx'
import { Card, Grid } from '../ui/layout.tsx'
import { atEnd, Pager, Table } from '../ui/table.tsx'
import { Badge, Credits, decimal, ShortId, type State, StateBadge, Time } from '../ui/values.tsx'
import { answerPart, type CustomerContext, type ShownCustomer } from './customer-page.tsx'
import { customerPath } from './words.tsx'

export const creditsPart: Page<CustomerContext> = {
  show: answerCredits,
  forms: {
    async grant(context, form) {
      const input = typedInput(form, GRANT)
      const { data } = await callOperation(context, grantCustomerCredits, input, form)
      const message = `${decimal(Number(input.amount))} credits were granted; ${decimal(data.balance)} are left now.`
      return { message }
    }
  }
}

export const GRANT = fieldsOf(GrantCredits.pick({ amount: true, note: true }).shape)

async function answerCredits(context: CustomerContext, state?: FormState): Promise<Response> {
  const { c, customer } = context
  const { data } = await callOperation(context, getCustomerCredits)
  const { data: daily } = await callOperation(context, customerCreditDaily)
  const entries = await callOperation(context, listCustomerCreditEntries, { page: pageAsked(c) })
  const here = customerPath(customer.id, 'credits')
  const children = (
    <>
      <Grid>
        <Card title="Balance" description={<Balance customer={customer} balance={data.balance} />}>
          <SpentChart title="Spent in the last 30 days" daily={daily} />
        </Card>
        <FormCard
          title="Grant credits"
          description="Adds to this customer’s credits; your own stay as they are."
          sendsTo={`${here}/grant`}
          verb="Grant credits"
        >
          <FieldControls of={GRANT} state={state} />
        </FormCard>
      </Grid>
      <Card title="Entries" description="Everything that moved the balance, newest first.">
        <Table
          caption="Credit entries, newest first"
          columns={['When', 'Kind', 'For', atEnd('Credits'), atEnd('Balance')]}
          rows={entries.data.map((entry) => ({
            cells: [
              <Time iso={entry.createdAt} />,
              <StateBadge {...KINDS[entry.kind]} />,
              entry.note ?? <Work {...entry} />,
              signed(entry.amount),
              decimal(entry.balanceAfter)
            ]
          }))}
          empty={{
            title: 'Nothing has moved yet',
            text: <p>Grants, and what remembering and asking cost, are listed here.</p>
          }}
        />
        <Pager pagination={entries.pagination} hrefOf={pagesOf(here)} />
      </Card>
    </>
  )
  return answerPart(context, { part: 'credits', state, children })
}

const Balance: FC<{ customer: ShownCustomer; balance: number }> = ({ customer, balance }) => {
  const isLow = customer.lowCreditThreshold !== null && balance < customer.lowCreditThreshold
  const details = customerPath(customer.id, 'details')
  return (
    <>
      <Credits amount={balance} /> left.{' '}
      {customer.aiCreditsEnabled ? (
        isLow && <Badge tone="warn">Low</Badge>
      ) : (
        <>
          Nothing is taken from them until <a href={`${details}#credits`}>AI credits</a> are switched on; what
          the customer uses costs you alone.
        </>
      )}
    </>
  )
}

type Entry = z.output<typeof CreditEntryPage>['data'][number]

const KINDS: Record<Entry['kind'], State> = {
  initial: { tone: 'good', label: 'Start' },
  grant: { tone: 'good', label: 'Grant' },
  purchase: { tone: 'good', label: 'Bought' },
  charge: { tone: 'neutral', label: 'Charge' },
  hold: { tone: 'neutral', label: 'Charge' },
  refund: { tone: 'warn', label: 'Refund' }
}

const WORK: Readonly<Record<string, string>> = {
  credits_grant: 'Granted',
  customer_onboard: 'To start with',
  memory_remember: 'Remembered',
  memory_ask: 'Asked'
}

const Work: FC<Pick<Entry, 'operation' | 'reference'>> = ({ operation, reference }) => (
  <>
    {WORK[operation] ?? operation} <ShortId id={reference} />
  </>
)

/** “+250”, “−1”. */
const signed = (amount: number): string => decimal(amount, { signDisplay: 'exceptZero' }).replace('-', '−')
