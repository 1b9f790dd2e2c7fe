// Long work of a command: a progress bar on standard error once it takes over two seconds, and an orderly end on Ctrl-C.
import type { Watch } from '../../src/backup/backup.ts'
import { CommandError } from './failure.ts'
import type { Output, Terminal } from './output.ts'

const QUIET_MS = 2_000
const REDRAW_MS = 100
const BAR_WIDTH = 24

/** Shows how far `total` items of work are while `work` tells it, or its total with it; without one, how many are done. */
export function withProgress<Result>(
  { stderr }: Terminal,
  title: string,
  total: number | undefined,
  work: (onProgress: (done: number, total?: number) => void) => Promise<Result>
): Promise<Result> {
  const progress = startProgress(title, total, stderr)
  return work(progress.at).finally(progress.end)
}

/** @throws CommandError when the operator interrupts it; what it had begun is cleared away by then */
export async function watched<Result>(
  { stderr }: Terminal,
  title: string,
  work: (watch: Watch) => Promise<Result>
): Promise<Result> {
  const interruption = new AbortController()
  const interrupt = () => interruption.abort()
  for (const signal of SIGNALS) process.once(signal, interrupt)
  let progress: ReturnType<typeof startProgress> | undefined
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

/** Rate and time left. Anywhere but on a terminal it shows nothing. */
function startProgress(title: string, total: number | undefined, stream: Output) {
  const startedAt = performance.now()
  let drawnAt = startedAt + QUIET_MS - REDRAW_MS
  let isShown = false
  return {
    at(done: number, of = total): void {
      const nowMs = performance.now()
      if (!stream.isTTY || nowMs - drawnAt < REDRAW_MS) return
      drawnAt = nowMs
      isShown = true
      const drawn = of === undefined ? '' : `${bar(done / of)}  `
      stream.write(`\r\x1b[K${title}  ${drawn}${figures(done, of, nowMs - startedAt)}`)
    },
    /** Takes the bar away. */
    end(): void {
      if (isShown) stream.write('\r\x1b[K')
    }
  }
}

function bar(part: number): string {
  const filled = Math.round(part * BAR_WIDTH)
  return '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled)
}

function figures(done: number, total: number | undefined, elapsedMs: number): string {
  const perSecond = (done / elapsedMs) * 1_000
  const count = (value: number) => Math.round(value).toLocaleString('en-US')
  if (total === undefined) return `${count(done)}, ${count(perSecond)}/s`
  const secondsLeft = Math.ceil((total - done) / perSecond)
  return `${count(done)} of ${count(total)}, ${count(perSecond)}/s, ${secondsLeft} s left`
}
