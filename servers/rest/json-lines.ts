// An answer that comes in pages, as one stream of JSON Lines, or of other lines: each page is a call of the operation, made
// once the client has taken the one before.
import type { Answer } from '../../src/execute.ts'

export const JSON_LINES = 'application/x-ndjson'

export interface LineFormat {
  head: string
  lineOf(item: unknown): string
}

const JSON_FORMAT: LineFormat = { head: '', lineOf: (item) => `${JSON.stringify(item)}\n` }

/**
 * The stream that begins with that first page. A page that fails breaks it off, so that a client can't take a part for
 * the whole; `onFailure` hears of it. A client that doesn't read has nothing lie here for it but one page.
 *
 * @param items the list in a page
 */
export function jsonLines(
  items: string,
  first: Answer['output'],
  pageAt: (position: Record<string, unknown>) => Promise<Answer['output']>,
  onFailure: (error: unknown) => void,
  { head, lineOf }: LineFormat = JSON_FORMAT
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  async function* chunksFrom(page: Answer['output']) {
    let lines = head
    try {
      for (; ; page = await pageAt({ cursor: page.nextCursor })) {
        const list = page[items]
        if (Array.isArray(list)) lines += list.map(lineOf).join('')
        if (lines !== '') yield encoder.encode(lines)
        if (page.nextCursor === null) return
        lines = ''
      }
    } catch (error) {
      onFailure(error)
      throw error
    }
  }
  return ReadableStream.from(chunksFrom(first))
}
