// One end for everything that an answer takes, whether its time is over or its caller has left.

export interface Deadline {
  signal: AbortSignal
  hasPassed(): boolean
  /** Forgets the timer. */
  close(): void
}

/** @param outer ends it earlier, and is what `signal` then aborts with */
export function openDeadline(timeoutMs: number, outer: AbortSignal | undefined): Deadline {
  // Not AbortSignal.any over a timeout: on Node 20 the garbage collector may take that timeout away.
  const ending = new AbortController()
  let hasPassed = false
  const timer = setTimeout(() => {
    hasPassed = true
    ending.abort()
  }, timeoutMs)
  const leave = () => ending.abort(outer?.reason)
  outer?.addEventListener('abort', leave, { once: true })
  if (outer?.aborted) leave()
  return {
    signal: ending.signal,
    hasPassed: () => hasPassed && !outer?.aborted,
    close() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', leave)
    }
  }
}
