// An answer that comes in pages, as one stream of JSON Lines, or of other lines: each page is a call of the operation, made
// once the client has taken the one before.
import type { Answer } from '../../src/execute.ts'
import type { AnyOperation } from '../../src/operation.ts'

export const JSON_LINES = 'application/x-ndjson'

type Lines = NonNullable<AnyOperation['lines']>

export interface LineFormat {
  head: string
  lineOf(item: unknown): string
}

const JSON_FORMAT: LineFormat = { head: '', lineOf: (item) => `${JSON.stringify(item)}\n` }

/**
 * The stream that begins with that first page. A page that fails breaks it off, so that a client can't take a part for
 * the whole; `onFailure` hears of it.
 */
export function jsonLines(
  { items, cursor, next }: Lines,
  first: Answer['output'],
  pageAt: (position: Record<string, unknown>) => Promise<Answer['output']>,
  onFailure: (error: unknown) => void,
  { head, lineOf }: LineFormat = JSON_FORMAT
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let page: Answer['output'] | undefined = first
  let position: unknown
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      try {
        for (let lines = ''; lines === '' && position !== null; ) {
          const isFirst = position === undefined
          page ??= await pageAt({ [cursor]: position })
          const list = page[items]
          lines = (isFirst ? head : '') + (Array.isArray(list) ? list.map(lineOf).join('') : '')
          position = page[next]
          page = undefined
          if (lines !== '') controller.enqueue(encoder.encode(lines))
        }
        if (position === null) controller.close()
      } catch (error) {
        onFailure(error)
        controller.error(error)
      }
    }
  }
  // A client that doesn't read has nothing lie here for it but the first page.
  return new ReadableStream(source, { highWaterMark: 0 })
}
