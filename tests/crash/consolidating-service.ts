// A process that consolidates and kills itself at a chosen point of it. Configured by the environment like the real
// service. It opens when it is told so by a line on standard input: a point, and how often it is passed before.
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { loadConfig } from '../../src/config.ts'
import type { Database } from '../../src/database/database.ts'
import { openModels } from '../../src/llm/open.ts'
import { createLog } from '../../src/log.ts'
import { createConsolidation } from '../../src/memory/embedded/consolidation/consolidate.ts'
import type { MindWork } from '../../src/memory/jobs/work.ts'
import { startMindWork } from '../../src/memory/jobs/worker.ts'
import { openService } from '../../src/service.ts'

const [line]: unknown[] = await once(createInterface({ input: process.stdin }), 'line')
const [deadly = '', passes = '0'] = String(line).split(',')

let left = Number(passes)
const dieAt = (point: string) => {
  if (point !== deadly) return
  if (left === 0) process.kill(process.pid, 'SIGKILL')
  left -= 1
}

const service = await openService(loadConfig(process.env), createLog('warn'))
const { config } = service
const { model } = openModels(config.models)
if (!model) throw new Error('There is no model configured')

/** Set while a transaction writes what a run made. */
const applied = new WeakSet<object>()

const database: Database = {
  ...service.database,
  async transaction(work) {
    let isFinish = false
    const result = await service.database.transaction(async (tx) => {
      dieAt('begun')
      const worked = await work(tx)
      isFinish = applied.has(tx)
      if (isFinish) dieAt('written')
      return worked
    })
    if (isFinish) dieAt('committed')
    return result
  }
}

const work = createConsolidation({
  database: service.database,
  model,
  log: service.log,
  settings: config.models,
  paceMs: 0
})
const deadlyWork: MindWork = {
  ...work,
  async perform(batch, signal) {
    dieAt('taken')
    const performed = await work.perform(batch, signal)
    dieAt('answered')
    return {
      ...performed,
      async apply(tx, kept) {
        dieAt('applying')
        applied.add(tx)
        await performed.apply(tx, kept)
        dieAt('applied')
      }
    }
  }
}
await startMindWork({ database, log: service.log, lookMs: 60_000 }, deadlyWork).drain()
process.stdout.write('done\n')
await service.close()
