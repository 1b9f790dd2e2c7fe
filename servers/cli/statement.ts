import { Option } from '@commander-js/extra-typings'
import { ListStatements } from '../../schemas/statement.ts'
import { formatMoney } from '../../src/money.ts'
import { billStatementOperation, closeStatements, listStatements } from '../../src/statements/operations.ts'
import { commandGroup, commandOfPartner } from './command.ts'
import { minute } from './output.ts'

const closeCommand = commandOfPartner('close', {
  about: 'close the statements of a partner that are due',
  note: 'A running service does it by itself within an hour. A statement is due three days after its period.',
  example: 'mindgate statement close --partner acme-voice',
  async run({ operate, partner, printCard }) {
    let closed = 0
    for (let hasMore = true; hasMore; ) {
      const { data } = await operate(closeStatements)
      closed += data.closed
      hasMore = data.hasMore
    }
    printCard({ closed }, `Statements of ${partner.name}`, { Closed: String(closed) })
  }
})

const listCommand = commandOfPartner('list', {
  about: 'list the statements of a partner, the newest period first',
  example: 'mindgate statement list --partner acme-voice --status closed',
  options: (bare) =>
    bare
      .addOption(
        new Option('--status <status>', 'only those in this state').choices(
          ListStatements.shape.status.unwrap().options
        )
      )
      .option('--page <n>', 'which page of 100', Number, 1),
  async run({ operate, printTable }, { status, page }) {
    const { data } = await operate(listStatements, { status, page, limit: 100 })
    printTable(data, 'No statement yet.', {
      Id: ({ statementId }) => statementId,
      Number: ({ number }) => number,
      Customer: ({ customerName }) => customerName,
      From: ({ startsAt }) => minute(startsAt),
      State: (statement) => statement.status,
      Total: ({ total, currency }) => formatMoney(total, currency)
    })
  }
})

const billCommand = commandOfPartner('bill', {
  about: 'mark a closed statement as billed: it is off what its customer owes',
  example: 'mindgate statement bill stm_2f6k8m1q4s7v0x3z5b9d --partner acme-voice',
  options: (bare) => bare.argument('<id>', 'id of the statement'),
  async run({ operate, printCard }, _, [statementId]) {
    const { data, message } = await operate(billStatementOperation, { statementId })
    const { customerName, total, currency } = data
    printCard(data, message, { Customer: customerName, Total: formatMoney(total, currency) })
  }
})

export const statementCommand = commandGroup(
  'statement',
  'close, list and bill the statements of customers',
  [closeCommand, listCommand, billCommand]
)
