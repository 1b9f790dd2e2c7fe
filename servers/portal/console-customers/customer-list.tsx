import { z } from 'zod'
import { CustomerListItem, FindCustomers } from '../../../schemas/customer.ts'
import { csvRow } from '../../../src/csv.ts'
import {
  exportCustomers,
  findCustomersOperation,
  listCustomerLabels
} from '../../../src/customers/operations.ts'
import type { LineFormat } from '../../rest/json-lines.ts'
import { downloadLines } from '../download.ts'
import { listing, listQuery } from '../listing.tsx'
import { callOperation, type PageContext, showPage } from '../page-kit.tsx'
import { asked, withQuery } from '../settings/address.ts'
import { Button, LinkButton, PlainLink } from '../ui/form.tsx'
import { Card, Row } from '../ui/layout.tsx'
import { choicesOf, type Filter } from '../ui/search.tsx'
import { atEnd, ifWide, Table } from '../ui/table.tsx'
import { Badge, decimal, Nothing, roundedMoney, Time } from '../ui/values.tsx'
import {
  BULK,
  CUSTOMERS,
  customerPath,
  flagOf,
  ONBOARD,
  ORDER_STATES,
  PortalState,
  personOrEmail,
  providerName
} from './words.tsx'

const { shape } = FindCustomers
const Query = listQuery(shape.sort).extend({
  monthlyCallVolume: asked(shape.monthlyCallVolume),
  callComplexity: asked(shape.callComplexity),
  deploymentTimeline: asked(shape.deploymentTimeline),
  credentialStatus: asked(shape.credentialStatus),
  orderStatus: asked(z.enum(['new', 'active']).optional()),
  isOnTrial: asked(z.enum(['true', 'false']).optional()),
  need: asked(shape.need)
})
type Query = z.output<typeof Query>

/** What the address leaves of all customers, whatever the page and its order. */
export function filterAsked({ c }: PageContext) {
  const { page, limit, sort, ...query } = Query.parse(c.req.query())
  return { ...query, isOnTrial: flagOf(query.isOnTrial) }
}

/** All that match what the address asks for, as a file. */
export const exportPage = (context: PageContext): Promise<Response> =>
  downloadLines(context, exportCustomers, filterAsked(context), { name: 'customers', csv: CSV })

const IN_FILE = [
  ...(['customerId', 'email', 'firstName', 'lastName', 'companyName', 'monthlyCallVolume'] as const),
  ...(['callComplexity', 'deploymentStatus', 'subscriptionStatus', 'unbilledAmount', 'currency'] as const),
  'createdAt'
] as const

/** Behind its mark spreadsheets read the file as the UTF-8 that it is. */
const CSV: LineFormat = {
  head: `\uFEFF${csvRow([...IN_FILE, 'portalAccess'])}`,
  lineOf(item) {
    const customer = CustomerListItem.parse(item)
    return csvRow([...IN_FILE.map((name) => customer[name]), customer.portalAccess.state])
  }
}

export async function showCustomers(context: PageContext): Promise<Response> {
  const query = Query.parse(context.c.req.query())
  const input = { ...query, isOnTrial: flagOf(query.isOnTrial) }
  const { data, pagination } = await callOperation(context, findCustomersOperation, input)
  const { page, sort, limit, ...filter } = query
  const list = listing(CUSTOMERS, query, { name: 'name', companyName: 'company' })
  const { data: labels } = await callOperation(context, listCustomerLabels)
  return showPage(
    context,
    { title: 'Customers', current: 'customers', action: actionsWith(filter) },
    <>
      {list.search('Name, e-mail, phone or company', filtersOf(query, labels))}
      <Card>
        <Table
          caption={`Customers: ${list.order}`}
          columns={[
            ...[list.sorted('Customer', 'name'), list.sorted('Company', 'companyName')],
            ...['State', 'Agents', atEnd('Unbilled')],
            ifWide({ ...list.sorted('Created', 'createdAt'), align: 'end' }),
            atEnd('Choose')
          ]}
          rows={data.map((customer) => ({
            href: customerPath(customer.id),
            cells: [
              personOrEmail(customer),
              customer.companyName ? <bdi>{customer.companyName}</bdi> : <Nothing />,
              <span>
                <PortalState {...customer.portalAccess} />{' '}
                {customer.isOnTrial ? <Badge tone="warn">On trial</Badge> : null}
              </span>,
              [customer.hasVoiceAgentA && providerName('a'), customer.hasVoiceAgentB && providerName('b')]
                .filter(Boolean)
                .join(', ') || 'None',
              roundedMoney(customer.unbilledAmount, customer.currency),
              <Time iso={customer.createdAt} />,
              <input
                type="checkbox"
                name="id"
                value={customer.id}
                form="chosen"
                aria-label={`Choose ${personOrEmail(customer)}`}
              />
            ]
          }))}
          empty={list.isFiltered ? NONE_MATCHES : NONE_YET}
        />
        {data.length > 0 ? (
          <Row>
            <form id="chosen" action={BULK}>
              <Button kind="plain">Do something with those chosen</Button>
            </form>
            <PlainLink href={withQuery(BULK, { ...filter, all: 'yes' })}>
              Or with all {decimal(pagination.totalCount)}
            </PlainLink>
          </Row>
        ) : null}
        {list.pager(pagination)}
      </Card>
    </>
  )
}

const actionsWith = (filter: Parameters<typeof withQuery>[1]) => (
  <>
    <PlainLink href={withQuery(`${CUSTOMERS}/export`, filter)}>Export</PlainLink>
    <PlainLink href={`${CUSTOMERS}/import`}>Import</PlainLink>
    {TO_ONBOARDING}
  </>
)

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
