// A whole service without channels that kills its own process at a chosen point of reading calls or pricing them anew.
// Configured by the environment like the real one. It opens when it is told so by a line on standard input: the time that
// it is, a point, and how often it is passed before. It ends by itself once nothing is left to do.
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS, now } from '../../src/clock.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { openService } from '../../src/service.ts'
import { moveClock } from '../support/moved-clock.ts'

const [line]: unknown[] = await once(createInterface({ input: process.stdin }), 'line')
const [time = '', deadly = '', passes = '0'] = String(line).split(' ')
const clock = moveClock(Number(time))
const openedAt = now()

let left = Number(passes)
const dieAt = (point: string) => {
  if (point !== deadly) return
  if (left === 0) process.kill(process.pid, 'SIGKILL')
  left -= 1
}

const service = await openService(loadConfig(process.env), createLog('error'))
const { database, usageSync } = service
const { transaction } = database
Object.assign(database, {
  async transaction(work, partnerId) {
    // What belongs to a partner is about its calls here; housekeeping is nobody's.
    if (partnerId === undefined) return transaction(work)
    dieAt('before')
    const result = await transaction(async (tx) => {
      dieAt('begun')
      const worked = await work(tx)
      dieAt('written')
      return worked
    }, partnerId)
    dieAt('committed')
    return result
  }
} satisfies Partial<typeof database>)
service.start('https://mindgate.example')

const isDone = async (): Promise<boolean> => {
  const syncs = await database.read.selectFrom('usageSync').selectAll().execute()
  const isRead = syncs.every(({ leaseOwner, syncedTo }) => leaseOwner === null && (syncedTo ?? '') > openedAt)
  const agents = database.read.selectFrom('voiceAgent').where('repriceFrom', 'is not', null)
  return isRead && (await agents.select('agentId').limit(1).executeTakeFirst()) === undefined
}
do {
  await sleep(20)
  await usageSync.drain()
  // A pass that was interrupted ends first; another one begins five minutes later.
  clock.set(clock.now() + MINUTE_MS)
} while (!(await isDone()))
await service.close()
process.stdout.write('done\n')
