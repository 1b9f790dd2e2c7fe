import { openAiKeys } from '../../src/ai-gateway/open.ts'
import { untilErased } from '../../src/customers/erasing.ts'
import { rowsAbout } from '../../src/customers/export.ts'
import { eraseCustomerOperation } from '../../src/customers/operations.ts'
import type { ExecuteContext } from '../../src/execute.ts'
import { openSshConnections } from '../../src/instances/ssh/connections.ts'
import { memoryEngineOf } from '../../src/memory/open.ts'
import { commandGroup, commandOfCustomer } from './command.ts'
import { writeLines } from './files.ts'
import type { Workplace } from './workplace.ts'

const exportCommand = commandOfCustomer('export', {
  about: 'write everything that is kept about a customer as JSON Lines',
  note: 'Each line is {"kind", "row"}: a table, and a row of it without passwords, keys and tokens.',
  example: 'mindgate customer export --customer cus_4f… --file customer.jsonl',
  options: (bare) => bare.option('--file <file>', 'where to write; standard output when left out'),
  hasJson: false,
  run: ({ terminal, database, customer }, { file }) =>
    writeLines(rowsAbout(database.read, customer), file, terminal)
})

const eraseCommand = commandOfCustomer('erase', {
  about: 'delete a customer for good, with everything that is kept about it',
  note: '`customer export` writes down what is there before. Ends when all of it is deleted; interrupted, the service or\nthe next erasing goes on.',
  example: 'mindgate customer erase --customer cus_4f… --confirm C-7K2M9PQX',
  options: (bare) =>
    bare.requiredOption('--confirm <code>', 'its short code, C-…: this is the customer to erase'),
  async run(at, { confirm }) {
    const customerId = at.customer.id
    await at.operate(eraseCustomerOperation, { confirm }, { parts: erasingParts(at) })
    await untilErased(at)
    at.print({ customerId, erased: true }, () => `${customerId} is erased.`)
  }
})

/** What an erasing works with beside the database. */
export const erasingParts = ({ config, database }: Workplace): Partial<ExecuteContext> => ({
  ssh: openSshConnections(config),
  aiKeys: openAiKeys(config.aiGateway, database, () => config.publicUrl),
  memoryEngine: memoryEngineOf(config, database)
})

export const customerCommand = commandGroup(
  'customer',
  'take out everything that is kept about a customer, and erase it',
  [exportCommand, eraseCommand]
)
