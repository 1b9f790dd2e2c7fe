// A service that kills its own process at a chosen point of one request. Configured by the environment like the real
// one; DIE_AT names the point. Nothing runs in the background, so that what it leaves behind is left as it is.

import { loadConfig } from '../../src/config.ts'
import type { Database } from '../../src/database/database.ts'
import { createLog } from '../../src/log.ts'
import type { AnyOperation } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import { openService } from '../../src/service.ts'
import { openChannels } from '../idempotency/channels.ts'
import { outsideWork } from '../idempotency/outside-work.ts'

const dieAt = (point: string) => {
  if (process.env.DIE_AT === point) process.kill(process.pid, 'SIGKILL')
}

const service = await openService(loadConfig(process.env), createLog('silent'))

/** Only the transactions of the onboarding are deadly, not the one that notes the key's use. */
let isOnboarding = false
const database: Database = {
  ...service.database,
  async transaction(work) {
    if (!isOnboarding) return service.database.transaction(work)
    dieAt('before')
    const result = await service.database.transaction(async (tx) => {
      dieAt('begun')
      const worked = await work(tx)
      dieAt('written')
      return worked
    })
    dieAt('committed')
    return result
  }
}

const dangerous = operations.map((operation): AnyOperation => {
  if (operation.name !== 'customer_onboard' || operation.deadlineMs !== undefined) return operation
  return {
    ...operation,
    handle: (ctx, caller, input) => {
      isOnboarding = true
      return operation.handle(ctx, caller, input)
    }
  }
})
const outside = outsideWork({
  outside: async () => dieAt('outside'),
  afterwards: async () => dieAt('settled')
})

const { url } = await openChannels({ ...service, database }, [...dangerous, outside])
process.stdout.write(`${url}\n`)
