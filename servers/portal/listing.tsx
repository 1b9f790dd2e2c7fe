// What the console's lists have in common: what their address asks for, and how people look through them.
import type { Child, FC } from 'hono/jsx'
import { z } from 'zod'
import { DAYS } from '../../schemas/envelope.ts'
import { line } from '../../schemas/primitives.ts'
import { asked, PageNumber, PageSize, pagesOf, withQuery } from './settings/address.ts'
import { Field } from './ui/field.tsx'
import { choicesOf, type Filter, SearchBar } from './ui/search.tsx'
import { Pager, type PagerProps, sortedBy } from './ui/table.tsx'

/** What the address of a list asks for; `sort` is as the list's operation takes it. */
export const listQuery = <Sort extends string>(sort: z.ZodType<Sort | undefined>) =>
  z.object({
    page: PageNumber,
    limit: PageSize,
    search: asked(line(200).optional()),
    createdFrom: asked(DAYS.createdFrom),
    createdTo: asked(DAYS.createdTo),
    sort: asked(sort)
  })

type Asked = Parameters<typeof withQuery>[1] & Pick<z.output<ReturnType<typeof listQuery>>, 'page' | 'sort'>

/** Asks a list for the first and the last day. */
export const DayFields: FC<{ of: Parameters<typeof withQuery>[1] }> = ({ of }) => (
  <>
    <Field label="From (UTC)" name="createdFrom" type="date" value={of.createdFrom} />
    <Field label="Until" name="createdTo" type="date" value={of.createdTo} />
  </>
)

const NEWEST = 'Newest first'

/**
 * The parts of a list at `path` of which `query` is asked for.
 *
 * @param names what rows can be put in the order of beside their time, in words, such as `{ companyName: 'company' }`
 */
export function listing(path: string, query: Asked, names: Readonly<Record<string, string>> = {}) {
  const { page, sort = '-createdAt', ...kept } = query
  const { limit, ...conditions } = kept
  const { search, createdFrom, createdTo } = query
  const orders: Record<string, string> = { createdAt: 'Oldest first' }
  for (const [name, label] of Object.entries(names)) {
    orders[name] = `By ${label}`
    orders[`-${name}`] = `By ${label} from Z to A`
  }
  return {
    order: orders[sort] ?? NEWEST,
    isSearched: page > 1 || (search ?? createdFrom ?? createdTo) !== undefined,
    isFiltered: page > 1 || Object.values(conditions).some((condition) => condition !== undefined),
    sorted: (title: string, name: string) =>
      sortedBy(title, name, sort, (order) => withQuery(path, { ...kept, sort: order })),
    pager: (pagination: PagerProps['pagination']): Child => (
      <Pager pagination={pagination} hrefOf={pagesOf(path, query)} isSized />
    ),
    search: (placeholder: string, filters: readonly Filter[] = [], name = 'search'): Child => (
      <SearchBar
        name={name}
        value={query[name]?.toString()}
        placeholder={placeholder}
        action={path}
        filters={[
          ...filters,
          { label: 'Sorted', name: 'sort', value: query.sort, options: choicesOf(orders), none: NEWEST }
        ]}
      >
        <DayFields of={query} />
        {Object.entries(kept)
          .filter(
            ([one]) =>
              ![name, 'createdFrom', 'createdTo', ...filters.map((filter) => filter.name)].includes(one)
          )
          .map(([one, value]) =>
            value === undefined ? null : <input type="hidden" name={one} value={value} />
          )}
      </SearchBar>
    )
  }
}
