import { createInterface } from 'node:readline/promises'
import { Command } from '@commander-js/extra-typings'
import { forgetMemory, forgetMind } from '../../src/memory/forget.ts'
import { deleteForgotten } from '../../src/memory/forgotten-minds.ts'
import { getMind, listMinds } from '../../src/memory/minds.ts'
import { memoryEngineOf } from '../../src/memory/open.ts'
import { CommandError } from './failure.ts'
import { print } from './output.ts'
import type { Terminal } from './terminal.ts'
import { CUSTOMER_OPTION, customerNamed, PARTNER_OPTION, withDatabase } from './workplace.ts'

export const forgetCommand = (terminal: Terminal) =>
  new Command('forget')
    .description('delete one memory, a Mind, or all that is remembered of a customer, for good')
    .requiredOption('--customer <id>', CUSTOMER_OPTION)
    .option('--partner <id>', PARTNER_OPTION)
    .option('--mind <id>', 'id of the Mind; every Mind of the customer when left out')
    .option('--memory <id>', 'id of the one memory to forget')
    .option('--yes', 'don’t ask first')
    .option('--json', 'answer with one line of JSON')
    .addHelpText(
      'after',
      '\n`memory export` writes down what is there before.\n\nExample:\n  $ mindgate memory forget --customer cus_4f… --memory mem_8a…'
    )
    .action(({ customer: reference, partner, mind: mindId, memory: memoryId, yes, json }) =>
      withDatabase(terminal, async ({ config, database }) => {
        const engine = memoryEngineOf(config, database)
        const { id: customerId, partnerId, email } = await customerNamed(database, reference, partner)
        const owner = { partnerId, customerId }
        if (memoryId) {
          if (!yes) await confirm(terminal, `Forget ${memoryId} of ${email}?`)
          await database.transaction((tx) => forgetMemory(tx, engine, owner, { mindId, memoryId }))
          return print(terminal, { json }, { forgotten: 1 }, () => `${memoryId} is forgotten.`)
        }
        const minds = mindId
          ? [await getMind(database.read, owner, mindId)]
          : await listMinds(database.read, owner)
        const expected = minds.reduce((sum, { memoryCount }) => sum + memoryCount, 0)
        if (!yes)
          await confirm(terminal, `Forget ${minds.length} Minds of ${email} with ${expected} memories?`)
        let forgotten = 0
        for (const { id } of minds) {
          const { memoryCount } = await database.transaction((tx) => forgetMind(tx, engine, owner, id))
          forgotten += memoryCount
        }
        await deleteForgotten(database)
        print(
          terminal,
          { json },
          { minds: minds.length, forgotten },
          () => `${forgotten} memories are forgotten.`
        )
      })
    )

/** @throws CommandError unless a person at the terminal says yes */
async function confirm({ stdin, stderr }: Terminal, question: string): Promise<void> {
  if (!stdin.isTTY) throw new CommandError(`${question} Nobody is there to ask: say --yes.`)
  const asking = createInterface({ input: stdin, output: stderr })
  const answer = await asking.question(`${question} It can’t be undone. [y/N] `)
  asking.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was forgotten.')
}
