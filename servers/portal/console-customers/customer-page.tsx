import type { Child, FC } from 'hono/jsx'
import type { z } from 'zod'
import type { Customer } from '../../../schemas/customer.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { getCustomerOperation } from '../../../src/customers/operations.ts'
import type { FormState } from '../form-state.ts'
import { type Acts, callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { ActButton } from '../ui/form.tsx'
import { Row, Tabs } from '../ui/layout.tsx'
import { roundedMoney } from '../ui/values.tsx'
import { CUSTOMERS, customerPath, OrderState, PortalState } from './words.tsx'

export type ShownCustomer = z.output<typeof Customer>

export interface CustomerContext extends PageContext {
  customer: ShownCustomer
}

/** @throws ServiceError `customer_not_found`, for another partner's as for none */
export async function openCustomer(context: PageContext): Promise<CustomerContext> {
  const customerId = context.c.req.param('customerId') ?? ''
  const { data: customer } = await callOperation(context, getCustomerOperation, { customerId })
  return { ...context, customer }
}

export function ofCustomer({ show, forms = {}, maxBytes }: Page<CustomerContext>): Page {
  const opened: Record<string, Acts[string]> = {}
  for (const [name, act] of Object.entries(forms)) {
    opened[name] = async (context, form) => act(await openCustomer(context), form)
  }
  return { show: async (context, state) => show(await openCustomer(context), state), forms: opened, maxBytes }
}

/** By the last part of the address, in their order. */
const CUSTOMER_TABS = {
  '': 'Overview',
  details: 'Details',
  timeline: 'Timeline',
  'portal-access': 'Portal',
  team: 'Team',
  'voice-agents': 'Voice agents',
  usage: 'Usage',
  billing: 'Billing',
  credits: 'Credits',
  memory: 'Memory',
  tokens: 'Tokens'
}

interface CustomerPart {
  part: keyof typeof CUSTOMER_TABS
  action?: Child
  /** Pages between the customer's and this one, which has a title of its own. */
  above?: readonly { href: string; label: string }[]
  title?: string
  state?: FormState | undefined
  children: Child
}

export function answerPart(
  context: CustomerContext,
  { part, above, title, children, ...shown }: CustomerPart
) {
  const { id } = context.customer
  const name = nameOf(context.customer)
  const breadcrumbs = [{ href: CUSTOMERS, label: 'Customers' }]
  if (title !== undefined) breadcrumbs.push({ href: customerPath(id), label: name }, ...(above ?? []))
  const tabs = title === undefined && (
    <>
      <Standing {...context.customer} />
      <Tabs
        label="Parts of this customer"
        items={Object.entries(CUSTOMER_TABS).map(([of, label]) => ({
          href: of === '' ? customerPath(id) : customerPath(id, of),
          label,
          current: of === part
        }))}
      />
    </>
  )
  return showPage(
    context,
    { title: title ?? name, current: 'customers', breadcrumbs, tabs, ...shown },
    children
  )
}

/** How it stands with the customer, and what is done most, over all of its pages. */
const Standing: FC<ShownCustomer> = ({ id, portalAccess, orderStatus, unbilledAmount, currency }) => (
  <div class="standing">
    <p>
      Portal <PortalState {...portalAccess} /> · Order <OrderState status={orderStatus} /> ·{' '}
      {roundedMoney(unbilledAmount, currency)} unbilled
    </p>
    <Row>
      {portalAccess.state === 'none' || portalAccess.state === 'lapsed' ? (
        <ActButton kind="primary" action={customerPath(id, 'portal-access', 'invite')}>
          Send invite
        </ActButton>
      ) : null}
      <ActButton action={customerPath(id, 'portal-access', 'view')}>View portal as customer</ActButton>
    </Row>
  </div>
)
