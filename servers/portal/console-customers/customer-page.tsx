// What stands around every part of one customer's page: its name, its state and the tabs.
import type { Child, FC } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import { type Customer, CustomerResult } from '../../../schemas/customer.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { getCustomerOperation } from '../../../src/customers/operations.ts'
import { ServiceError } from '../../../src/errors.ts'
import { page } from '../answer.tsx'
import type { Form } from '../forms.ts'
import { ConsolePage } from '../frames.tsx'
import { Tabs } from '../ui/layout.tsx'
import { run, type Tried, type Visit } from '../visit.ts'
import { CUSTOMERS, customerPath, PARTS, type Part } from './paths.ts'

export type ShownCustomer = z.output<typeof Customer>

/** A visit to one customer's page. */
export interface CustomerVisit extends Visit {
  customer: ShownCustomer
}

/**
 * The visit with the customer that the address names.
 *
 * @throws ServiceError `customer_not_found`, for another partner's as for none
 */
export async function visitCustomer(visit: Visit): Promise<CustomerVisit> {
  const customerId = visit.c.req.param('customerId') ?? ''
  const { data } = await run(visit, getCustomerOperation, CustomerResult, { customerId })
  return { ...visit, customer: data }
}

/** What came of a form: what was done, and where that is to be seen where it isn't on the part's own page. */
export interface Outcome {
  message: string
  next?: string
}

/** A part of one customer's page. */
export interface PartPages {
  /** Shows the part; with the form that was refused, if that is why. */
  show(visited: CustomerVisit, tried?: Tried): Promise<Response>
  /** What its forms post to, below the part; one that answers with a page of its own does so itself. */
  forms: Readonly<Record<string, (visited: CustomerVisit, form: Form) => Promise<Outcome | Response>>>
  maxBytes?: number
}

/** A part of the address below the customer's. */
export function parameter({ c }: Visit, name: string): string {
  const value = c.req.param(name)
  if (value === undefined) throw new ServiceError('not_found', 'There is no page at this address.')
  return value
}

interface CustomerPart {
  part: Part
  action?: Child
  /** Pages between this one and the customer's. */
  above?: readonly { href: string; label: string }[]
  title?: string
  /** The form that was refused, if that is why the page is shown. */
  tried?: Tried | undefined
  /** Shown below the tabs. */
  children: Child
}

/** Answers with that part of the customer's page. */
export function answerPart(
  { c, customer }: CustomerVisit,
  { part, action, above = [], title, tried, children }: CustomerPart
): Promise<Response> {
  const status: ContentfulStatusCode = tried ? tried.refusal.status : 200
  const name = nameOf(customer)
  const isBelow = title !== undefined
  return page(
    c,
    <ConsolePage
      c={c}
      title={title ?? name}
      current="customers"
      action={action}
      breadcrumbs={[
        { href: CUSTOMERS, label: 'Customers' },
        ...(isBelow ? [{ href: customerPath(customer.id), label: name }] : []),
        ...above
      ]}
    >
      {isBelow ? null : <CustomerTabs customerId={customer.id} part={part} />}
      {children}
    </ConsolePage>,
    status
  )
}

const CustomerTabs: FC<{ customerId: string; part: Part }> = ({ customerId, part }) => (
  <Tabs
    label="Parts of this customer"
    items={Object.entries(PARTS).map(([name, label]) => ({
      href: name === '' ? customerPath(customerId) : customerPath(customerId, name),
      label,
      current: name === part
    }))}
  />
)
