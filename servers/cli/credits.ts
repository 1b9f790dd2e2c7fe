import { Command } from '@commander-js/extra-typings'
import { CreditAmount, GrantCredits } from '../../schemas/credits.ts'
import { grantCredits } from '../../src/credits/grant.ts'
import { type AccountOwner, readAccount } from '../../src/credits/store.ts'
import type { Database } from '../../src/database/database.ts'
import { fromMicros, toMicros } from '../../src/money.ts'
import { card, print } from './output.ts'
import type { Terminal } from './terminal.ts'
import { jsonOf, textOf } from './values.ts'
import { customerNamed, partnerNamed, withDatabase } from './workplace.ts'

const PARTNER = 'id or slug of the partner'
const CUSTOMER = 'id or short code of its customer; the partner’s own account when left out'

export const creditsCommand = (terminal: Terminal) =>
  new Command('credits')
    .description('grant and read the credits of partners and their customers')
    .addCommand(grantCommand(terminal))
    .addCommand(showCommand(terminal))

const grantCommand = (terminal: Terminal) =>
  new Command('grant')
    .description('add credits to a partner’s account, or to a customer’s')
    .requiredOption('--partner <id>', PARTNER)
    .option('--customer <id>', CUSTOMER)
    .requiredOption('--amount <n>', 'how many, with at most 6 decimals', jsonOf(CreditAmount))
    .option('--note <text>', 'why, for the ledger', textOf(GrantCredits.shape.note.unwrap()))
    .option('--json', 'answer with one line of JSON')
    .addHelpText('after', '\nExample:\n  $ mindgate credits grant --partner acme-voice --amount 500')
    .action(({ partner, customer, amount, note, json }) =>
      withDatabase(terminal, async ({ database }) => {
        const { owner, name } = await accountNamed(database, partner, customer)
        const { balanceMicros } = await database.transaction((tx) =>
          grantCredits(tx, owner, { amountMicros: toMicros(amount), note })
        )
        print(terminal, { json }, { balance: fromMicros(balanceMicros) }, ({ balance }) =>
          card(`${name} got ${amount} credits`, { Balance: String(balance) })
        )
      })
    )

const showCommand = (terminal: Terminal) =>
  new Command('show')
    .description('show how many credits a partner has left, or a customer')
    .requiredOption('--partner <id>', PARTNER)
    .option('--customer <id>', CUSTOMER)
    .option('--json', 'answer with one line of JSON')
    .addHelpText('after', '\nExample:\n  $ mindgate credits show --partner acme-voice --customer C-7K2M9PQX')
    .action(({ partner, customer, json }) =>
      withDatabase(terminal, async ({ database }) => {
        const { owner, name } = await accountNamed(database, partner, customer)
        const { balanceMicros } = await readAccount(database.read, owner)
        print(terminal, { json }, { balance: fromMicros(balanceMicros) }, ({ balance }) =>
          card(`Credits of ${name}`, { Balance: String(balance) })
        )
      })
    )

async function accountNamed(
  database: Database,
  partner: string,
  customer: string | undefined
): Promise<{ owner: AccountOwner; name: string }> {
  if (customer === undefined) {
    const { partnerId, name } = await partnerNamed(database, partner)
    return { owner: { partnerId, customerId: null }, name }
  }
  const { id, partnerId, email } = await customerNamed(database, customer, partner)
  return { owner: { partnerId, customerId: id }, name: email }
}
