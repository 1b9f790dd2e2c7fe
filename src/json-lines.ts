// JSON Lines as people send them: with blank lines, Windows line ends and a byte order mark.
import type { z } from 'zod'
import { ServiceError } from './errors.ts'
import { invalidInput } from './invalid-input.ts'
import { jsonIn } from './json-shape.ts'

export interface LineProblem {
  line: number
  problem: string
}

/**
 * What `take` makes of each line, and which lines can't be used: because of their form, or since `take` refuses them with
 * a ServiceError. @param form shows what a line should look like
 */
export async function readJsonLines<Schema extends z.ZodType, Item>(
  lines: AsyncIterable<string>,
  schema: Schema,
  form: string,
  take: (value: z.output<Schema>, line: number) => Item
) {
  const items: Item[] = []
  const problems: LineProblem[] = []
  let line = 0
  for await (const text of lines) {
    line += 1
    // Spreadsheets and Windows editors put a byte order mark in front.
    const content = (line === 1 ? text.replace(/^\uFEFF/, '') : text).trim()
    if (content === '') continue
    try {
      items.push(take(readLine(content, schema, form), line))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      problems.push({ line, problem: error.message })
    }
  }
  return { items, problems }
}

function readLine<Schema extends z.ZodType>(content: string, schema: Schema, form: string) {
  const value = jsonIn(content)
  if (value === undefined)
    throw new ServiceError('invalid_input', `It is not JSON. Each line is one object: ${form}.`)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalidInput(parsed.error, 'It')
}
