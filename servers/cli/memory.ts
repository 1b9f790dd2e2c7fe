import { createInterface } from 'node:readline/promises'
import { Command, Option } from '@commander-js/extra-typings'
import { Acknowledgement } from '../../schemas/envelope.ts'
import { createLog } from '../../src/log.ts'
import { deleteForgotten } from '../../src/memory/forgotten-minds.ts'
import { openHoncho } from '../../src/memory/honcho/api.ts'
import { forwardBackfill } from '../../src/memory/honcho/backfill.ts'
import { ImportConflict, readMemoryFile } from '../../src/memory/import.ts'
import { getMind, listMinds } from '../../src/memory/minds.ts'
import { memoryEngineOf } from '../../src/memory/open.ts'
import {
  Backfilled,
  backfillMemory,
  importMemoriesOperation,
  MemoriesImported
} from '../../src/memory/operator-operations.ts'
import { forgetMemoryOperation, forgetMindOperation } from '../../src/memory/removal-operations.ts'
import type { AnyOperation } from '../../src/operation.ts'
import { CommandError } from './failure.ts'
import { readLines, refuseProblems } from './input-file.ts'
import { exportCommand } from './memory-export.ts'
import { operate } from './operate.ts'
import { minute, print, table } from './output.ts'
import { startProgress } from './progress.ts'
import type { Terminal } from './terminal.ts'
import { watched } from './watched.ts'
import {
  CUSTOMER_OPTION,
  customerNamed,
  PARTNER_OPTION,
  partnerNamed,
  type Workplace,
  withDatabase
} from './workplace.ts'

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
      withDatabase(terminal, async (place) => {
        const { id: customerId, partnerId } = await customerNamed(place.database, reference, partner)
        const { memories, problems } = await readLines(terminal, file, readMemoryFile)
        refuseProblems(file, problems)
        const progress = startProgress('Importing memories', memories.length, terminal.stderr)
        const result = await operate(place, importMemoriesOperation, {
          ...{ partnerId, input: { customerId, mindId, memories }, output: MemoriesImported },
          ...{ parts: partsAt(place), onProgress: progress.at }
        })
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

const forgetCommand = (terminal: Terminal) =>
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
      withDatabase(terminal, async (place) => {
        const { database } = place
        const { id: customerId, partnerId, email } = await customerNamed(database, reference, partner)
        const owner = { partnerId, customerId }
        const forget = (operation: AnyOperation, named: object) =>
          operate(place, operation, {
            ...{ partnerId, input: { customerId, ...named }, output: Acknowledgement, parts: partsAt(place) }
          })
        if (memoryId) {
          if (!yes) await confirm(terminal, `Forget ${memoryId} of ${email}?`)
          await forget(forgetMemoryOperation, { mindId, memoryId })
          return print(terminal, { json }, { forgotten: 1 }, () => `${memoryId} is forgotten.`)
        }
        const minds = mindId
          ? [await getMind(database.read, owner, mindId)]
          : await listMinds(database.read, owner)
        const expected = minds.reduce((sum, { memoryCount }) => sum + memoryCount, 0)
        if (!yes)
          await confirm(terminal, `Forget ${minds.length} Minds of ${email} with ${expected} memories?`)
        for (const { id } of minds) await forget(forgetMindOperation, { mindId: id })
        await deleteForgotten(database)
        print(
          terminal,
          { json },
          { minds: minds.length, forgotten: expected },
          () => `${expected} memories are forgotten.`
        )
      })
    )

const partsAt = ({ config, database }: Workplace) => ({ memoryEngine: memoryEngineOf(config, database) })

/** @throws CommandError unless a person at the terminal says yes */
async function confirm({ stdin, stderr }: Terminal, question: string): Promise<void> {
  if (!stdin.isTTY) throw new CommandError(`${question} Nobody is there to ask: say --yes.`)
  const asking = createInterface({ input: stdin, output: stderr })
  const answer = await asking.question(`${question} It can’t be undone. [y/N] `)
  asking.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was forgotten.')
}

const backfillCommand = (terminal: Terminal) =>
  new Command('backfill')
    .description('hand memories to another engine that were stored before it was on, or that it refused')
    .addOption(new Option('--engine <engine>', 'which one').choices(['honcho']).makeOptionMandatory())
    .option('--customer <id>', `${CUSTOMER_OPTION}; every customer when left out`)
    .option('--partner <id>', PARTNER_OPTION)
    .option('--wait', 'hand them on now, also without a running service')
    .option('--json', 'answer with one line of JSON')
    .addHelpText(
      'after',
      '\nEach memory is handed on once, however often this is run. With MEMORY_ENGINE=honcho the service does it by itself.\n\nExample:\n  $ HONCHO_URL=https://honcho.example.com mindgate memory backfill --engine honcho --wait'
    )
    .action(({ customer: reference, partner, wait, json }) =>
      withDatabase(terminal, async (place) => {
        const { config, database } = place
        const { server } = config.honcho
        if (!server) throw new CommandError('HONCHO_URL is not set: it says where Honcho is.')
        const customer = reference ? await customerNamed(database, reference, partner) : undefined
        const partnerId =
          customer?.partnerId ?? (partner && (await partnerNamed(database, partner)).partnerId)
        const scope = customer ? { customerId: customer.id } : { partnerId }
        const queued = await operate(place, backfillMemory, {
          ...{ partnerId, input: { customerId: customer?.id }, output: Backfilled }
        })
        if (!wait) {
          return print(terminal, { json }, { queued: queued.memories, minds: queued.minds }, ({ minds }) =>
            minds === 0 ? NOTHING : `${inLine(queued)} wait for the service to hand them on.`
          )
        }
        const total = queued.memories
        const left = await watched(terminal, 'Handing memories to Honcho', ({ signal, at }) =>
          forwardBackfill({ database, log: createLog('silent'), honcho: openHoncho(server) }, scope, {
            signal,
            at: (waiting) => at(Math.max(0, total - waiting), Math.max(1, total))
          })
        )
        if (left.minds > 0)
          throw new CommandError(`${left.lastError ?? 'Interrupted.'} ${inLine(left)} wait. ${GOES_ON}`)
        if (left.refused > 0)
          throw new CommandError(`Honcho refused ${left.refused} memories; the others are there. ${GOES_ON}`)
        print(terminal, { json }, { forwarded: total, minds: queued.minds }, ({ minds }) =>
          minds === 0 ? NOTHING : `Honcho has ${inLine(queued)} more.`
        )
      })
    )

const NOTHING = 'Honcho has every memory.'
const GOES_ON = 'Run it again: it goes on where it stopped.'

const inLine = ({ memories, minds }: { memories: number; minds: number }): string =>
  `${memories === 1 ? '1 memory' : `${memories} memories`} of ${minds === 1 ? '1 Mind' : `${minds} Minds`}`
