import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { Pagination } from '../../../schemas/envelope.ts'
import { Icon } from './icon.tsx'

interface PagerProps {
  pagination: z.infer<typeof Pagination>
  hrefOf: (page: number) => string
}

/** Where one stands in a list of several pages; nothing for a list of one. */
export const Pager: FC<PagerProps> = ({ pagination, hrefOf }) => {
  const { currentPage, totalPages, totalCount, limit, hasNextPage, hasPrevPage } = pagination
  if (totalPages <= 1 && currentPage === 1) return null
  const first = (currentPage - 1) * limit + 1
  return (
    <nav class="pager" aria-label="Pages">
      <p>
        {first > totalCount ? (
          `Nothing on page ${currentPage}`
        ) : (
          <Range first={first} pagination={pagination} />
        )}
      </p>
      <div class="pager-steps">
        <Step
          label="Previous"
          isThere={hasPrevPage}
          href={hrefOf(Math.min(currentPage - 1, Math.max(totalPages, 1)))}
        >
          <Icon name="back" />
        </Step>
        <Step label="Next" isThere={hasNextPage} href={hrefOf(currentPage + 1)}>
          <Icon name="forward" />
        </Step>
      </div>
    </nav>
  )
}

const Range: FC<{ first: number; pagination: PagerProps['pagination'] }> = ({
  first,
  pagination: { totalCount, limit }
}) => (
  <>
    {first.toLocaleString('en')}–{Math.min(first + limit - 1, totalCount).toLocaleString('en')} of{' '}
    {totalCount.toLocaleString('en')}
  </>
)

const Step: FC<{ label: string; isThere: boolean; href: string; children?: unknown }> = ({
  label,
  isThere,
  href,
  children
}) =>
  isThere ? (
    <a class="button plain" href={href} rel={label === 'Next' ? 'next' : 'prev'}>
      {label === 'Previous' ? children : null}
      {label}
      {label === 'Next' ? children : null}
    </a>
  ) : (
    <span class="button plain" aria-disabled="true">
      {label === 'Previous' ? children : null}
      {label}
      {label === 'Next' ? children : null}
    </span>
  )
