// Where the console leads to, by a word of it: customers, pages, and what is begun most. Ctrl-K opens it over any page.
import { FindCustomers } from '../../../schemas/customer.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { findCustomersOperation } from '../../../src/customers/operations.ts'
import { CONSOLE_MENU } from '../frames.tsx'
import { callOperation, type PageContext, showPage } from '../page-kit.tsx'
import { mayOpen } from '../rights.ts'
import { asked, pathTo } from '../settings/address.ts'
import { Card } from '../ui/layout.tsx'
import { SearchBar } from '../ui/search.tsx'
import { CUSTOMERS, customerPath, ONBOARD } from './words.tsx'

const MOST_CUSTOMERS = 8

const PLACES = [
  { href: ONBOARD, label: 'Onboard a customer' },
  { href: `${CUSTOMERS}/import`, label: 'Import customers from a file' },
  { href: pathTo('keys', 'new'), label: 'Make an API key' },
  { href: pathTo('plans', 'new'), label: 'Make a plan' },
  { href: pathTo('tokens', 'new'), label: 'Make an MCP token' },
  ...CONSOLE_MENU.map(({ segment, label }) => ({ href: segment ? pathTo(segment) : pathTo(), label }))
]

export async function showFind(context: PageContext): Promise<Response> {
  const search = asked(FindCustomers.shape.search).parse(context.c.req.query('q'))
  const input = { search, limit: MOST_CUSTOMERS }
  const { data } = search ? await callOperation(context, findCustomersOperation, input) : { data: [] }
  const word = search?.toLowerCase() ?? ''
  const found = [
    ...data.map((one) => ({ href: customerPath(one.id), label: nameOf(one), about: one.email })),
    ...PLACES.filter(({ href, label }) => label.toLowerCase().includes(word) && mayOpen(href))
  ]
  return showPage(
    context,
    { title: 'Find', current: 'find' },
    <>
      <SearchBar
        name="q"
        value={search}
        placeholder="A customer, a page or an action"
        action={pathTo('find')}
      />
      <Card>
        <ul class="found" data-part="found">
          {found.map(({ href, label, ...more }) => (
            <li>
              <a href={href}>
                {label}{' '}
                {'about' in more && more.about !== label ? <span class="help">{more.about}</span> : null}
              </a>
            </li>
          ))}
          {found.length === 0 ? <li>Nothing has that in its name.</li> : null}
        </ul>
      </Card>
    </>
  )
}
