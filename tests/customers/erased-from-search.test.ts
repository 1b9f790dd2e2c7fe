// What an index keeps of customers that are gone.
import Sqlite from 'better-sqlite3'
import { expect, it } from 'vitest'
import { run } from '../support/fixture.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService } from '../support/service.ts'

it('of whom nothing is left in the index once they are erased', async () => {
  const test = await openTestService('sqlite')
  const { id: partnerId } = await makePartnerRow(test.service, { id: 'prt_1' })
  const { id, code } = await makeCustomerRow(test.service, partnerId, { searchText: 'xyzzy' })
  await makeCustomerRow(test.service, partnerId, { searchText: 'plugh' })
  const file = new Sqlite(test.service.config.databaseLocation)
  file.exec(`create virtual table temp."terms" using fts5vocab('main', 'customerSearch', 'row')`)
  const terms = () => file.prepare<[], string>(`select "term" from temp."terms"`).pluck().all()
  expect(terms()).toEqual(expect.arrayContaining(['xyz', 'yzz', 'zzy', 'plu']))
  await run(test.service, partnerId, 'customer_erase', { customerId: id, confirm: code })
  expect(terms()).not.toEqual(expect.arrayContaining(['xyz']))
  expect(terms()).toContain('plu')
  const segments = file.prepare<[], Buffer>('select "block" from "customerSearch_data"').pluck().all()
  expect(segments.filter((segment) => segment.includes('zzy'))).toEqual([])
  file.close()
  await test.close()
})
