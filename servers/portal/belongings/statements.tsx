// Statements: of all customers in the console, of one there and in its own portal. A statement's page is its print view.
import type { Child, FC } from 'hono/jsx'
import { z } from 'zod'
import { ListStatements, type Statement, StatementLine } from '../../../schemas/statement.ts'
import { dayOf } from '../../../src/billing/calendar.ts'
import { csvRow } from '../../../src/csv.ts'
import { formatMoney } from '../../../src/money.ts'
import {
  billStatementOperation,
  getStatement,
  listStatementLines,
  listStatements,
  voidStatementOperation
} from '../../../src/statements/operations.ts'
import { customerPath } from '../console-customers/words.tsx'
import { downloadLines } from '../download.ts'
import { baseOf, callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { PageNumber, pagesOf } from '../settings/address.ts'
import { ConfirmButton, PlainLink } from '../ui/form.tsx'
import { Card, DescriptionList, Grid, Row } from '../ui/layout.tsx'
import { FilterBar } from '../ui/search.tsx'
import { atEnd, Pager, Table } from '../ui/table.tsx'
import { clockOf, counted, DAY, decimal, Money, type State, StateBadge } from '../ui/values.tsx'

type Shown = z.output<typeof Statement>

const STATES: Record<Shown['status'], State> = {
  draft: { tone: 'neutral', label: 'Draft' },
  closed: { tone: 'warn', label: 'Closed' },
  billed: { tone: 'good', label: 'Billed' },
  void: { tone: 'bad', label: 'Taken back' }
}
const STATUSES = Object.entries(STATES).map(([value, { label }]) => ({ value, label }))

const KINDS: Record<StatementLine['kind'], string> = {
  call: 'Calls',
  ai_credits: 'AI credits',
  pack: 'Packs',
  subscription: 'Subscription',
  adjustment: 'Adjustments',
  billed: 'Billed',
  void: 'Taken back'
}

const Query = z.object({ page: PageNumber, status: ListStatements.shape.status.catch(undefined) })

/** A page of them, with the filter by state: of the customer whose page it is, or all that the visitor has. */
export async function statementsOf(context: PageContext): Promise<Child> {
  const { c, customer } = context
  const here = customer ? customerPath(customer.id, 'billing') : `${baseOf(c)}/statements`
  const query = Query.parse(c.req.query())
  const { data, pagination } = await callOperation(context, listStatements, query)
  const ofAll = !customer && !c.get('visitor')
  const filters = [{ label: 'State', name: 'status', value: query.status, options: STATUSES }]
  return (
    <Card title={customer && 'Statements'}>
      <FilterBar action={here} filters={filters} />
      <Table
        caption="Statements, the newest period first"
        columns={['Statement', ...(ofAll ? ['Customer'] : []), 'Period', 'State', atEnd('Total')]}
        rows={data.map((statement) => ({
          href: `${baseOf(c)}/statements/${statement.statementId}`,
          cells: [
            nameOf(statement),
            ...(ofAll ? [statement.customerName] : []),
            periodOf(statement),
            <StateBadge {...STATES[statement.status]} />,
            <Money amount={statement.total} currency={statement.currency} />
          ]
        }))}
        empty={{
          title: 'No statement',
          text: 'A month’s statement is drafted with the first thing that is owed.'
        }}
      />
      <Pager pagination={pagination} hrefOf={pagesOf(here, { status: query.status })} />
    </Card>
  )
}

const nameOf = ({ number }: Shown): string => (number === null ? 'Draft statement' : `Statement ${number}`)

function periodOf({ startsAt, endsAt, timeZone }: Shown): string {
  const lastMoment = new Date(Date.parse(endsAt) - 1).toISOString()
  const [from, to] = [startsAt, lastMoment].map((at) => DAY.format(new Date(dayOf(at, timeZone))))
  return `${from} – ${to}`
}

const showStatements = async (context: PageContext): Promise<Response> =>
  showPage(context, { title: 'Statements', current: 'statements' }, await statementsOf(context))

/** So many lines stand on the page; of more, the file has them. */
const SHOWN_LINES = 300

async function showStatement(context: PageContext): Promise<Response> {
  const { c } = context
  const { data: statement } = await callOperation(context, getStatement, c.req.param())
  const { statementId, status, timeZone, currency, byKind, byAgent, lineCount } = statement
  const isShort = lineCount <= SHOWN_LINES
  const { lines } = isShort
    ? await callOperation(context, listStatementLines, { statementId })
    : { lines: [] }
  const here = `${baseOf(c)}/statements/${statementId}`
  const from = c.get('visitor') ? c.get('portal').look.name : c.get('consoleVisitor').partnerName
  const money = (amount: number) => <Money amount={amount} currency={currency} />
  const action = <PlainLink href={`${here}/csv`}>Download CSV</PlainLink>
  return showPage(
    context,
    { title: nameOf(statement), current: 'statements', action },
    <>
      <Card action={<StateBadge {...STATES[status]} />} title={formatMoney(statement.total, currency)}>
        {status === 'draft' ? (
          <p>This is what there is so far. It is closed three days after its period.</p>
        ) : null}
        <DescriptionList
          items={[
            { term: 'From', value: from },
            { term: 'For', value: statement.customerName },
            { term: 'Period', value: `${periodOf(statement)} (${timeZone})` },
            { term: 'Currency', value: currency }
          ]}
        />
        <div class="not-printed">
          <Row>
            <PlainLink href={`${here}/json`}>Download JSON</PlainLink>
            {c.get('visitor') ? null : <Acts statement={statement} here={here} />}
          </Row>
        </div>
      </Card>
      <Grid>
        <Card title="By kind">
          <Table
            caption="Sums by kind"
            columns={['Kind', atEnd('Lines'), atEnd('Amount')]}
            rows={byKind.map(({ kind, lines: count, amount }) => ({
              cells: [KINDS[kind], decimal(count), money(amount)]
            }))}
          />
        </Card>
        {byAgent.length > 0 ? (
          <Card title="Calls by agent">
            <Table
              caption="Sums of calls by agent"
              columns={['Agent', atEnd('Minutes'), atEnd('Amount')]}
              rows={byAgent.map(({ agent, durationMs, amount }) => ({
                cells: [agent, minutesOf(durationMs), money(amount)]
              }))}
            />
          </Card>
        ) : null}
      </Grid>
      <Card title="Lines" description={isShort ? `Times are of ${timeZone}.` : undefined}>
        {isShort ? (
          <Lines lines={lines} timeZone={timeZone} />
        ) : (
          <p>{counted(lineCount, 'line')} are too many for a page: the CSV has them all.</p>
        )}
      </Card>
    </>
  )
}

const minutesOf = (ms: number | null): string =>
  ms === null ? '' : decimal(ms / 60_000, { maximumFractionDigits: 1 })

const Acts: FC<{ statement: Shown; here: string }> = ({ statement, here }) => {
  const name = nameOf(statement)
  const { status, total, currency, customerId } = statement
  return (
    <>
      <PlainLink href={customerPath(customerId, 'billing')}>Customer</PlainLink>
      {status === 'closed' ? (
        <ConfirmButton
          kind="plain"
          label="Mark as billed"
          title={`Mark ${name} as billed?`}
          text={`${formatMoney(total, currency)} is no longer owed unbilled: your invoice says it.`}
          action={`${here}/bill`}
        />
      ) : null}
      {status === 'closed' || status === 'billed' ? (
        <ConfirmButton
          label="Take back"
          title={`Take ${name} back?`}
          text={`It stays in the list, and ${formatMoney(total, currency)} is owed on the open statement instead.`}
          action={`${here}/void`}
        />
      ) : null}
    </>
  )
}

const Lines: FC<{ lines: readonly StatementLine[]; timeZone: string }> = ({ lines, timeZone }) => {
  const at = clockOf(timeZone)
  return (
    <Table
      caption="Lines of the statement"
      columns={['When', 'Kind', 'For', atEnd('Minutes'), atEnd('Amount')]}
      rows={lines.map(({ occurredAt, kind, description, durationMs, amount, currency }) => ({
        cells: [
          at.format(new Date(occurredAt)),
          KINDS[kind],
          description,
          minutesOf(durationMs),
          <Money amount={amount} currency={currency} />
        ]
      }))}
    />
  )
}

const WHAT = ['number', 'occurredAt', 'kind', 'description', 'durationSeconds'] as const
const COLUMNS = [...WHAT, 'amount', 'currency', 'reference'] as const

/** By its first character spreadsheets know that it is UTF-8. */
const CSV = {
  head: `\uFEFF${csvRow(COLUMNS)}`,
  lineOf(item: unknown) {
    const { durationMs, ...line } = StatementLine.parse(item)
    const cells = { ...line, durationSeconds: durationMs === null ? null : durationMs / 1_000 }
    return csvRow(COLUMNS.map((column) => cells[column]))
  }
}

const download = (csv?: typeof CSV) => (context: PageContext) => {
  const statementId = context.c.req.param('statementId') ?? ''
  return downloadLines(context, listStatementLines, { statementId }, { name: statementId, csv })
}

/** For both sites; who may bill has the buttons for it. */
const readingPages = {
  '/statements': showStatements,
  '/statements/:statementId/csv': download(CSV),
  '/statements/:statementId/json': download()
}

export const portalStatements = { ...readingPages, '/statements/:statementId': showStatement }

export const consoleStatements: Record<string, Page | Page['show']> = {
  ...readingPages,
  '/statements/:statementId': {
    show: showStatement,
    buttons: {
      bill: (context, form) => callOperation(context, billStatementOperation, context.c.req.param(), form),
      void: (context, form) => callOperation(context, voidStatementOperation, context.c.req.param(), form)
    }
  }
}
