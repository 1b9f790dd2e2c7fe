import { Command } from '@commander-js/extra-typings'
import { Acknowledgement } from '../../schemas/envelope.ts'
import { openAiKeys } from '../../src/ai-gateway/open.ts'
import { untilErased } from '../../src/customers/erasing.ts'
import { rowsAbout } from '../../src/customers/export.ts'
import { eraseCustomerOperation } from '../../src/customers/operations.ts'
import type { ExecuteContext } from '../../src/execute.ts'
import { openSshConnections } from '../../src/instances/ssh/connections.ts'
import { memoryEngineOf } from '../../src/memory/open.ts'
import { writeLines } from './memory-export.ts'
import { operate } from './operate.ts'
import { print } from './output.ts'
import type { Terminal } from './terminal.ts'
import { CUSTOMER_OPTION, customerNamed, PARTNER_OPTION, type Workplace, withDatabase } from './workplace.ts'

export const customerCommand = (terminal: Terminal) =>
  new Command('customer')
    .description('take out everything that is kept about a customer, and erase it')
    .addCommand(exportCommand(terminal))
    .addCommand(eraseCommand(terminal))

const exportCommand = (terminal: Terminal) =>
  new Command('export')
    .description('write everything that is kept about a customer as JSON Lines')
    .requiredOption('--customer <id>', CUSTOMER_OPTION)
    .option('--partner <id>', PARTNER_OPTION)
    .option('--file <file>', 'where to write; standard output when left out')
    .addHelpText(
      'after',
      '\nEach line is {"kind", "row"}: a table, and a row of it without passwords, keys and tokens.\n\nExample:\n  $ mindgate customer export --customer cus_4f… --file customer.jsonl'
    )
    .action(({ customer: reference, partner, file }) =>
      withDatabase(terminal, async ({ database }) => {
        const customer = await customerNamed(database, reference, partner)
        await writeLines(rowsAbout(database.read, customer), file, terminal)
      })
    )

const eraseCommand = (terminal: Terminal) =>
  new Command('erase')
    .description('delete a customer for good, with everything that is kept about it')
    .requiredOption('--customer <id>', CUSTOMER_OPTION)
    .option('--partner <id>', PARTNER_OPTION)
    .requiredOption('--confirm <code>', 'its short code, C-…: this is the customer to erase')
    .option('--json', 'answer with one line of JSON')
    .addHelpText(
      'after',
      '\n`customer export` writes down what is there before. Ends when all of it is deleted; interrupted, the service or\nthe next erasing goes on.\n\nExample:\n  $ mindgate customer erase --customer cus_4f… --confirm C-7K2M9PQX'
    )
    .action(({ customer: reference, partner, confirm, json }) =>
      withDatabase(terminal, async (place) => {
        const { id: customerId, partnerId } = await customerNamed(place.database, reference, partner)
        await operate(place, eraseCustomerOperation, {
          ...{
            partnerId,
            input: { customerId, confirm },
            output: Acknowledgement,
            parts: erasingParts(place)
          }
        })
        await untilErased(place)
        print(terminal, { json }, { customerId, erased: true }, () => `${customerId} is erased.`)
      })
    )

/** What an erasing works with beside the database. */
export const erasingParts = ({ config, database }: Workplace): Partial<ExecuteContext> => ({
  ssh: openSshConnections(config),
  aiKeys: openAiKeys(config.aiGateway, database, () => config.publicUrl),
  memoryEngine: memoryEngineOf(config, database)
})
