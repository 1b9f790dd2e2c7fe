// Threads for what would keep the event loop, and with it everybody, for longer than a moment. They begin when there is
// something to do, end when there was nothing for a while, and go to tenants in rotation.
import { Piscina } from 'piscina'
import { builtFile } from '../built-file.ts'
import { createFairQueue } from '../fair-queue.ts'
import type { Log } from '../log.ts'
import { withDeadline } from '../net/deadline.ts'
import { work as inThread, type Work } from './work.ts'

export interface ThreadPool {
  /**
   * When it is the tenant's turn. What it is given and what it returns is copied; `moved` is gone here from then on.
   * @param work a function that `file`, a module beside the caller's, exports under its own name
   * @throws ThreadsUnavailable when the thread ended, it took too long, or too much of the tenant's waits
   */
  run<Input, Output>(
    tenant: string,
    { work, file, moved }: { work: (input: Input) => Output; file: URL; moved?: ArrayBuffer },
    input: Input
  ): Promise<Output>
  close(): Promise<void>
}

/** Says nothing about the work: later it may be done. */
export class ThreadsUnavailable extends Error {}

/** A second tenant finds a thread free, whatever the first one does. */
const THREADS = 2
const WORK = new URL('./work.js', import.meta.url)
const WAITING_PER_TENANT = 50
/** An idle thread takes 20 MB, and half a second to begin anew. */
const IDLE_MS = 300_000

/**
 * @param deadlineMs from the call to its result, the wait for a thread included
 * @param heapMb what work needs beyond that ends its thread, and not the process
 */
export function openThreadPool(log: Log, { deadlineMs = 10_000, heapMb = 64 } = {}): ThreadPool {
  const queue = createFairQueue({
    atOnce: THREADS,
    waitingPerTenant: WAITING_PER_TENANT,
    refusal: () => new Error('Too much work of one tenant waits')
  })
  const pool = new Piscina({
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16 },
    recordTiming: false
  })
  pool.on('error', (error) => log.warn('a thread failed', { error }))
  return {
    async run(tenant, { work: { name }, file, moved }, input) {
      const task: Work = { file: builtFile(file), name, input }
      const transferList = moved ? [moved] : []
      return withDeadline({ timeoutMs: deadlineMs }, async (signal) => {
        const begin = () =>
          pool.run(task, { filename: builtFile(WORK), name: inThread.name, signal, transferList })
        try {
          return await queue.run(tenant, begin, signal)
        } catch (error) {
          throw new ThreadsUnavailable(`${name} was not done`, { cause: error })
        }
      })
    },
    close: () => pool.destroy()
  }
}
