// Background work that is looked for now and then, and whenever it is woken: never twice at once.

export interface Looker {
  /** Looks now; once more if a look is under way. */
  wake(): void
  /** Resolves when no look is under way. */
  settled(): Promise<void>
  /** No look is begun any more; resolves when the last one has ended. */
  stop(): Promise<void>
}

interface LookerOptions {
  /** After a look it rests for so long, unless that look knows better. */
  everyMs: number
  onError(error: unknown): void
}

/** Looks at once, and then again and again. @param look may return after how many milliseconds there is more to do */
export function startLooking(
  look: (stopping: AbortSignal) => Promise<number | undefined>,
  { everyMs, onError }: LookerOptions
): Looker {
  const stopping = new AbortController()
  let looking: Promise<void> | undefined
  let isWoken = false
  let timer: NodeJS.Timeout | undefined
  const lookWhileWoken = async () => {
    clearTimeout(timer)
    let restMs: number | undefined
    while (isWoken && !stopping.signal.aborted) {
      isWoken = false
      restMs = await look(stopping.signal).catch((error: unknown) => {
        onError(error)
        return undefined
      })
    }
    looking = undefined
    if (!stopping.signal.aborted) timer = setTimeout(wake, Math.min(restMs ?? everyMs, everyMs)).unref()
  }
  const wake = () => {
    isWoken = true
    if (!stopping.signal.aborted) looking ??= lookWhileWoken()
  }
  wake()
  return {
    wake,
    settled: async () => looking,
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await looking
    }
  }
}
