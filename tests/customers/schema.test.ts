// Walks the tables themselves: whatever names a customer, or something of it, goes with it and is exported.
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OWN_TABLES } from '../../src/customers/export.ts'
import { openTestService, type TestService } from '../support/service.ts'

/** Made of exported rows, for finding them and working on them. */
const DERIVED = [
  'posting',
  'mindStat',
  'mindAuthor',
  'embedding',
  'memoryImport',
  'mindJob',
  'mindJobFailure',
  'lowCredit',
  'customerSearchKey',
  'creditDay'
]

/** Columns that name a customer, or something of it, and where that stands. */
const OWNERS = {
  customerId: 'customer',
  teamMemberId: 'teamMember',
  instanceId: 'instance',
  accountId: 'creditAccount',
  mindKey: 'mindContent'
} as const

/** What goes without a reference, and how. */
const OTHERWISE = {
  'aiUsage.instanceId': 'by its key, in batches',
  'audit.customerId': 'nobody’s once the customer is erased, in batches',
  'creditEntry.customerId': 'with its account',
  'posting.mindKey': 'by the worker of forgotten Minds',
  'voiceAgent.customerId': 'unmapped',
  'voiceAgentPeriod.customerId': 'nobody’s from then on',
  'webhookDelivery.customerId': 'in batches, but for the event that it was erased'
}

describe('every table', () => {
  let test: TestService
  let connection: Sqlite.Database
  beforeAll(async () => {
    test = await openTestService('sqlite')
    connection = new Sqlite(test.service.config.databaseLocation, { readonly: true })
  })
  afterAll(() => {
    connection.close()
    return test.close()
  })

  const tables = () =>
    connection
      .prepare<[], string>(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`)
      .pluck()
      .all()
  const columnsOf = (table: string) =>
    connection.prepare<[string], string>('select name from pragma_table_info(?)').pluck().all(table)
  const cascades = (table: string) =>
    connection
      .prepare<[string], { from: string; table: string; on_delete: string }>(
        'select "from", "table", on_delete from pragma_foreign_key_list(?)'
      )
      .all(table)
      .filter(({ on_delete: onDelete }) => onDelete === 'CASCADE')
  const naming = () =>
    tables().flatMap((table) =>
      columnsOf(table)
        .filter((column) => column in OWNERS)
        .map((column) => ({ table, column }))
    )

  it('that names a customer goes with it, or with what outlives it until all is deleted', () => {
    const left = naming().filter(
      ({ table, column }) =>
        !(`${table}.${column}` in OTHERWISE) &&
        !cascades(table).some(
          (reference) =>
            reference.from === column &&
            [OWNERS[column as keyof typeof OWNERS], 'customerContent'].includes(reference.table)
        )
    )
    expect(left).toEqual([])
  })

  it('that names a customer is exported', () => {
    const exported = OWN_TABLES.map(({ table }) => String(table))
    const left = naming().filter(({ table }) => ![...exported, ...DERIVED].includes(table))
    expect(left).toEqual([])
    for (const { table } of OWN_TABLES) expect(tables()).toContain(table)
  })

  it('that names a partner goes with it', () => {
    const left = tables().filter(
      (table) =>
        columnsOf(table).includes('partnerId') &&
        !cascades(table).some(({ table: to }) =>
          ['partner', 'instance', 'creditAccount', 'statement'].includes(to)
        )
    )
    // Keys are deleted by themselves; the other one is with the last of the customers.
    expect(left.toSorted()).toEqual(['apiKey', 'customerContent'])
  })
})
