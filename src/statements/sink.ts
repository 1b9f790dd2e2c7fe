// The way out for statements: to an invoicing system, say. Nothing stands behind it yet.
import type { StatementDocument } from '../../schemas/statement.ts'

export interface StatementSink {
  /**
   * Takes a statement that was closed, billed or taken back, after the commit: what `statement_get` answers then. It
   * returns at once and throws nothing; a process that ends in between tells nobody, so who must know all asks the list.
   */
  push(statement: StatementDocument): void
}
