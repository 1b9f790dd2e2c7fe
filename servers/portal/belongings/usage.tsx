// Usage by day and calls one by one: of all customers in the console, of one there and in its own portal.
import type { Child, FC } from 'hono/jsx'
import { z } from 'zod'
import { type Call, Day, type Usage } from '../../../schemas/usage.ts'
import { formatMoney } from '../../../src/money.ts'
import { getUsage, listCalls } from '../../../src/usage/operations.ts'
import { answerPart, type CustomerContext } from '../console-customers/customer-page.tsx'
import { customerPath } from '../console-customers/words.tsx'
import { baseOf, callOperation, type PageContext, showPage } from '../page-kit.tsx'
import { PageNumber, pagesOf } from '../settings/address.ts'
import { DayChart } from '../ui/chart.tsx'
import { Field } from '../ui/field.tsx'
import { Card, Figures, Grid } from '../ui/layout.tsx'
import { FilterBar } from '../ui/search.tsx'
import { atEnd, type Column, hidden, Pager, Table } from '../ui/table.tsx'
import { Badge, clockOf, decimal, Nothing, roundedMoney } from '../ui/values.tsx'

type ShownUsage = z.output<typeof Usage>
type ShownCall = z.output<typeof Call>

export async function consoleUsage(context: CustomerContext): Promise<Response> {
  return answerPart(context, { part: 'usage', children: await usageOf(context) })
}

export async function portalUsage(context: PageContext): Promise<Response> {
  return showPage(context, { title: 'Usage', current: 'usage' }, await usageOf(context))
}

const asked = Day.optional().catch(undefined)
const Query = z.object({ page: PageNumber, from: asked, to: asked })

async function usageOf(context: PageContext): Promise<Child> {
  const { c, customer } = context
  const here = customer ? customerPath(customer.id, 'usage') : `${baseOf(c)}/usage`
  const query = Query.parse(c.req.query())
  const { data: usage } = await callOperation(context, getUsage)
  const { data, pagination } = await callOperation(context, listCalls, query)
  const { page: _, ...span } = query
  return (
    <>
      <UsageOverview usage={usage} />
      <Card title="Calls" description={`Newest first; times are of ${usage.timeZone}.`}>
        <FilterBar action={here}>
          <Field label="From" name="from" type="date" value={query.from} />
          <Field label="To" name="to" type="date" value={query.to} />
        </FilterBar>
        <CallTable calls={data} usage={usage} />
        <Pager pagination={pagination} hrefOf={pagesOf(here, span)} />
      </Card>
    </>
  )
}

/** The last 30 days. Cost and margin are there where who looks may see them. */
export const UsageOverview: FC<{ usage: ShownUsage }> = ({
  usage: { days, currency, total, openAmount }
}) => {
  const { charge, cost, margin, calls, minutes } = total
  const money = (amount: number) => roundedMoney(amount, currency)
  const figures = [
    { label: 'Charged', value: money(charge) },
    ...(cost === undefined ? [] : [{ label: 'Cost', value: dollars(cost) }]),
    ...(margin === undefined ? [] : [{ label: 'Margin', value: money(margin) }]),
    { label: 'Calls', value: calls },
    { label: 'Minutes', value: minutes },
    { label: 'Not billed yet', value: money(openAmount) }
  ]
  return (
    <>
      <Figures label="Usage of the last 30 days" figures={figures} />
      <Grid>
        <Card>
          <DayChart
            title="Charged in the last 30 days"
            unit={`${currency} a day`}
            daily={days.map((day) => ({ date: day.day, value: day.charge, text: money(day.charge) }))}
          />
        </Card>
        <Card>
          <DayChart
            title="Calls in the last 30 days"
            unit="minutes a day"
            daily={days.map((day) => ({
              date: day.day,
              value: day.minutes,
              text: `${decimal(day.minutes)} minutes in ${decimal(day.calls)} calls`
            }))}
          />
        </Card>
      </Grid>
    </>
  )
}

/** What providers charge. */
export const dollars = (amount: number): string => roundedMoney(amount, 'USD')

const CallTable: FC<{ calls: readonly ShownCall[]; usage: ShownUsage }> = ({ calls, usage }) => {
  const { timeZone, total } = usage
  const ended = clockOf(timeZone)
  const isTold = (name: 'multiplier' | 'recordingUrl') => calls.some((call) => call[name] !== undefined)
  const columns: [isShown: boolean, head: string | Column, cell: (call: ShownCall) => Child][] = [
    [true, 'Ended', ({ endedAt }) => <time datetime={endedAt}>{ended.format(new Date(endedAt))}</time>],
    [true, 'Agent', ({ agent }) => agent?.name ?? <Nothing />],
    [true, 'Outcome', ({ outcome }) => inWords(outcome)],
    [true, atEnd('Duration'), ({ durationSeconds }) => clock(durationSeconds)],
    [total.cost !== undefined, atEnd('Cost'), ({ cost }) => <Exact amount={cost} currency="USD" />],
    [isTold('multiplier'), atEnd('Multiplier'), ({ multiplier }) => multiplier && `× ${multiplier}`],
    [true, atEnd('Charge'), (call) => (call.isPending ? PENDING : <Exact {...call} amount={call.charge} />)],
    [isTold('recordingUrl'), hidden('Recording'), recordingOf]
  ]
  const shown = columns.filter(([isShown]) => isShown)
  return (
    <Table
      caption="Calls, newest first"
      columns={shown.map(([, head]) => head)}
      rows={calls.map((call) => ({ cells: shown.map(([, , cell]) => cell(call)) }))}
      empty={{ title: 'No call in this time', text: 'Calls are here some minutes after they ended.' }}
    />
  )
}

const PENDING = <Badge tone="neutral">Pending</Badge>

const Exact: FC<{ amount: number | null | undefined; currency: string }> = ({ amount, currency }) =>
  typeof amount === 'number' ? (
    <span class="number" title={formatMoney(amount, currency)}>
      {roundedMoney(amount, currency, 4)}
    </span>
  ) : (
    <Nothing />
  )

const recordingOf = ({ recordingUrl }: Pick<ShownCall, 'recordingUrl'>): Child =>
  recordingUrl && (
    <a href={recordingUrl} target="_blank" rel="noopener noreferrer">
      Recording
    </a>
  )

/** `customer-ended-call` reads “Customer ended call”. */
const inWords = (outcome: string): Child => {
  const words = outcome.replaceAll(/[-_.\s]+/g, ' ').trim()
  return words === '' ? <Nothing /> : words.charAt(0).toUpperCase() + words.slice(1)
}

/** `2:05`, `1:00:00`. */
function clock(seconds: number): string {
  const whole = Math.round(seconds)
  const hours = Math.floor(whole / 3_600)
  const [minutes = '', rest] = [Math.floor(whole / 60) % 60, whole % 60].map((part) =>
    String(part).padStart(2, '0')
  )
  return hours === 0 ? `${Number(minutes)}:${rest}` : `${hours}:${minutes}:${rest}`
}
