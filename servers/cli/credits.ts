import type { Command } from '@commander-js/extra-typings'
import { CreditAmount, GrantCredits } from '../../schemas/credits.ts'
import {
  getCredits,
  getCustomerCredits,
  grantCustomerCredits,
  grantPartnerCredits
} from '../../src/credits/operations.ts'
import { commandAtDatabase, commandGroup, PARTNER_OPTION } from './command.ts'
import { jsonOf, textOf } from './values.ts'
import { customerNamed, partnerNamed, type Workplace } from './workplace.ts'

const accountOptions = (bare: Command) =>
  bare
    .requiredOption('--partner <id>', PARTNER_OPTION)
    .option('--customer <id>', 'id or short code of its customer; the partner’s own account when left out')

const grantCommand = commandAtDatabase('grant', {
  about: 'add credits to a partner’s account, or to a customer’s',
  example: 'mindgate credits grant --partner acme-voice --amount 500',
  options: (bare) =>
    accountOptions(bare)
      .requiredOption('--amount <n>', 'how many, with at most 6 decimals', jsonOf(CreditAmount))
      .option('--note <text>', 'why, for the ledger', textOf(GrantCredits.shape.note.unwrap())),
  async run(at, { amount, note, ...account }) {
    const { partnerId, customer, name } = await accountNamed(at, account)
    const grant = customer ? grantCustomerCredits : grantPartnerCredits
    const { balance } = (await at.operate(grant, { ...customer, amount, note }, { partnerId })).data
    at.printCard({ balance }, `${name} got ${amount} credits`, { Balance: String(balance) })
  }
})

const showCommand = commandAtDatabase('show', {
  about: 'show how many credits a partner has left, or a customer',
  example: 'mindgate credits show --partner acme-voice --customer C-7K2M9PQX',
  options: accountOptions,
  async run(at, account) {
    const { partnerId, customer, name } = await accountNamed(at, account)
    const read = customer ? getCustomerCredits : getCredits
    const { balance } = (await at.operate(read, customer, { partnerId })).data
    at.printCard({ balance }, `Credits of ${name}`, { Balance: String(balance) })
  }
})

async function accountNamed({ database }: Workplace, account: { partner: string; customer?: string }) {
  if (account.customer === undefined)
    return { ...(await partnerNamed(database, account.partner)), customer: undefined }
  const { id, partnerId, email } = await customerNamed(database, account.customer, account.partner)
  return { partnerId, customer: { customerId: id }, name: email }
}

export const creditsCommand = commandGroup(
  'credits',
  'grant and read the credits of partners and their customers',
  [grantCommand, showCommand]
)
