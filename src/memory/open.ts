// The memory as it is configured: which engine, and the work that goes on behind its Minds.
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { Log } from '../log.ts'
import type { ThreadPool } from '../threads/pool.ts'
import { createEmbeddedEngine, openEmbedded } from './embedded-engine.ts'
import type { MemoryEngine } from './engine.ts'
import { openHoncho } from './honcho/api.ts'
import { createHonchoEngine } from './honcho/engine.ts'
import { forwardWork } from './honcho/forward.ts'
import { startRemovals, withRemovals } from './honcho/removals.ts'
import { startMindWork } from './jobs/worker.ts'

/** Opens the engine; the work behind its Minds goes on between `start` and `stop`. */
export function openMemory(config: Config, database: Database, log: Log, threads: ThreadPool) {
  const { engine, works, honcho } = partsOf(config, database, log, threads)
  let workers: { stop(): Promise<void> }[] = []
  return {
    engine,
    start() {
      workers = works.map((work) => startMindWork({ database, log }, work))
      if (honcho) workers.push(startRemovals({ database, log, honcho }))
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
    }
  }
}

export const memoryEngineOf = (config: Config, database: Database): MemoryEngine =>
  partsOf(config, database).engine

function partsOf(config: Config, database: Database, log?: Log, threads?: ThreadPool) {
  const honcho = config.honcho.server && openHoncho(config.honcho.server)
  if (!honcho || !config.honcho.isEngine) {
    const { engine, works } = openEmbedded(config, database, log, threads)
    return { engine: withRemovals(engine), works, honcho }
  }
  const works = [forwardWork(honcho, database)]
  const local = withRemovals(createEmbeddedEngine({ queues: works, threads }))
  return { engine: createHonchoEngine(local, honcho), works, honcho }
}
