// A thread that stays from one run of vitest's to the next, with the product that it has loaded: to load it takes longer
// than most files' tests. Vitest itself keeps a worker only until the end of a run.
import { type PoolOptions, type PoolWorker, ThreadsPoolWorker } from 'vitest/node'

/** Each run leaves a few listeners behind in the thread. With 1, no mutant finds anything of another one. */
const RUNS_OF_ONE_THREAD = Number(process.env.MUTANTS_RUNS_OF_ONE_THREAD ?? 50)

type Listener = Parameters<PoolWorker['on']>[1]

let thread: ThreadsPoolWorker | undefined
let runCount = 0

export const keptThread = {
  name: 'kept-thread',
  createPoolWorker(options: PoolOptions): PoolWorker {
    const listeners: [event: string, listener: Listener][] = []
    return {
      name: 'kept-thread',
      async start() {
        thread ??= new ThreadsPoolWorker(options)
        await thread.start()
      },
      on(event, listener) {
        listeners.push([event, listener])
        thread?.on(event, listener)
      },
      off: (event, listener) => thread?.off(event, listener),
      deserialize: (message) => message,
      send(message) {
        if (message.type !== 'stop') return thread?.send(message)
        const stopped = { type: 'stopped', __vitest_worker_response__: true }
        for (const [event, listener] of listeners) if (event === 'message') listener(stopped)
      },
      async stop() {
        for (const [event, listener] of listeners) thread?.off(event, listener)
        runCount += 1
        if (runCount % RUNS_OF_ONE_THREAD > 0) return
        await thread?.stop()
        thread = undefined
      }
    }
  }
}
