import { nameOf } from '../../src/customers/name.ts'
import { listCustomersOperation } from '../../src/customers/operations.ts'
import { callOperation, type PageContext, showPage } from './page-kit.tsx'
import { pathTo } from './settings/address.ts'
import { LinkButton } from './ui/form.tsx'
import { SearchBar } from './ui/search.tsx'
import { Table } from './ui/table.tsx'
import { decimal } from './ui/values.tsx'

const MAX_OFFERED = 10

interface Choice {
  title: string
  current: string
  action: string
  hrefOf: (customerId: string) => string
  /** Why it takes a customer, for who has none yet. */
  whenNone: string
}

export async function chooseCustomer(context: PageContext, choice: Choice) {
  const { title, current, action, hrefOf, whenNone } = choice
  const search = context.c.req.query('search')?.trim().slice(0, 200)
  const input = { limit: MAX_OFFERED, search: search || undefined }
  const { data, pagination } = await callOperation(context, listCustomersOperation, input)
  return showPage(
    context,
    { title, current },
    <>
      <SearchBar name="search" value={search} placeholder="Name, e-mail, phone or company" action={action} />
      <Table
        caption="Customers"
        columns={['Customer', 'E-mail', 'Short code']}
        rows={data.map((customer) => ({
          href: hrefOf(customer.id),
          cells: [nameOf(customer), customer.email, <code>{customer.customerId}</code>]
        }))}
        empty={search ? NONE_FITS : { title: 'No customer yet', text: whenNone, action: TO_ONBOARDING }}
      />
      {pagination.hasNextPage ? (
        <p>
          These are {data.length} of {decimal(pagination.totalCount)}. Search for the others.
        </p>
      ) : null}
    </>
  )
}

const NONE_FITS = { title: 'No customer fits', text: 'Try a part of the name or the e-mail address.' }
const TO_ONBOARDING = <LinkButton href={pathTo('customers', 'onboard')}>Onboard a customer</LinkButton>
