import { Option } from '@commander-js/extra-typings'
import type { CustomerTable } from '../../src/customers/table.ts'
import type { Database } from '../../src/database/database.ts'
import { createLog } from '../../src/log.ts'
import { deleteForgotten } from '../../src/memory/forgotten-minds.ts'
import { openHoncho } from '../../src/memory/honcho/api.ts'
import { forwardBackfill } from '../../src/memory/honcho/backfill.ts'
import { ImportConflict, readMemoryFile } from '../../src/memory/import.ts'
import { exportPage } from '../../src/memory/memories.ts'
import { getMind, listMinds, type Mind } from '../../src/memory/minds.ts'
import { memoryEngineOf } from '../../src/memory/open.ts'
import { forgetMemoryOperation, forgetMindOperation } from '../../src/memory/operations.ts'
import { backfillMemory, importMemoriesOperation } from '../../src/memory/operator-operations.ts'
import {
  CUSTOMER_OPTION,
  CUSTOMERS_PARTNER_OPTION,
  commandAtDatabase,
  commandGroup,
  commandOfCustomer
} from './command.ts'
import { confirm } from './confirm.ts'
import { CommandError } from './failure.ts'
import { readLines, writeLines } from './files.ts'
import { minute } from './output.ts'
import { watched, withProgress } from './progress.ts'
import { customerNamed, partnerNamed } from './workplace.ts'

const listCommand = commandOfCustomer('list', {
  about: 'list the Minds of a customer, the primary one first',
  example: 'mindgate memory list --customer cus_4f…',
  async run({ database, customer, printTable }) {
    const minds = (await mindsOf(database, customer)).map((mind) => ({
      mindId: mind.id,
      name: mind.name,
      isPrimary: mind.isPrimary === 1,
      memoryCount: mind.memoryCount,
      updatedAt: mind.updatedAt
    }))
    printTable(minds, 'No Mind yet. The primary one is made on first use, an import included.', {
      Id: ({ mindId }) => mindId,
      Name: ({ name, isPrimary }) => (isPrimary ? `${name} (primary)` : name),
      Memories: ({ memoryCount }) => memoryCount,
      Changed: ({ updatedAt }) => minute(updatedAt)
    })
  }
})

/** The customer's Mind of that id, or every one. */
async function mindsOf({ read }: Database, { partnerId, id }: CustomerTable, mindId?: string) {
  const owner = { partnerId, customerId: id }
  return mindId ? [await getMind(read, owner, mindId)] : listMinds(read, owner)
}

const importCommand = commandOfCustomer('import', {
  about: 'store memories from a file, without a charge; run again, it goes on where it stopped',
  note: 'Every line is checked before anything is written. What `memory export` wrote can be read back. A file that grew\nadds what is new of it.',
  example: 'mindgate memory import --customer cus_4f… --file calls.jsonl',
  options: (bare) =>
    bare
      .option('--mind <id>', 'id of the Mind; the primary one when left out')
      .requiredOption(
        '--file <file>',
        'JSON Lines, each {"content": "…", "occurredAt"?: "…"}; - reads standard input'
      ),
  async run({ terminal, config, database, operate, print }, { mind: mindId, file }) {
    const { memories } = await readLines(terminal, file, readMemoryFile)
    const parts = { memoryEngine: memoryEngineOf(config, database) }
    const result = await withProgress(terminal, 'Importing memories', memories.length, (onProgress) =>
      operate(importMemoriesOperation, { mindId, memories }, { parts, onProgress })
    ).catch((error: unknown) => {
      throw error instanceof ImportConflict ? new CommandError(GOES_ON_ELSEWHERE) : error
    })
    print(result, ({ imported, alreadyThere }) =>
      alreadyThere === 0
        ? `Imported ${counted(imported)}.`
        : `Imported ${counted(imported)}; ${counted(alreadyThere)} had been imported before.`
    )
  }
})

const GOES_ON_ELSEWHERE =
  'Another import of the same memories into this Mind is running. Wait until it has ended.'

const counted = (memories: number): string => (memories === 1 ? '1 memory' : `${memories} memories`)

const exportCommand = commandOfCustomer('export', {
  about: 'write a customer’s memories as JSON Lines, in the order in which they were told',
  note: 'Each line is {"mindId", "id", "content", "occurredAt", "createdAt"}.',
  example: 'mindgate memory export --customer cus_4f… --file memories.jsonl',
  options: (bare) =>
    bare
      .option('--mind <id>', 'id of the Mind; every Mind of the customer when left out')
      .option('--file <file>', 'where to write; standard output when left out'),
  hasJson: false,
  async run({ terminal, database, customer }, { mind: mindId, file }) {
    const minds = await mindsOf(database, customer, mindId)
    await writeLines(memoriesOf(database, minds), file, terminal)
  }
})

async function* memoriesOf(database: Database, minds: readonly Mind[]): AsyncGenerator<object> {
  for (const { id: mindId, key } of minds) {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { memories, nextCursor } = await exportPage(database.read, key, cursor)
      for (const memory of memories) yield { mindId, ...memory }
      cursor = nextCursor
    }
  }
}

const forgetCommand = commandOfCustomer('forget', {
  about: 'delete one memory, a Mind, or all that is remembered of a customer, for good',
  note: '`memory export` writes down what is there before.',
  example: 'mindgate memory forget --customer cus_4f… --memory mem_8a…',
  options: (bare) =>
    bare
      .option('--mind <id>', 'id of the Mind; every Mind of the customer when left out')
      .option('--memory <id>', 'id of the one memory to forget')
      .option('--yes', 'don’t ask first'),
  async run(
    { terminal, config, database, operate, customer, print },
    { mind: mindId, memory: memoryId, yes }
  ) {
    const parts = { memoryEngine: memoryEngineOf(config, database) }
    if (memoryId) {
      if (!yes) await confirm(terminal, `Forget ${memoryId} of ${customer.email}?`)
      await operate(forgetMemoryOperation, { mindId, memoryId }, { parts })
      return print({ forgotten: 1 }, () => `${memoryId} is forgotten.`)
    }
    const minds = await mindsOf(database, customer, mindId)
    const expected = minds.reduce((sum, { memoryCount }) => sum + memoryCount, 0)
    if (!yes)
      await confirm(terminal, `Forget ${minds.length} Minds of ${customer.email} with ${expected} memories?`)
    for (const { id } of minds) await operate(forgetMindOperation, { mindId: id }, { parts })
    await deleteForgotten(database)
    print({ minds: minds.length, forgotten: expected }, () => `${expected} memories are forgotten.`)
  }
})

const backfillCommand = commandAtDatabase('backfill', {
  about: 'hand memories to another engine that were stored before it was on, or that it refused',
  note: 'Each memory is handed on once, however often this is run. With MEMORY_ENGINE=honcho the service does it by itself.',
  example: 'HONCHO_URL=https://honcho.example.com mindgate memory backfill --engine honcho --wait',
  options: (bare) =>
    bare
      .addOption(new Option('--engine <engine>', 'which one').choices(['honcho']).makeOptionMandatory())
      .option('--customer <id>', `${CUSTOMER_OPTION}; every customer when left out`)
      .option('--partner <id>', CUSTOMERS_PARTNER_OPTION)
      .option('--wait', 'hand them on now, also without a running service'),
  async run({ terminal, config, database, operate, print }, { customer: reference, partner, wait }) {
    const { server } = config.honcho
    if (!server) throw new CommandError('HONCHO_URL is not set: it says where Honcho is.')
    const customer = reference ? await customerNamed(database, reference, partner) : undefined
    const partnerId = customer?.partnerId ?? (partner && (await partnerNamed(database, partner)).partnerId)
    const queued = await operate(backfillMemory, { customerId: customer?.id }, { partnerId })
    const { memories: total, minds } = queued
    if (!wait) {
      return print({ queued: total, minds }, () =>
        minds === 0 ? NOTHING : `${inLine(queued)} wait for the service to hand them on.`
      )
    }
    const scope = customer ? { customerId: customer.id } : { partnerId }
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
    print({ forwarded: total, minds }, () => (minds === 0 ? NOTHING : `Honcho has ${inLine(queued)} more.`))
  }
})

const NOTHING = 'Honcho has every memory.'
const GOES_ON = 'Run it again: it goes on where it stopped.'

const inLine = ({ memories, minds }: { memories: number; minds: number }): string =>
  `${counted(memories)} of ${minds === 1 ? '1 Mind' : `${minds} Minds`}`

export const memoryCommand = commandGroup(
  'memory',
  'list customers’ Minds; import, export and forget what is in them',
  [listCommand, importCommand, exportCommand, forgetCommand, backfillCommand]
)
