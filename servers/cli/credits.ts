import { Command } from '@commander-js/extra-typings'
import { CreditAmount, CreditBalanceResult, GrantCredits, GrantCreditsResult } from '../../schemas/credits.ts'
import {
  getCredits,
  getCustomerCredits,
  grantCustomerCredits,
  grantPartnerCredits
} from '../../src/credits/operations.ts'
import type { Database } from '../../src/database/database.ts'
import { operate } from './operate.ts'
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
      withDatabase(terminal, async (place) => {
        const { partnerId, customerId, name } = await accountNamed(place.database, partner, customer)
        const grant = customerId === undefined ? grantPartnerCredits : grantCustomerCredits
        const input = { amount, note, ...(customerId === undefined ? {} : { customerId }) }
        const { data } = await operate(place, grant, { partnerId, input, output: GrantCreditsResult })
        print(terminal, { json }, { balance: data.balance }, ({ balance }) =>
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
      withDatabase(terminal, async (place) => {
        const { partnerId, customerId, name } = await accountNamed(place.database, partner, customer)
        const read = customerId === undefined ? getCredits : getCustomerCredits
        const input = customerId === undefined ? {} : { customerId }
        const { data } = await operate(place, read, { partnerId, input, output: CreditBalanceResult })
        print(terminal, { json }, { balance: data.balance }, ({ balance }) =>
          card(`Credits of ${name}`, { Balance: String(balance) })
        )
      })
    )

async function accountNamed(
  database: Database,
  partner: string,
  customer: string | undefined
): Promise<{ partnerId: string; customerId?: string; name: string }> {
  if (customer === undefined) return partnerNamed(database, partner)
  const { id, partnerId, email } = await customerNamed(database, customer, partner)
  return { partnerId, customerId: id, name: email }
}
