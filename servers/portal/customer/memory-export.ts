// A Mind as a file: the export operation, page after page, as one download.
import type { Context } from 'hono'
import { execute } from '../../../src/execute.ts'
import { exportMind } from '../../../src/memory/removal-operations.ts'
import type { Service } from '../../../src/service.ts'
import { JSON_LINES, jsonLines } from '../../rest/json-lines.ts'
import type { PageEnv } from '../env.ts'

/**
 * Every memory of the Mind as JSON Lines. The first page is read before anything is answered, so that a refusal is a
 * page and not half a file.
 *
 * @throws ServiceError `mind_not_found` (404)
 */
export async function exportOf(service: Service, c: Context<PageEnv>, mindId: string): Promise<Response> {
  const { caller, customerId } = c.get('visitor')
  const requestId = c.get('requestId')
  const pageAt = async (position: Record<string, unknown>) =>
    (await execute(exportMind, service, { caller, requestId }, { customerId, mindId, ...position })).output
  const first = await pageAt({})
  if (!exportMind.lines) throw new Error('memory_export comes in pages')
  const stream = jsonLines(exportMind.lines, first, pageAt, (error) =>
    service.log.error('an export broke off', { error, requestId })
  )
  return c.body(stream, 200, {
    'Content-Type': JSON_LINES,
    'Content-Disposition': `attachment; filename="${fileNameOf(mindId)}"`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff'
  })
}

/** The id came in a path and was found, so it is one of ours; what a header can't hold has no place in one. */
const fileNameOf = (mindId: string): string => `${mindId.replaceAll(/\W/g, '')}.jsonl`
