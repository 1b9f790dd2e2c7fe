// Background work that is looked for now and then, and whenever it is woken: never twice at once.
import { outsideTraces } from '../trace.ts'

export type Looker = ReturnType<typeof startLooking>

/** Looks at once, and then again and again. @param look may resolve with the milliseconds after which there is more to do */
export function startLooking(
  look: (stopping: AbortSignal) => Promise<unknown>,
  { everyMs, onError }: { everyMs: number; onError(error: unknown): void }
) {
  const stopping = new AbortController()
  let looking: Promise<void> | undefined
  let isWoken = false
  let sooner: NodeJS.Timeout | undefined
  const lookWhileWoken = async () => {
    clearTimeout(sooner)
    let restMs: unknown
    while (isWoken && !stopping.signal.aborted) {
      isWoken = false
      restMs = await look(stopping.signal).catch(onError)
    }
    looking = undefined
    if (typeof restMs !== 'number' || restMs >= everyMs || stopping.signal.aborted) return
    sooner = setTimeout(wake, restMs).unref()
  }
  const wake = () => {
    isWoken = true
    if (!stopping.signal.aborted) looking ??= outsideTraces(lookWhileWoken)
  }
  const timer = setInterval(wake, everyMs).unref()
  wake()
  return {
    /** Looks now; once more if a look is under way. */
    wake,
    settled: async () => looking,
    /** No look is begun any more; resolves when the last one has ended. */
    async stop() {
      stopping.abort()
      clearInterval(timer)
      clearTimeout(sooner)
      await looking
    }
  }
}
