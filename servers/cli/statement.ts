import { closeStatements } from '../../src/statements/operations.ts'
import { commandGroup, commandOfPartner } from './command.ts'

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

export const statementCommand = commandGroup('statement', 'close the statements of customers', [closeCommand])
