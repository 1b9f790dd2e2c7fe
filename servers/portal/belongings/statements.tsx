// Statements: of all customers in the console, of one there and in its own portal. A statement's page is its print view.
import type { Child, FC } from 'hono/jsx'
import { z } from 'zod'
import { ListStatements, type Statement, StatementLine } from '../../../schemas/statement.ts'
import { dayOf } from '../../../src/billing/calendar.ts'
import { csvRow } from '../../../src/csv.ts'
import { say, type Text } from '../../../src/language/say.ts'
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
import { TableCard } from '../ui/cards.tsx'
import { ConfirmButton, PlainLink } from '../ui/form.tsx'
import { Card, DescriptionList, Grid, Row } from '../ui/layout.tsx'
import { FilterBar } from '../ui/search.tsx'
import { atEnd, Pager, Table } from '../ui/table.tsx'
import { clockOf, DAY, decimal, exactMoney, Money, type State, StateBadge } from '../ui/values.tsx'

type Shown = z.output<typeof Statement>

const STATES = {
  draft: { tone: 'neutral', label: 'Draft' },
  closed: { tone: 'warn', label: 'Closed' },
  billed: { tone: 'good', label: 'Billed' },
  void: { tone: 'bad', label: 'Taken back' }
} as const satisfies Record<Shown['status'], State>

const KINDS: Record<StatementLine['kind'], Text> = {
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
  const options = Object.entries(STATES).map(([value, { label }]) => ({ value, label: say(label) }))
  const filters = [{ label: say('State'), name: 'status', value: query.status, options }]
  return (
    <Card title={customer && 'Statements'}>
      <FilterBar action={here} filters={filters} />
      <Table
        caption={say('Statements, the newest period first')}
        columns={[
          say('Statement'),
          ...(ofAll ? ['Customer'] : []),
          say('Period'),
          say('State'),
          atEnd(say('Total'))
        ]}
        rows={data.map((statement) => ({
          href: `${baseOf(c)}/statements/${statement.statementId}`,
          cells: [
            nameOf(statement),
            ...(ofAll ? [<bdi>{statement.customerName}</bdi>] : []),
            periodOf(statement),
            <StatusBadge {...statement} />,
            <Money amount={statement.total} currency={statement.currency} />
          ]
        }))}
        empty={{
          title: say('No statement'),
          text: say('A month’s statement is drafted with the first thing that is owed.')
        }}
      />
      <Pager pagination={pagination} hrefOf={pagesOf(here, { status: query.status })} />
    </Card>
  )
}

const StatusBadge: FC<Pick<Shown, 'status'>> = ({ status }) => (
  <StateBadge tone={STATES[status].tone} label={say(STATES[status].label)} />
)

const nameOf = ({ number }: Shown): string =>
  number === null ? say('Draft statement') : say('Statement {number}', { number })

function periodOf({ startsAt, endsAt, timeZone }: Shown): string {
  const lastMoment = new Date(Date.parse(endsAt) - 1).toISOString()
  const dayAt = (at: string) => DAY(dayOf(at, timeZone))
  return say('{from} – {to}', { from: dayAt(startsAt), to: dayAt(lastMoment) })
}

const showStatements = async (context: PageContext): Promise<Response> =>
  showPage(context, { title: say('Statements'), current: 'statements' }, await statementsOf(context))

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
  const action = <PlainLink href={`${here}/csv`}>{say('Download CSV')}</PlainLink>
  return showPage(
    context,
    { title: nameOf(statement), current: 'statements', action },
    <>
      <Card action={<StatusBadge status={status} />} title={exactMoney(statement.total, currency)}>
        {status === 'draft' ? (
          <p>{say('This is what there is so far. It is closed three days after its period.')}</p>
        ) : null}
        <DescriptionList
          items={[
            { term: say('Issued by'), value: from },
            { term: say('Issued to'), value: <bdi>{statement.customerName}</bdi> },
            { term: say('Period'), value: `${periodOf(statement)} (${timeZone})` },
            { term: say('Currency'), value: currency }
          ]}
        />
        <div class="not-printed">
          <Row>
            <PlainLink href={`${here}/json`}>{say('Download JSON')}</PlainLink>
            {c.get('visitor') ? null : <Acts statement={statement} here={here} />}
          </Row>
        </div>
      </Card>
      <Grid>
        <TableCard
          title={say('By kind')}
          caption={say('Sums by kind')}
          columns={[say('Kind'), atEnd(say('Lines')), atEnd(say('Amount'))]}
          rows={byKind.map(({ kind, lines: count, amount }) => ({
            cells: [say(KINDS[kind]), decimal(count), money(amount)]
          }))}
        />
        {byAgent.length > 0 ? (
          <TableCard
            title={say('Calls by agent')}
            caption={say('Sums of calls by agent')}
            columns={[say('Agent'), atEnd(say('Minutes')), atEnd(say('Amount'))]}
            rows={byAgent.map(({ agent, durationMs, amount }) => ({
              cells: [<bdi>{agent}</bdi>, minutesOf(durationMs), money(amount)]
            }))}
          />
        ) : null}
      </Grid>
      <Card
        title={say('Lines')}
        description={isShort ? say('Times are of {zone}.', { zone: timeZone }) : undefined}
      >
        {isShort ? (
          <Lines lines={lines} timeZone={timeZone} />
        ) : (
          <p>
            {say(
              '{count, plural, one {# line is too many for a page: the CSV has it.} other {# lines are too many for a page: the CSV has them all.}}',
              { count: lineCount }
            )}
          </p>
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
          text={`${exactMoney(total, currency)} is no longer owed unbilled: your invoice says it.`}
          action={`${here}/bill`}
        />
      ) : null}
      {status === 'closed' || status === 'billed' ? (
        <ConfirmButton
          label="Take back"
          title={`Take ${name} back?`}
          text={`It stays in the list, and ${exactMoney(total, currency)} is owed on the open statement instead.`}
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
      caption={say('Lines of the statement')}
      columns={[say('When'), say('Kind'), say('For'), atEnd(say('Minutes')), atEnd(say('Amount'))]}
      rows={lines.map(({ occurredAt, kind, description, durationMs, amount, currency }) => ({
        cells: [
          at(occurredAt),
          say(KINDS[kind]),
          <bdi>{description}</bdi>,
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
