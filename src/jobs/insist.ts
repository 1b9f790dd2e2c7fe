import { setTimeout as sleep } from 'node:timers/promises'

const AGAIN_MS = 500

/**
 * Writes what must not be lost, such as that something is out: again and again while the database is away, until whoever
 * works is to end. Then another process takes the work over.
 */
export async function insist(
  write: () => Promise<unknown>,
  { signal, onError }: { signal: AbortSignal; onError(error: unknown): void }
): Promise<void> {
  for (;;) {
    try {
      await write()
      return
    } catch (error) {
      onError(error)
      if (signal.aborted) return
      await sleep(AGAIN_MS)
    }
  }
}
