// Files that commands take in and write.
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { z } from 'zod'
import { writeWhole } from '../../src/backup/backup.ts'
import type { LineProblem } from '../../src/json-lines.ts'
import { CommandError } from './failure.ts'
import type { Terminal } from './output.ts'

/**
 * What `read` makes of the file's lines; `-` is standard input.
 * @throws CommandError when the file can't be read, and naming the lines that can't be used
 */
export async function readLines<Content extends { problems: readonly LineProblem[] }>(
  { stdin }: Terminal,
  file: string,
  read: (lines: AsyncIterable<string>) => Promise<Content>
): Promise<Content> {
  const input = file === '-' ? stdin : createReadStream(file)
  // The stream's own error reaches the loop over its lines late, or not at all: told at once, this is first.
  const failed = new Promise<never>((_, fail) => {
    input.once('error', ({ message }: Error) => fail(new CommandError(`${file} can’t be read: ${message}`)))
  })
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  const content = await Promise.race([failed, read(lines)])
  refuseProblems(file, content.problems)
  return content
}

const MOST_SHOWN = 20

function refuseProblems(file: string, problems: readonly LineProblem[]): void {
  if (problems.length === 0) return
  const shown = problems.slice(0, MOST_SHOWN).map(({ line, problem }) => `  line ${line}: ${problem}`)
  const rest = problems.length - shown.length
  throw new CommandError(
    [
      `${file === '-' ? 'Standard input' : file} has lines that can’t be used; nothing was imported.`,
      ...shown,
      ...(rest > 0 ? [`  and ${rest} more.`] : [])
    ].join('\n')
  )
}

export function writeLines(
  rows: AsyncIterable<object>,
  file: string | undefined,
  terminal: Terminal
): Promise<void> {
  const lines = async function* () {
    for await (const row of rows) yield `${JSON.stringify(row)}\n`
  }
  return writeText(lines(), file, terminal)
}

/** Writes to standard output where no file is named. */
export async function writeText(
  text: AsyncIterable<string | Uint8Array>,
  file: string | undefined,
  { stdout }: Terminal
): Promise<void> {
  if (file === undefined) return pipeline(text, stdout, { end: false })
  await writeWhole(file, { mayReplace: true, write: (draft) => pipeline(text, createWriteStream(draft)) })
}

/** A secret that a file has on its one line, so that no list of processes shows it; `-` is standard input. @throws CommandError */
export async function readSecret<Schema extends z.ZodType>(
  { stdin }: Terminal,
  file: string,
  schema: Schema,
  missing: string
): Promise<z.output<Schema>> {
  const content = await text(file === '-' ? stdin : createReadStream(file))
  const parsed = schema.safeParse(content.trim())
  if (parsed.success) return parsed.data
  throw new CommandError(`${file === '-' ? 'Standard input' : file} has no ${missing}.`)
}
