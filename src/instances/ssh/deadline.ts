// One deadline and the caller's signal, as one signal over everything that a call does.
import { setMaxListeners } from 'node:events'
import { SshError, type SshFault } from './errors.ts'

interface Limits {
  timeoutMs: number
  /** What it is called when the time is over. */
  fault: SshFault
  /** Each of them cancels. */
  signals: readonly (AbortSignal | undefined)[]
}

/**
 * Hands `work` a signal that fires with an SshError for its reason. That the work then ends is the work's duty.
 *
 * Timer and listeners of our own: AbortSignal.any can be collected before it fires.
 */
export async function underDeadline<T>(
  limits: Limits,
  work: (signal: AbortSignal) => Promise<T>
): Promise<T> {
  const controller = new AbortController()
  // A call listens in several places, and a closing pool to all of its calls.
  setMaxListeners(0, controller.signal)
  const end = (fault: SshFault) => controller.abort(new SshError(fault, { hasNotBegun: true }))
  const cancel = () => end('cancelled')
  const timer = setTimeout(end, limits.timeoutMs, limits.fault)
  for (const signal of limits.signals) {
    if (signal?.aborted) cancel()
    signal?.addEventListener('abort', cancel, { once: true })
  }
  try {
    controller.signal.throwIfAborted()
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    for (const signal of limits.signals) signal?.removeEventListener('abort', cancel)
  }
}

/** The promise's outcome, or the signal's reason where that comes first. The work itself goes on. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Whether the promise settles, either way, within the time. */
export function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, false)
    const settle = () => {
      clearTimeout(timer)
      resolve(true)
    }
    work.then(settle, settle)
  })
}
