// Erasing is broken off at each of its transactions in turn, as by a kill, and goes on by itself.
import { describe, expect, it, vi } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { finishErasures } from '../../src/customers/erasing.ts'
import type { Database } from '../../src/database/database.ts'
import { createLog } from '../../src/log.ts'
import { deleteForgotten } from '../../src/memory/forgotten-minds.ts'
import { openService } from '../../src/service.ts'
import { tablesWith } from '../memory/every-table.ts'
import { databases } from '../support/databases.ts'
import { makePartner, run } from '../support/fixture.ts'
import { openTestService } from '../support/service.ts'
import { makeEverything } from './everything.ts'

describe.each(databases)('an erasing that is broken off on %s', (kind) => {
  it('is taken up where it was, by whoever comes next', async () => {
    const test = await openTestService(kind)
    const { partnerId } = await makePartner(test.service)
    const { customerId, code, planted } = await makeEverything(test.service, partnerId)
    const { database, config } = test.service
    await run(test.service, partnerId, 'customer_erase', { customerId, confirm: code })
    expect(await tablesWith(test, planted)).toContain('memory')

    // The first one dies at once, each later one a transaction later.
    let deaths = 0
    let left = 0
    const dying: Database = {
      ...database,
      async transaction(work) {
        if (left === 0) throw new Error('Killed')
        left -= 1
        return database.transaction(work)
      }
    }
    for (let isDone = false; !isDone; ) {
      left = deaths
      isDone = await finishErasures({ database: dying, config }).catch(() => {
        deaths += 1
        return false
      })
    }
    expect(deaths).toBeGreaterThan(1)
    await deleteForgotten(database)
    expect(await tablesWith(test, planted)).toEqual([])
    expect(await tablesWith(test, customerId)).toEqual(['audit'])
    await test.close()
  })

  it('is taken up by a service that starts', async () => {
    const test = await openTestService(kind)
    const { partnerId } = await makePartner(test.service)
    const { customerId, code, planted } = await makeEverything(test.service, partnerId)
    await run(test.service, partnerId, 'customer_erase', { customerId, confirm: code })
    const next = await openService(loadConfig(test.env), createLog('silent'))
    next.start('http://localhost')
    await vi.waitFor(async () => expect(await tablesWith(test, planted)).toEqual([]), 15_000)
    await vi.waitFor(async () => expect(await tablesWith(test, customerId)).toEqual(['audit']), 15_000)
    await next.close()
    await test.close()
  })
})
