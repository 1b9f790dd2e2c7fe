// Lists as rows: by page, by cursor, or as JSON Lines.
import { networkFault } from './error.ts'
import type { paths } from './openapi.ts'

type ListOf<Body> = {
  [Field in keyof Body]: Body[Field] extends readonly (infer Row)[] ? Row : never
}[keyof Body]
type RowIn<Operation> = Operation extends {
  responses: { 200: { content: { 'application/x-ndjson': infer Line } } }
}
  ? Line
  : Operation extends { responses: { 200: { content: { 'application/json': infer Body } } } }
    ? ListOf<Body>
    : never

/** What a list at that path has in it; `never` where there is no list. */
export type RowOf<Path extends keyof paths> = RowIn<paths[Path]['get']>
/** The paths that list something. */
export type ListPath = { [Path in keyof paths]: [RowOf<Path>] extends [never] ? never : Path }[keyof paths]

interface Page {
  pagination?: { currentPage: number; hasNextPage: boolean }
  nextCursor?: string | null
}

/** Asks for page after page, as rows are taken. `ask` gets what the next page wants of the query. */
export async function* rowsOf(ask: (next: object) => Promise<Response>): AsyncGenerator<unknown, void> {
  let next: object | undefined = {}
  while (next) {
    const answer: Response = await ask(next)
    if (answer.headers.get('Content-Type')?.startsWith('application/x-ndjson')) return yield* linesOf(answer)
    const page = (await answer.json()) as Page
    yield* Object.values(page).find(Array.isArray) ?? []
    next = nextOf(page)
  }
}

function nextOf({ pagination, nextCursor }: Page): object | undefined {
  if (pagination?.hasNextPage) return { page: pagination.currentPage + 1 }
  return nextCursor ? { cursor: nextCursor } : undefined
}

async function* linesOf({ body }: Response): AsyncGenerator<unknown, void> {
  let rest = ''
  try {
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield JSON.parse(line)
    }
  } catch (error) {
    throw networkFault(error)
  }
}
