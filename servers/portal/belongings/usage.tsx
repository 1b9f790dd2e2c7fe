// Usage by day and calls one by one: of all customers in the console, of one there and in its own portal.
import type { Child, FC } from 'hono/jsx'
import { z } from 'zod'
import { type Call, Day, type Usage } from '../../../schemas/usage.ts'
import { say, sayOneOf, type Text } from '../../../src/language/say.ts'
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
import { Badge, clockOf, exactMoney, Nothing, roundedMoney } from '../ui/values.tsx'

type ShownUsage = z.output<typeof Usage>
type ShownCall = z.output<typeof Call>

export async function consoleUsage(context: CustomerContext): Promise<Response> {
  return answerPart(context, { part: 'usage', children: await usageOf(context) })
}

export async function portalUsage(context: PageContext): Promise<Response> {
  return showPage(context, { title: say('Usage'), current: 'usage' }, await usageOf(context))
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
      <Card
        title={say('Calls')}
        description={say('Newest first; times are of {zone}.', { zone: usage.timeZone })}
      >
        <FilterBar action={here}>
          <Field label={say('From')} name="from" type="date" value={query.from} />
          <Field label={say('To')} name="to" type="date" value={query.to} />
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
    { label: say('Charged'), value: money(charge) },
    ...(cost === undefined ? [] : [{ label: say('Cost'), value: dollars(cost) }]),
    ...(margin === undefined ? [] : [{ label: 'Margin', value: money(margin) }]),
    { label: say('Calls'), value: calls },
    { label: say('Minutes'), value: minutes },
    { label: say('Not billed yet'), value: money(openAmount) }
  ]
  return (
    <>
      <Figures label={say('Usage of the last 30 days')} figures={figures} />
      <Grid>
        <Card>
          <DayChart
            title={say('Charged in the last 30 days')}
            unit={say('{currency} a day', { currency })}
            daily={days.map((day) => ({ date: day.day, value: day.charge, text: money(day.charge) }))}
          />
        </Card>
        <Card>
          <DayChart
            title={say('Calls in the last 30 days')}
            unit={say('minutes a day')}
            daily={days.map((day) => ({
              date: day.day,
              value: day.minutes,
              text: say(
                '{minutes, plural, one {# minute} other {# minutes}} in {calls, plural, one {# call} other {# calls}}',
                { minutes: day.minutes, calls: day.calls }
              )
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
    [true, say('Ended'), ({ endedAt }) => <time datetime={endedAt}>{ended(endedAt)}</time>],
    [true, say('Agent'), ({ agent }) => (agent ? <bdi>{agent.name}</bdi> : <Nothing />)],
    [true, say('Outcome'), ({ outcome }) => inWords(outcome)],
    [true, atEnd(say('Duration')), ({ durationSeconds }) => clock(durationSeconds)],
    [total.cost !== undefined, atEnd(say('Cost')), ({ cost }) => <Exact amount={cost} currency="USD" />],
    [isTold('multiplier'), atEnd('Multiplier'), ({ multiplier }) => multiplier && `× ${multiplier}`],
    [true, atEnd(say('Charge')), (call) => <Charge {...call} />],
    [isTold('recordingUrl'), hidden(say('Recording')), recordingOf]
  ]
  const shown = columns.filter(([isShown]) => isShown)
  return (
    <Table
      caption={say('Calls, newest first')}
      columns={shown.map(([, head]) => head)}
      rows={calls.map((call) => ({ cells: shown.map(([, , cell]) => cell(call)) }))}
      empty={{
        title: say('No call in this time'),
        text: say('Calls are here some minutes after they ended.')
      }}
    />
  )
}

const Charge: FC<Pick<ShownCall, 'isPending' | 'charge' | 'currency'>> = ({ isPending, charge, currency }) =>
  isPending ? <Badge tone="neutral">{say('Pending')}</Badge> : <Exact amount={charge} currency={currency} />

const Exact: FC<{ amount: number | null | undefined; currency: string }> = ({ amount, currency }) =>
  typeof amount === 'number' ? (
    <span class="number" title={exactMoney(amount, currency)}>
      {roundedMoney(amount, currency, 4)}
    </span>
  ) : (
    <Nothing />
  )

const recordingOf = ({ recordingUrl }: Pick<ShownCall, 'recordingUrl'>): Child =>
  recordingUrl && (
    <a href={recordingUrl} target="_blank" rel="noopener noreferrer">
      {say('Recording')}
    </a>
  )

/** Those that the providers tell most. */
const OUTCOMES = [
  ...(['Customer ended call', 'Assistant ended call', 'Assistant forwarded call', 'Voicemail'] as const),
  ...(['Silence timed out', 'Customer did not answer', 'Customer busy', 'Exceeded max duration'] as const),
  ...(['User hangup', 'Agent hangup', 'Call transfer', 'Voicemail reached', 'Inactivity'] as const),
  ...(['Max duration reached', 'Dial busy', 'Dial no answer'] as const)
] satisfies readonly Text[]

/** `customer-ended-call` reads “Customer ended call”. */
const inWords = (outcome: string): Child => {
  const words = outcome.replaceAll(/[-_.\s]+/g, ' ').trim()
  return words === '' ? <Nothing /> : sayOneOf(OUTCOMES, words.charAt(0).toUpperCase() + words.slice(1))
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
