// What every answer of the partner API has in common (§1, §2.6, §7).
import { z } from 'zod'

/** Position in a paged list (§2.6). */
export const Pagination = z
  .object({
    currentPage: z.int(),
    totalPages: z.int(),
    totalCount: z.int(),
    limit: z.int(),
    hasNextPage: z.boolean(),
    hasPrevPage: z.boolean()
  })
  .meta({ id: 'Pagination' })

/** `page` and `limit` as every list takes them (§8: default 20, maximum 100). */
export const PageQuery = z.strictObject({
  page: z.int().min(1).max(1_000_000).default(1),
  limit: z.int().min(1).max(100).default(20)
})

/** The answer of an operation that only says what happened. */
export const Acknowledgement = z.object({ message: z.string() }).meta({ id: 'Acknowledgement' })

/** Body of every refusal of the partner API (§7, with our additions beside `error`). */
export const ErrorBody = z
  .object({
    success: z.literal(false),
    error: z.string(),
    code: z.string(),
    field: z.string().optional(),
    requestId: z.string()
  })
  .meta({ id: 'Error' })

/** The pagination object for a page of a counted list. */
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
