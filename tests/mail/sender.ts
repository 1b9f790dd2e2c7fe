// A real process that sends mails, to be killed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Bundle, bundle } from '../crash/bundle.ts'

interface Sender {
  /** The signal that ended it, or null when it exited by itself. */
  ended: Promise<NodeJS.Signals | null>
  /** Kills it, if it still runs. */
  close(): Promise<void>
}

/** sender-process.ts, to be started as often as it takes. */
export const bundleSender = (): Promise<Bundle> =>
  bundle(new URL('./sender-process.ts', import.meta.url).pathname)

/** Starts it with that environment. */
export function startSender(program: Bundle, env: Record<string, string>): Sender {
  const child = spawn(process.execPath, [program.file], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit']
  })
  const ended = once(child, 'exit').then(() => child.signalCode)
  return {
    ended,
    async close() {
      child.kill('SIGKILL')
      await ended
    }
  }
}
