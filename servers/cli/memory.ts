import { Command } from '@commander-js/extra-typings'
import { importMemories } from '../../src/memory/import.ts'
import { ImportConflict } from '../../src/memory/import-positions.ts'
import { readMemoryFile } from '../../src/memory/memory-file.ts'
import { listMinds } from '../../src/memory/minds.ts'
import { memoryEngineOf } from '../../src/memory/open.ts'
import { CommandError } from './failure.ts'
import { readLines, refuseProblems } from './input-file.ts'
import { backfillCommand } from './memory-backfill.ts'
import { exportCommand } from './memory-export.ts'
import { forgetCommand } from './memory-forget.ts'
import { minute, print, table } from './output.ts'
import { startProgress } from './progress.ts'
import type { Terminal } from './terminal.ts'
import { CUSTOMER_OPTION, customerNamed, PARTNER_OPTION, withDatabase } from './workplace.ts'

export const memoryCommand = (terminal: Terminal) =>
  new Command('memory')
    .description('list customers’ Minds; import, export and forget what is in them')
    .addCommand(listCommand(terminal))
    .addCommand(importCommand(terminal))
    .addCommand(exportCommand(terminal))
    .addCommand(forgetCommand(terminal))
    .addCommand(backfillCommand(terminal))

const listCommand = (terminal: Terminal) =>
  new Command('list')
    .description('list the Minds of a customer, the primary one first')
    .requiredOption('--customer <id>', CUSTOMER_OPTION)
    .option('--partner <id>', PARTNER_OPTION)
    .option('--json', 'answer with one line of JSON')
    .addHelpText('after', '\nExample:\n  $ mindgate memory list --customer cus_4f…')
    .action(({ customer: reference, partner, json }) =>
      withDatabase(terminal, async ({ database }) => {
        const { id: customerId, partnerId } = await customerNamed(database, reference, partner)
        const minds = (await listMinds(database.read, { partnerId, customerId })).map((mind) => ({
          mindId: mind.id,
          name: mind.name,
          isPrimary: mind.isPrimary === 1,
          memoryCount: mind.memoryCount,
          updatedAt: mind.updatedAt
        }))
        print(terminal, { json }, minds, (rows) =>
          table(
            rows,
            {
              Id: ({ mindId }) => mindId,
              Name: ({ name, isPrimary }) => (isPrimary ? `${name} (primary)` : name),
              Memories: ({ memoryCount }) => memoryCount,
              Changed: ({ updatedAt }) => minute(updatedAt)
            },
            'No Mind yet. The primary one is made on first use, an import included.'
          )
        )
      })
    )

const importCommand = (terminal: Terminal) =>
  new Command('import')
    .description('store memories from a file, without a charge; run again, it goes on where it stopped')
    .requiredOption('--customer <id>', CUSTOMER_OPTION)
    .option('--partner <id>', PARTNER_OPTION)
    .option('--mind <id>', 'id of the Mind; the primary one when left out')
    .requiredOption(
      '--file <file>',
      'JSON Lines, each {"content": "…", "occurredAt"?: "…"}; - reads standard input'
    )
    .option('--json', 'answer with one line of JSON')
    .addHelpText(
      'after',
      '\nEvery line is checked before anything is written. What `memory export` wrote can be read back. A file that grew\nadds what is new of it.\n\nExample:\n  $ mindgate memory import --customer cus_4f… --file calls.jsonl'
    )
    .action(({ customer: reference, partner, mind: mindId, file, json }) =>
      withDatabase(terminal, async ({ config, database }) => {
        const { id: customerId, partnerId } = await customerNamed(database, reference, partner)
        const { memories, problems } = await readLines(terminal, file, readMemoryFile)
        refuseProblems(file, problems)
        const target = { owner: { partnerId, customerId }, mindId }
        const progress = startProgress('Importing memories', memories.length, terminal.stderr)
        const result = await importMemories(
          { database, memoryEngine: memoryEngineOf(config, database) },
          target,
          memories,
          progress.at
        )
          .catch((error: unknown) => {
            throw error instanceof ImportConflict ? new CommandError(GOES_ON_ELSEWHERE) : error
          })
          .finally(progress.end)
        print(terminal, { json }, result, ({ imported, alreadyThere }) =>
          alreadyThere === 0
            ? `Imported ${memoriesOf(imported)}.`
            : `Imported ${memoriesOf(imported)}; ${memoriesOf(alreadyThere)} had been imported before.`
        )
      })
    )

const GOES_ON_ELSEWHERE =
  'Another import of the same memories into this Mind is running. Wait until it has ended.'

const memoriesOf = (count: number): string => (count === 1 ? '1 memory' : `${count} memories`)
