// What every answer of the partner API has in common (§1, §2.6, §7).
import { z } from 'zod'
import { line, said, told } from './primitives.ts'

export const Pagination = z
  .object({
    currentPage: told.count('This page’s number.', 1),
    totalPages: told.count('How many pages there are.', 1),
    totalCount: told.count('How many results there are on all pages.', 1),
    limit: told.count('Results per page.', 20),
    hasNextPage: told.flag('Whether a page follows.', false),
    hasPrevPage: told.flag('Whether a page comes before.', false)
  })
  .meta({ id: 'Pagination' })

/** `page` and `limit` as every list takes them (§8: default 20, maximum 100). */
export const PageQuery = z.strictObject({
  page: said(z.int().min(1).max(1_000_000).default(1), 'Page number, from 1.', 1),
  limit: said(z.int().min(1).max(100).default(20), 'Results per page.', 20)
})

const Day = z.iso.date().max(10)

/** The first and the last day of what a list is about. */
export const DAYS = {
  createdFrom: said(Day, 'Only from this day on, in UTC.', '2026-01-01').optional(),
  createdTo: said(Day, 'Only until this day, in UTC.', '2026-01-31').optional()
}

/** What a list of the console is asked for beside: a text, days, and an order; `-` is the other way round. */
export const lookingBy = <const Column extends string>(...columns: Column[]) => ({
  search: line(200).optional(),
  ...DAYS,
  sort: z
    .enum([...columns, 'createdAt' as const].flatMap((column) => [column, `-${column}` as const]))
    .optional()
})

export const message = (example = 'Done.') => told.text('What was done, in a sentence.', example)

export const NoInput = z.strictObject({})

export const acknowledgement = (example?: string) => z.object({ message: message(example) })
export const Acknowledgement = acknowledgement()

export const data = <Result extends z.ZodType>(result: Result) => said(result, 'The result.')

/** The answer to what changed something: what was done, such as the example, and what came of it. */
export const doneOf = <Result extends z.ZodType>(example: string, result: Result) =>
  z.object({ message: message(example), data: data(result) })

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: data(z.array(item)),
    pagination: said(Pagination, 'Where this page stands in the list.')
  })

/** Body of every refusal of the partner API (§7, with our additions beside `error`). */
export const ErrorBody = z
  .object({
    success: said(z.literal(false), '`false` on every refusal.', false),
    error: told.text('What was wrong and what to do, in a sentence or two.'),
    code: told.text('What was wrong, for programs.'),
    field: told.text('Path of the input that was wrong, such as `basic.email`.').optional(),
    reason: told.text('Why an agent failed, such as `model_refused`.').optional(),
    hasStarted: told.flag('Whether the agent may have begun with the message.').optional(),
    isRunning: told.flag('Only the wait is over: the agent works on.').optional(),
    requestId: told.text('Names the request; the same as `X-Request-Id`.'),
    traceId: told.text('Its OpenTelemetry trace, where the operator has those collected.').optional()
  })
  .meta({ id: 'Error' })
export type ErrorBody = z.output<typeof ErrorBody>

export function paginate(page: number, limit: number, totalCount: number): z.infer<typeof Pagination> {
  const totalPages = Math.ceil(totalCount / limit)
  return {
    currentPage: page,
    totalPages,
    totalCount,
    limit,
    hasNextPage: page < totalPages,
    hasPrevPage: page > 1
  }
}
