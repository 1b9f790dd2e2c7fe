// Files of JSON Lines that commands take in.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { LineProblem } from '../../src/json-lines.ts'
import { CommandError } from './failure.ts'
import type { Terminal } from './terminal.ts'

/**
 * What `read` makes of the file's lines; `-` is standard input.
 *
 * @throws CommandError when the file can't be read
 */
export async function readLines<Content>(
  { stdin }: Terminal,
  file: string,
  read: (lines: AsyncIterable<string>) => Promise<Content>
): Promise<Content> {
  const input = file === '-' ? stdin : createReadStream(file)
  // The stream's own error doesn't reach the loop over its lines.
  const failed = new Promise<never>((_, reject) => {
    input.once('error', (error: Error) => {
      reject(new CommandError(`${file} can’t be read: ${error.message}`))
    })
  })
  return Promise.race([failed, read(createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))])
}

const MOST_SHOWN = 20

/** @throws CommandError naming the lines that can't be used, if there are any */
export function refuseProblems(file: string, problems: readonly LineProblem[]): void {
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
