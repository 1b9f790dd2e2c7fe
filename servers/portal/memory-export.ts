// A Mind as a file: the export operation, page after page, as one download.

import { exportMind } from '../../src/memory/removal-operations.ts'
import { JSON_LINES, jsonLines } from '../rest/json-lines.ts'
import { callOperation, type PageContext } from './page-kit.tsx'

/**
 * Every memory of the Mind as JSON Lines. The first page is read before anything is answered, so that a refusal is a
 * page and not half a file.
 *
 * @param name of the file, without what comes after the dot
 * @throws ServiceError `mind_not_found` (404)
 */
export async function exportOf(
  context: PageContext,
  place: { mindId: string; customerId?: string },
  name: string
): Promise<Response> {
  const { c, service } = context
  const pageAt = (position: Record<string, unknown>) =>
    callOperation(context, exportMind, { ...place, ...position })
  const first = await pageAt({})
  if (!exportMind.lines) throw new Error('memory_export comes in pages')
  const stream = jsonLines(exportMind.lines, first, pageAt, (error) =>
    service.log.error('an export broke off', { error, requestId: c.get('requestId') })
  )
  return c.body(stream, 200, {
    'Content-Type': JSON_LINES,
    // The name is made of ids that were found; what a header can't hold has no place in one.
    'Content-Disposition': `attachment; filename="${name.replaceAll(/[^\w-]/g, '')}.jsonl"`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff'
  })
}
