import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { Command } from '@commander-js/extra-typings'
import { writeWhole } from '../../src/backup/backup.ts'
import type { Database } from '../../src/database/database.ts'
import { exportPage } from '../../src/memory/export.ts'
import { getMind, listMinds, type Mind } from '../../src/memory/minds.ts'
import type { Terminal } from './terminal.ts'
import { CUSTOMER_OPTION, customerNamed, PARTNER_OPTION, withDatabase } from './workplace.ts'

export const exportCommand = (terminal: Terminal) =>
  new Command('export')
    .description('write a customer’s memories as JSON Lines, in the order in which they were told')
    .requiredOption('--customer <id>', CUSTOMER_OPTION)
    .option('--partner <id>', PARTNER_OPTION)
    .option('--mind <id>', 'id of the Mind; every Mind of the customer when left out')
    .option('--file <file>', 'where to write; standard output when left out')
    .addHelpText(
      'after',
      '\nEach line is {"mindId", "id", "content", "occurredAt", "createdAt"}.\n\nExample:\n  $ mindgate memory export --customer cus_4f… --file memories.jsonl'
    )
    .action(({ customer: reference, partner, mind: mindId, file }) =>
      withDatabase(terminal, async ({ database }) => {
        const { id: customerId, partnerId } = await customerNamed(database, reference, partner)
        const owner = { partnerId, customerId }
        const minds = mindId
          ? [await getMind(database.read, owner, mindId)]
          : await listMinds(database.read, owner)
        await writeLines(memoriesOf(database, minds), file, terminal)
      })
    )

async function* memoriesOf(database: Database, minds: readonly Mind[]): AsyncGenerator<object> {
  for (const { id: mindId, key } of minds) {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { memories, nextCursor } = await exportPage(database.read, key, cursor)
      for (const memory of memories) yield { mindId, ...memory }
      cursor = nextCursor
    }
  }
}

/** Writes the rows as JSON Lines to the file, or to standard output where none is named. */
export async function writeLines(
  rows: AsyncIterable<object>,
  file: string | undefined,
  { stdout }: Terminal
): Promise<void> {
  const lines = async function* () {
    for await (const row of rows) yield `${JSON.stringify(row)}\n`
  }
  if (file === undefined) return pipeline(lines, stdout, { end: false })
  await writeWhole(file, { mayReplace: true, write: (draft) => pipeline(lines, createWriteStream(draft)) })
}
