// An answer that comes in pages, as one stream of JSON Lines: each page is a call of the operation, made once the
// client has taken the one before.
import type { Answer } from '../../src/execute.ts'
import type { AnyOperation } from '../../src/operation.ts'

export const JSON_LINES = 'application/x-ndjson'

type Lines = NonNullable<AnyOperation['lines']>

/**
 * The stream that begins with that first page. A page that fails breaks it off, so that a client can't take a part for
 * the whole; `onFailure` hears of it.
 */
export function jsonLines(
  { items, cursor, next }: Lines,
  first: Answer['output'],
  pageAt: (position: Record<string, unknown>) => Promise<Answer['output']>,
  onFailure: (error: unknown) => void
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let page: Answer['output'] | undefined = first
  return new ReadableStream({
    async pull(controller) {
      try {
        while (page) {
          const list = page[items]
          const lines = Array.isArray(list) ? list.map((item) => `${JSON.stringify(item)}\n`).join('') : ''
          const position: unknown = page[next]
          page = position === null ? undefined : await pageAt({ [cursor]: position })
          if (lines === '') continue
          controller.enqueue(encoder.encode(lines))
          return
        }
        controller.close()
      } catch (error) {
        onFailure(error)
        controller.error(error)
      }
    }
  })
}
