// A real process that kills itself at a chosen point of a request.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

interface DyingService {
  url: string
  /** The signal that ended it. */
  ended: Promise<NodeJS.Signals | null>
  /** Kills it, if it still runs. */
  close(): Promise<void>
}

/** Before, in and after the transaction of an onboarding; outside and after the settling of external work. */
export type Point = 'before' | 'begun' | 'written' | 'committed' | 'outside' | 'settled'

/**
 * Starts the program and waits until it listens.
 *
 * @param program the bundled dying-service.ts
 */
export async function startDying(
  program: string,
  env: Record<string, string>,
  point: Point
): Promise<DyingService> {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, ...env, DIE_AT: point },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const ended = once(child, 'exit').then(() => child.signalCode)
  const line = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])
  if (!Array.isArray(line)) throw new Error(`The service ended before it listened: ${line}`)
  return {
    url: String(line[0]),
    ended,
    async close() {
      child.kill('SIGKILL')
      await ended
    }
  }
}
