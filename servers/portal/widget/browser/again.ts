// Trying again later, less and less often.

interface Pace {
  firstMs: number
  longestMs: number
}

/** What it returns lets `work` be done after a while, or not any more; each time in a row takes longer. */
export function later(work: () => Promise<void>, { firstMs, longestMs }: Pace, ended: AbortSignal) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let nextMs = firstMs
  ended.addEventListener('abort', () => clearTimeout(timer))
  return (isWanted: boolean): void => {
    clearTimeout(timer)
    if (!isWanted || ended.aborted) {
      nextMs = firstMs
      return
    }
    timer = setTimeout(() => void work(), nextMs)
    nextMs = Math.min(nextMs * 1.5, longestMs)
  }
}
