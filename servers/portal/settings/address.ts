// Addresses of the console's pages and of the pages of a list, and where others reach this service.
import type { Context } from 'hono'
import { z } from 'zod'
import type { Config } from '../../../src/config.ts'
import type { PageEnv } from '../env.ts'
import { CONSOLE_BASE } from '../rights.ts'
import { PAGE_SIZES } from '../ui/table.tsx'

/** The address of a page of the console: `pathTo('keys', id, 'revoke')`. */
export const pathTo = (...segments: string[]): string =>
  [CONSOLE_BASE, ...segments.map(encodeURIComponent)].join('/')

/** The service as programs reach it. */
export const publicUrlOf = ({ publicUrl }: Config, c: Context<PageEnv>): string =>
  publicUrl ?? c.get('origin')

export const PageNumber = z.coerce.number().int().min(1).max(1_000_000).catch(1)

/** What an address asks for; what makes no sense is left out rather than refused. */
export const asked = <Of extends string>(schema: z.ZodType<Of | undefined>) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim()) || undefined, schema).catch(undefined)

export const PageSize = z.coerce.number().pipe(z.literal(PAGE_SIZES)).optional().catch(undefined)

/** Which page of a list is asked for; the first where it makes no sense. */
export const pageAsked = (c: Context<PageEnv>): number => PageNumber.parse(c.req.query('page') ?? 1)

/** The address with those of the values that there are in its query. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | undefined>>) {
  const there = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') there.set(name, String(value))
  }
  return there.size > 0 ? `${path}?${there}` : path
}

export const pagesOf =
  (path: string, query: Parameters<typeof withQuery>[1] = {}) =>
  (page: number, limit = query.limit): string =>
    withQuery(path, { ...query, page: page === 1 ? undefined : page, limit })
