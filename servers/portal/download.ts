// What comes in pages or pieces, as a file.
import type { Context } from 'hono'
import type { z } from 'zod'
import type { Answering } from '../../src/operation.ts'
import { holdFile } from '../middleware/body-limit.ts'
import { JSON_LINES, jsonLines, type LineFormat } from '../rest/json-lines.ts'
import { callOperation, type PageContext } from './page-kit.tsx'

/** A file of somebody's, whatever is in it: to be kept, never to be shown or run as a page of ours. */
export const downloadFile = (
  c: Context,
  { name, size, pieces }: { name: string; size: number; pieces: AsyncIterable<Uint8Array> }
): Response => {
  holdFile(c)
  return c.body(ReadableStream.from(pieces), 200, {
    'Content-Type': 'application/octet-stream',
    // By which it is seen behind each proxy that one broke off.
    'Content-Length': String(size),
    // What is left of a name can't end the header: the encoding takes all but letters and digits.
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    'Content-Security-Policy': 'sandbox',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff'
  })
}

/**
 * Every line that the operation answers, as JSON Lines or in another format. The first page is read before anything is
 * answered, so that a refusal is a page and not half a file. @throws ServiceError what the operation refuses with
 */
export async function downloadLines<Output extends z.ZodObject>(
  context: PageContext,
  operation: Answering<Output>,
  given: Record<string, unknown>,
  { name, csv }: { name: string; csv?: LineFormat | undefined }
): Promise<Response> {
  const { c, service } = context
  const pageAt = (position: Record<string, unknown>) =>
    callOperation(context, operation, { ...given, ...position })
  const first = await pageAt({})
  if (!operation.lines) throw new Error(`${operation.name} comes in pages`)
  const onFailure = (error: unknown) =>
    service.log.error('an export broke off', { error, requestId: c.get('requestId') })
  const lines = jsonLines(operation.lines, first, pageAt, onFailure, csv)
  return c.body(lines, 200, linesHeaders(name, csv ? 'csv' : 'jsonl'))
}

export const linesHeaders = (name: string, ending: 'csv' | 'jsonl') => ({
  'Content-Type': ending === 'csv' ? 'text/csv; charset=utf-8' : JSON_LINES,
  // The name is made of ids that were found; what a header can't hold has no place in one.
  'Content-Disposition': `attachment; filename="${name.replaceAll(/[^\w-]/g, '')}.${ending}"`,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff'
})
