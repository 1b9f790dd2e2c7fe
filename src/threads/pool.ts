// Threads for what would keep the event loop, and with it everybody, for longer than a moment. They begin when there is
// something to do, end when there was nothing for a while, and go to tenants in rotation.
import type { Piscina } from 'piscina'
import { builtFile } from '../built-file.ts'
import { createFairQueue } from '../fair-queue.ts'
import type { Log } from '../log.ts'
import { withDeadline } from '../net/deadline.ts'
import type { Work } from './work.ts'

export interface ThreadPool {
  /**
   * When it is the tenant's turn: the function `name` that `file` exports, a module beside the caller's; not by the function
   * itself, which a bundle may call otherwise. What it is given and what it returns is copied; `moved` is gone here from then on.
   * @throws ThreadsUnavailable when the thread ended, it took too long, or too much of the tenant's waits
   */
  run<Work extends (input: never) => unknown>(
    tenant: string,
    { name, file, moved }: { name: string; file: URL; moved?: ArrayBuffer },
    input: Parameters<Work>[0]
  ): Promise<ReturnType<Work>>
  close(): Promise<void>
}

/** Says nothing about the work: later it may be done. */
export class ThreadsUnavailable extends Error {}

/** A second tenant finds a thread free, whatever the first one does. */
const THREADS = 2
const WORK = new URL('./work.js', import.meta.url)
const IN_THREAD = 'work' satisfies keyof typeof import('./work.ts')
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
  let opened: Promise<Piscina> | undefined
  const open = async () => {
    const { Piscina } = await import('piscina')
    const pool = new Piscina({
      minThreads: 0,
      maxThreads: THREADS,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16 },
      recordTiming: false
    })
    pool.on('error', (error) => log.warn('a thread failed', { error }))
    return pool
  }
  return {
    async run(tenant, { name, file, moved }, input) {
      const task: Work = { file: builtFile(file), name, input }
      const transferList = moved ? [moved] : []
      return withDeadline({ timeoutMs: deadlineMs }, async (signal) => {
        opened ??= open().catch((error: unknown) => {
          opened = undefined
          throw error
        })
        const pool = await opened
        const begin = () =>
          pool.run(task, { filename: builtFile(WORK), name: IN_THREAD, signal, transferList })
        try {
          return await queue.run(tenant, begin, signal)
        } catch (error) {
          throw new ThreadsUnavailable(`${name} was not done`, { cause: error })
        }
      })
    },
    close: async () => (await opened?.catch(() => undefined))?.destroy()
  }
}
