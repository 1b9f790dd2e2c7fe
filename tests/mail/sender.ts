// A real process that sends mails, to be killed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

interface Sender {
  /** The signal that ended it, or null when it exited by itself. */
  ended: Promise<NodeJS.Signals | null>
  /** Kills it, if it still runs. */
  close(): Promise<void>
}

/** Starts sender-process.ts with that environment. */
export function startSender(env: Record<string, string>): Sender {
  const script = new URL('./sender-process.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--import', 'tsx', script], {
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
