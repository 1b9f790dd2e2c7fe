import { createInterface } from 'node:readline/promises'
import { CommandError } from './failure.ts'
import type { Terminal } from './output.ts'

/** @throws CommandError unless a person at the terminal says yes */
export async function confirm({ stdin, stderr }: Terminal, question: string): Promise<void> {
  if (!stdin.isTTY) throw new CommandError(`${question} Nobody is there to ask: say --yes.`)
  const asking = createInterface({ input: stdin, output: stderr })
  const answer = await asking.question(`${question} It can’t be undone. [y/N] `)
  asking.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was done.')
}
