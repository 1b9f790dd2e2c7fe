// The OpenAPI document as the running server hands it out, read as a client would.
import { z } from 'zod'
import { JSON_LINES } from '../../servers/rest/json-lines.ts'
import { type Judge, judgeOf, schemaIn } from './schemas-of.ts'

const Entry = z.object({
  operationId: z.string(),
  parameters: z.array(
    z.union([
      z.object({
        name: z.string(),
        in: z.enum(['path', 'query']),
        required: z.boolean(),
        schema: z.unknown()
      }),
      z.object({ $ref: z.string() })
    ])
  ),
  requestBody: z
    .object({
      required: z.boolean(),
      content: z.record(z.string(), z.object({ schema: z.unknown() }))
    })
    .optional(),
  responses: z.record(
    z.string(),
    z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })) })
  )
})
const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), Entry)) })

export interface RestParameter {
  name: string
  in: 'path' | 'query'
  isRequired: boolean
  schema: unknown
}

export interface RestOperation {
  name: string
  method: string
  /** The whole path, parameters as `{name}`. */
  path: string
  parameters: readonly RestParameter[]
  bodySchema: unknown
  /** Statuses that the document names, each with the judge of its body. */
  answers: ReadonlyMap<number, Judge>
}

export interface RestDocument {
  document: Record<string, unknown>
  operations: readonly RestOperation[]
  /** Judges the envelope of refusals. */
  judgeError: Judge
}

/** Whether its body or its answer is a file: tests/instances/backup-hostile.test.ts has those. */
const isFile = ({ requestBody, responses }: z.output<typeof Entry>): boolean =>
  [requestBody?.content, responses['200']?.content].some((content) => content && FILE in content)

const FILE = 'application/gzip'

/** Fetches the document and compiles each of its schemas once. */
export async function fetchRestDocument(url: string): Promise<RestDocument> {
  const answer = await fetch(`${url}/api/v1/mcp/openapi.json`)
  const document = Document.parse(await answer.json())
  const judge = (schema: unknown) => judgeOf(schemaIn(document, schema))
  const judgeOfAnswer = (content: z.output<typeof Entry>['responses'][string]['content']) => {
    const lines = content[JSON_LINES]
    if (!lines) return judge(content['application/json']?.schema)
    const judgeLine = judge(lines.schema)
    return (answer: unknown) => (Array.isArray(answer) ? answer.flatMap(judgeLine) : ['no lines'])
  }
  const judgeError = judge({ $ref: '#/components/schemas/Error' })
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, told]) => !isFile(told))
      .map(([method, { operationId, parameters, requestBody, responses }]) => ({
        name: operationId,
        method: method.toUpperCase(),
        path,
        parameters: parameters.flatMap((parameter) =>
          'name' in parameter ? [{ ...parameter, isRequired: parameter.required }] : []
        ),
        bodySchema: requestBody?.content['application/json']?.schema,
        answers: new Map(
          Object.entries(responses).map(([status, { content }]) => [
            Number(status),
            status.startsWith('2') ? judgeOfAnswer(content) : judgeError
          ])
        )
      }))
  )
  return { document, operations, judgeError }
}
