import { z } from 'zod'
import { FindCustomers } from '../../../schemas/customer.ts'
import { findCustomersOperation, listCustomerLabels } from '../../../src/customers/operations.ts'
import { callOperation, type PageContext, showPage } from '../page-kit.tsx'
import { PageNumber, pagesOf } from '../settings/address.ts'
import { LinkButton, PlainLink } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { choicesOf, type Filter, SearchBar } from '../ui/search.tsx'
import { atEnd, ifWide, Pager, Table } from '../ui/table.tsx'
import { Badge, Nothing, roundedMoney, Time } from '../ui/values.tsx'
import {
  CUSTOMERS,
  customerPath,
  flagOf,
  ONBOARD,
  ORDER_STATES,
  PortalState,
  personOrEmail,
  providerName
} from './words.tsx'

/** What an address asks for; what makes no sense is left out rather than refused. */
const asked = <Of extends string>(schema: z.ZodType<Of | undefined>) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim()) || undefined, schema).catch(undefined)

const Query = z.object({
  page: PageNumber,
  search: asked(FindCustomers.shape.search),
  monthlyCallVolume: asked(FindCustomers.shape.monthlyCallVolume),
  callComplexity: asked(FindCustomers.shape.callComplexity),
  deploymentTimeline: asked(FindCustomers.shape.deploymentTimeline),
  credentialStatus: asked(FindCustomers.shape.credentialStatus),
  orderStatus: asked(z.enum(['new', 'active']).optional()),
  isOnTrial: asked(z.enum(['true', 'false']).optional()),
  need: asked(FindCustomers.shape.need)
})
type Query = z.output<typeof Query>

export async function showCustomers(context: PageContext): Promise<Response> {
  const query = Query.parse(context.c.req.query())
  const input = { ...query, isOnTrial: flagOf(query.isOnTrial) }
  const { data, pagination } = await callOperation(context, findCustomersOperation, input)
  const { data: labels } = await callOperation(context, listCustomerLabels)
  return showPage(
    context,
    { title: 'Customers', current: 'customers', action: TO_ONBOARDING },
    <>
      <SearchBar
        name="search"
        value={query.search}
        placeholder="Name, e-mail, phone or company"
        action={CUSTOMERS}
        filters={filtersOf(query, labels)}
      />
      <Card>
        <Table
          caption="Customers, newest first"
          columns={['Customer', 'Company', 'State', 'Agents', atEnd('Unbilled'), ifWide(atEnd('Created'))]}
          rows={data.map((customer) => ({
            href: customerPath(customer.id),
            cells: [
              personOrEmail(customer),
              customer.companyName || <Nothing />,
              <span>
                <PortalState {...customer.portalAccess} />{' '}
                {customer.isOnTrial ? <Badge tone="warn">On trial</Badge> : null}
              </span>,
              [customer.hasVoiceAgentA && providerName('a'), customer.hasVoiceAgentB && providerName('b')]
                .filter(Boolean)
                .join(', ') || 'None',
              roundedMoney(customer.unbilledAmount, customer.currency),
              <Time iso={customer.createdAt} />
            ]
          }))}
          empty={isFiltered(query) ? NONE_MATCHES : NONE_YET}
        />
        <Pager pagination={pagination} hrefOf={pagesOf(CUSTOMERS, query)} />
      </Card>
    </>
  )
}

const TO_ONBOARDING = <LinkButton href={ONBOARD}>Onboard a customer</LinkButton>

const LABELS = [
  { name: 'monthlyCallVolume', label: 'Call volume' },
  { name: 'callComplexity', label: 'Complexity' },
  { name: 'deploymentTimeline', label: 'Timeline' }
] as const

type LabelsInUse = Record<(typeof LABELS)[number]['name'], readonly string[]>

function filtersOf(query: Query, inUse: LabelsInUse): Filter[] {
  const { credentialStatus, orderStatus, isOnTrial, need } = query
  const byLabel = LABELS.map(({ name, label }) => {
    const value = query[name]
    // A label that is asked for and isn't in use stays in sight, too.
    const offered = value === undefined || inUse[name].includes(value) ? inUse[name] : [value, ...inUse[name]]
    return { label, name, value, options: offered.map((one) => ({ value: one, label: one })) }
  })
  // Links of the dashboard ask for the others; they are in sight only then.
  return [
    ...byLabel.filter(({ options }) => options.length > 0),
    { label: 'Portal access', name: 'credentialStatus', value: credentialStatus, options: PORTAL_ACCESS },
    ...(orderStatus ? [{ label: 'Order', name: 'orderStatus', value: orderStatus, options: ORDERS }] : []),
    ...(isOnTrial ? [{ label: 'Trial', name: 'isOnTrial', value: isOnTrial, options: TRIALS }] : []),
    ...(need ? [{ label: 'Needs', name: 'need', value: need, options: NEEDED }] : [])
  ]
}

const PORTAL_ACCESS = choicesOf({ none: 'Not invited', active: 'Invited or active', suspended: 'Blocked' })
const NEEDED = choicesOf({ credits: 'Credits', invite: 'Another invite' })
const ORDERS = choicesOf(ORDER_STATES)
const TRIALS = choicesOf({ true: 'On trial', false: 'Not on trial' })

const isFiltered = ({ page, ...conditions }: Query): boolean =>
  page > 1 || Object.values(conditions).some((condition) => condition !== undefined)

const NONE_MATCHES = {
  title: 'No customer matches',
  text: (
    <p>
      Search looks in names, e-mail addresses, phone numbers and companies. Try fewer words or another filter.
    </p>
  ),
  action: <PlainLink href={CUSTOMERS}>Show all customers</PlainLink>
}

const NONE_YET = {
  title: 'No customers yet',
  text: <p>Everybody whom you onboard here or over the API is listed here.</p>,
  action: TO_ONBOARDING
}
