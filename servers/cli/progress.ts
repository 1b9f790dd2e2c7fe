// A progress bar on standard error, for work over two seconds at a terminal.
import type { Output } from './terminal.ts'

const QUIET_MS = 2_000
const REDRAW_MS = 100
const BAR_WIDTH = 24

export interface Progress {
  at(done: number): void
  /** Takes the bar away. */
  end(): void
}

/** Shows how far `total` items of work are: rate and time left. Anywhere but on a terminal it shows nothing. */
export function startProgress(title: string, total: number, stream: Output): Progress {
  const startedAt = performance.now()
  let drawnAt = startedAt + QUIET_MS - REDRAW_MS
  let isShown = false
  return {
    at(done) {
      const nowMs = performance.now()
      if (!stream.isTTY || nowMs - drawnAt < REDRAW_MS) return
      drawnAt = nowMs
      isShown = true
      stream.write(`\r\x1b[K${title}  ${bar(done / total)}  ${figures(done, total, nowMs - startedAt)}`)
    },
    end() {
      if (isShown) stream.write('\r\x1b[K')
    }
  }
}

const bar = (part: number): string => {
  const filled = Math.round(part * BAR_WIDTH)
  return '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled)
}

function figures(done: number, total: number, elapsedMs: number): string {
  const perSecond = (done / elapsedMs) * 1_000
  const secondsLeft = Math.ceil((total - done) / perSecond)
  const count = (value: number) => Math.round(value).toLocaleString('en-US')
  return `${count(done)} of ${count(total)}, ${count(perSecond)}/s, ${secondsLeft} s left`
}
