// Long work of a command: a progress bar, and an orderly end on Ctrl-C.
import type { Watch } from '../../src/backup/backup.ts'
import { CommandError } from './failure.ts'
import { type Progress, startProgress } from './progress.ts'
import type { Terminal } from './terminal.ts'

/** @throws CommandError when the operator interrupts it; what it had begun is cleared away by then */
export async function watched<Result>(
  { stderr }: Terminal,
  title: string,
  work: (watch: Watch) => Promise<Result>
): Promise<Result> {
  const interruption = new AbortController()
  const interrupt = () => interruption.abort()
  for (const signal of SIGNALS) process.once(signal, interrupt)
  let progress: Progress | undefined
  try {
    return await work({
      signal: interruption.signal,
      at(done, total) {
        progress ??= startProgress(title, total, stderr)
        progress.at(done)
      }
    })
  } catch (error) {
    if (interruption.signal.aborted) throw new CommandError('Interrupted; nothing was left behind.')
    throw error
  } finally {
    progress?.end()
    for (const signal of SIGNALS) process.off(signal, interrupt)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
