// A table that turns into stacked rows where it gets narrow.
import type { Child, FC } from 'hono/jsx'
import type { z } from 'zod'
import type { Pagination } from '../../../schemas/envelope.ts'
import { say } from '../../../src/language/say.ts'
import { mayOpen } from '../rights.ts'
import { Icon } from './icon.tsx'
import { EmptyState } from './layout.tsx'
import { decimal } from './values.tsx'

export interface Column {
  title: string
  align?: 'end' | undefined
  hidden?: boolean | undefined
  narrow?: 'hide' | undefined
  /** Where the list is in this column's order, or the other way round, and how it is now. */
  sort?: { href: string; now: 'ascending' | 'descending' | undefined }
}

/** A column that the list can be put in the order of; once it is, the other way round. */
export function sortedBy(
  title: string,
  name: string,
  sort: string,
  hrefOf: (sort: string) => string
): Column {
  const now = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined
  return { title, sort: { href: hrefOf(now === 'ascending' ? `-${name}` : name), now } }
}

/** A column of numbers or times. */
export const atEnd = (title: string) => ({ title, align: 'end' }) as const

/** The column of a row's buttons: its title is for screen readers only. */
export const hidden = (title: string) => ({ title, hidden: true }) as const

/** A column that is left out where it gets narrow. */
export const ifWide = (column: Column): Column => ({ ...column, narrow: 'hide' })

export interface TableProps {
  caption: string
  /** A title alone is a column like most. */
  columns: readonly (string | Column)[]
  /** The first cell links to `href`; a click anywhere in the row follows it. */
  rows: readonly { href?: string | undefined; cells: readonly Child[] }[]
  empty?: { title: string; text?: Child; action?: Child }
}

export const Table: FC<TableProps> = ({ caption, columns: named, rows, empty }) => {
  if (rows.length === 0) return empty ? <EmptyState {...empty}>{empty.text}</EmptyState> : null
  const columns = named.map((column) => (typeof column === 'string' ? { title: column } : column))
  return (
    <div class="table-frame">
      <table class="table">
        <caption class="sr">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" class={classOf(column)} aria-sort={column.sort?.now}>
                {column.hidden ? <span class="sr">{column.title}</span> : headOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(linkedIfOpen).map(({ href, cells }) => (
            <tr class={href === undefined ? undefined : 'linked'}>
              {columns.map((column, index) => (
                <td
                  class={classOf(column)}
                  data-label={index > 0 && !column.hidden ? column.title : undefined}
                >
                  {index === 0 && href !== undefined ? (
                    <a class="row-link" href={href}>
                      {cells[index]}
                    </a>
                  ) : (
                    cells[index]
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const headOf = ({ title, sort }: Column): Child => (sort ? <a href={sort.href}>{title}</a> : title)

const linkedIfOpen = ({ href, cells }: TableProps['rows'][number]) => ({
  href: href !== undefined && mayOpen(href) ? href : undefined,
  cells
})

function classOf({ align, hidden, narrow }: Column): string | undefined {
  const names = [align === 'end' ? 'end' : '', hidden ? 'acts' : '', narrow === 'hide' ? 'wide' : '']
  return names.filter(Boolean).join(' ') || undefined
}

/** How many rows people can have on a page, the first unless they choose. */
export const PAGE_SIZES = [20, 50, 100]

export interface PagerProps {
  pagination: z.infer<typeof Pagination>
  hrefOf: (page: number, limit?: number) => string
  /** Whether people choose how many rows a page has. */
  isSized?: boolean
}

/** Where one stands in a list of several pages; nothing for a list of one. */
export const Pager: FC<PagerProps> = ({
  pagination: { currentPage, totalPages, totalCount, limit, hasNextPage, hasPrevPage },
  hrefOf,
  isSized
}) => {
  const isShort = totalCount <= (isSized ? Math.min(...PAGE_SIZES) : limit)
  if (isShort && currentPage === 1) return null
  const first = (currentPage - 1) * limit + 1
  const last = Math.min(first + limit - 1, totalCount)
  return (
    <nav class="pager" aria-label={say('Pages')}>
      <p>
        {first > totalCount
          ? say('Nothing on page {page}', { page: currentPage })
          : say('{first}–{last} of {count}', {
              first: decimal(first),
              last: decimal(last),
              count: decimal(totalCount)
            })}
      </p>
      {isSized ? (
        <p>
          {say('Rows per page:')} {PAGE_SIZES.map((size) => sizeLink(hrefOf(1, size), size, size === limit))}
        </p>
      ) : null}
      <div class="pager-steps">
        <Step rel="prev" href={hasPrevPage && hrefOf(Math.min(currentPage - 1, Math.max(totalPages, 1)))}>
          <Icon name="back" />
          {say('Previous')}
        </Step>
        <Step rel="next" href={hasNextPage && hrefOf(currentPage + 1)}>
          {say('Next')}
          <Icon name="forward" />
        </Step>
      </div>
    </nav>
  )
}

const sizeLink = (href: string, size: number, isNow: boolean) => (
  <>
    <a href={href} aria-current={isNow ? 'true' : undefined}>
      {size}
    </a>{' '}
  </>
)

/** For a list that leads on from page to page and has no numbers. */
export const Onward: FC<{ order: string; first: string | false; next: string | false }> = ({
  order,
  first,
  next
}) =>
  first || next ? (
    <nav class="pager" aria-label={say('Pages')}>
      <p>{order}</p>
      <div class="pager-steps">
        <Step rel="first" href={first}>
          <Icon name="back" />
          {say('First page')}
        </Step>
        <Step rel="next" href={next}>
          {say('Next')}
          <Icon name="forward" />
        </Step>
      </div>
    </nav>
  ) : null

const Step: FC<{ rel: 'first' | 'prev' | 'next'; href: string | false; children?: Child }> = (step) => {
  const { href, rel, children } = step
  const Tag = href === false ? 'span' : 'a'
  return (
    <Tag class="button plain" {...(href === false ? { 'aria-disabled': 'true' } : { href, rel })}>
      {children}
    </Tag>
  )
}
