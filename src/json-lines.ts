// JSON Lines as people send them: with blank lines, Windows line ends and a byte order mark.
import type { z } from 'zod'
import { invalidInput } from './invalid-input.ts'

export interface LineProblem {
  line: number
  problem: string
}

/** What each line holds, or what is wrong with it. @param form shows what a line should look like */
export async function* readJsonLines<Schema extends z.ZodType>(
  lines: AsyncIterable<string>,
  schema: Schema,
  form: string
): AsyncGenerator<LineProblem | { line: number; value: z.output<Schema> }> {
  let line = 0
  for await (const text of lines) {
    line += 1
    // Spreadsheets and Windows editors put a byte order mark in front.
    const content = (line === 1 ? text.replace(/^\uFEFF/, '') : text).trim()
    if (content === '') continue
    yield { line, ...readLine(content, schema, form) }
  }
}

function readLine<Schema extends z.ZodType>(content: string, schema: Schema, form: string) {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    return { problem: `It is not JSON. Each line is one object: ${form}.` }
  }
  const parsed = schema.safeParse(value)
  return parsed.success ? { value: parsed.data } : { problem: invalidInput(parsed.error, 'It').message }
}
