// The partner's customers: found by text and filters, a page at a time.
import type { FC } from 'hono/jsx'
import { z } from 'zod'
import { type CustomerLabels, type CustomerPage, FindCustomers } from '../../../schemas/customer.ts'
import { findCustomersOperation, listCustomerLabels } from '../../../src/customers/operations.ts'
import { page } from '../answer.tsx'
import { ConsolePage } from '../frames.tsx'
import { callOperation, type PageContext } from '../page-kit.tsx'
import { pagesOf } from '../settings/address.ts'
import { Select } from '../ui/field.tsx'
import { LinkButton } from '../ui/form.tsx'
import { Card, EmptyState } from '../ui/layout.tsx'
import { SearchBar } from '../ui/search.tsx'
import { Pager, Table } from '../ui/table.tsx'
import { Badge, Money, Nothing, Time } from '../ui/values.tsx'
import { CUSTOMERS, customerPath, ONBOARD } from './paths.ts'
import { ORDER_STATES, PORTAL_STATES, PortalState, personName } from './words.tsx'

/** What an address asks for; what makes no sense is left out rather than refused. */
const asked = <Of extends string>(schema: z.ZodType<Of | undefined>) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim()) || undefined, schema).catch(undefined)

const { search, monthlyCallVolume, callComplexity, deploymentTimeline, credentialStatus } =
  FindCustomers.shape

const Query = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
  search: asked(search),
  monthlyCallVolume: asked(monthlyCallVolume),
  callComplexity: asked(callComplexity),
  deploymentTimeline: asked(deploymentTimeline),
  credentialStatus: asked(credentialStatus),
  orderStatus: asked(z.enum(['new', 'active']).optional()),
  isOnTrial: asked(z.enum(['true', 'false']).optional())
})
type Query = z.output<typeof Query>

type Shown = z.output<typeof CustomerPage>

export async function showCustomers(context: PageContext): Promise<Response> {
  const query = Query.parse(context.c.req.query())
  const { isOnTrial, ...input } = query
  const shown = await callOperation(context, findCustomersOperation, {
    ...input,
    ...(isOnTrial === undefined ? {} : { isOnTrial: isOnTrial === 'true' })
  })
  const labels = await callOperation(context, listCustomerLabels, {})
  return page(
    context.c,
    <ConsolePage
      c={context.c}
      title="Customers"
      current="customers"
      action={<LinkButton href={ONBOARD}>Onboard a customer</LinkButton>}
    >
      <Search query={query} labels={labels.data} />
      <Card>
        <CustomerTable shown={shown} query={query} />
        <Pager pagination={shown.pagination} hrefOf={pagesOf(CUSTOMERS, query)} />
      </Card>
    </ConsolePage>
  )
}

const Search: FC<{ query: Query; labels: z.output<typeof CustomerLabels>['data'] }> = ({ query, labels }) => (
  <SearchBar
    name="search"
    value={query.search}
    placeholder="Name, e-mail, phone or company"
    action={CUSTOMERS}
  >
    <LabelFilter name="monthlyCallVolume" labels={labels.monthlyCallVolume} query={query} />
    <LabelFilter name="callComplexity" labels={labels.callComplexity} query={query} />
    <LabelFilter name="deploymentTimeline" labels={labels.deploymentTimeline} query={query} />
    <Select
      label="Portal access"
      name="credentialStatus"
      value={query.credentialStatus}
      options={[
        ANY,
        ...Object.entries(PORTAL_STATES).map(([value, state]) => ({ value, label: state.label }))
      ]}
    />
    {/* Links of the dashboard ask for these; they are in sight only then. */}
    {query.orderStatus ? (
      <Select
        label="Order"
        name="orderStatus"
        value={query.orderStatus}
        options={[ANY, ...Object.entries(ORDER_STATES).map(([value, state]) => ({ value, label: state }))]}
      />
    ) : null}
    {query.isOnTrial ? (
      <Select label="Trial" name="isOnTrial" value={query.isOnTrial} options={[ANY, ...TRIALS]} />
    ) : null}
  </SearchBar>
)

const ANY = { value: '', label: 'Any' }
const TRIALS = [
  { value: 'true', label: 'On trial' },
  { value: 'false', label: 'Not on trial' }
]

type LabelName = 'monthlyCallVolume' | 'callComplexity' | 'deploymentTimeline'
const LABEL_NAMES: Record<LabelName, string> = {
  monthlyCallVolume: 'Call volume',
  callComplexity: 'Complexity',
  deploymentTimeline: 'Timeline'
}

/** The labels that are in use; one that is asked for and isn't stays in sight, too. */
const LabelFilter: FC<{ name: LabelName; labels: readonly string[]; query: Query }> = ({
  name,
  labels,
  query
}) => {
  const value = query[name]
  const offered = value === undefined || labels.includes(value) ? labels : [value, ...labels]
  if (offered.length === 0) return null
  return (
    <Select
      label={LABEL_NAMES[name]}
      name={name}
      value={value}
      options={[ANY, ...offered.map((one) => ({ value: one, label: one }))]}
    />
  )
}

const CustomerTable: FC<{ shown: Shown; query: Query }> = ({ shown, query }) => (
  <Table
    caption="Customers, newest first"
    columns={[
      'Customer',
      'Company',
      'State',
      'Agents',
      { title: 'Unbilled', align: 'end' },
      { title: 'Created', align: 'end', narrow: 'hide' }
    ]}
    rows={shown.data.map((customer) => ({
      key: customer.id,
      href: customerPath(customer.id),
      cells: [
        personName(customer),
        customer.companyName || <Nothing />,
        <span>
          <PortalState status={customer.credentialStatus} />{' '}
          {customer.isOnTrial ? <Badge tone="warn">On trial</Badge> : null}
        </span>,
        [customer.hasVoiceAgentA ? 'A' : '', customer.hasVoiceAgentB ? 'B' : ''].filter(Boolean).join(', ') ||
          'None',
        <Money amount={customer.unbilledAmount} />,
        <Time iso={customer.createdAt} />
      ]
    }))}
    empty={<NoCustomers isFiltered={isFiltered(query)} />}
  />
)

const isFiltered = ({ page: number, ...conditions }: Query): boolean =>
  number > 1 || Object.values(conditions).some((condition) => condition !== undefined)

const NoCustomers: FC<{ isFiltered: boolean }> = ({ isFiltered: hasFilter }) =>
  hasFilter ? (
    <EmptyState
      title="No customer matches"
      action={
        <LinkButton kind="plain" href={CUSTOMERS}>
          Show all customers
        </LinkButton>
      }
    >
      <p>
        Search looks in names, e-mail addresses, phone numbers and companies. Try fewer words or another
        filter.
      </p>
    </EmptyState>
  ) : (
    <EmptyState title="No customers yet" action={<LinkButton href={ONBOARD}>Onboard a customer</LinkButton>}>
      <p>Everybody whom you onboard here or over the API is listed here.</p>
    </EmptyState>
  )
