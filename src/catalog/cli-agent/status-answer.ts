// The form of what the status script of a deploy prints: lines about it, then the bytes of its log.
import { withoutSecrets } from './secret-shapes.ts'

export interface StatusAnswer {
  lines: readonly string[]
  /** Where in the log its bytes begin. */
  start: number
  /** The log went on too far since it was read last; its bytes begin somewhere in a line. */
  hasSkipped: boolean
  bytes: Buffer
}

export function splitStatusAnswer(answer: Buffer): StatusAnswer {
  const at = answer.indexOf('\nlog ')
  const end = answer.indexOf('\n', at + 1)
  const [, start, skipped] = answer.toString('latin1', at + 1, end).split(' ')
  return {
    lines: answer.toString('utf8', 0, Math.max(at, 0)).split('\n'),
    start: Number(start),
    hasSkipped: skipped === '1',
    bytes: answer.subarray(end + 1)
  }
}

const NEWLINE = 10

/** Whole lines only, while there are more to come: half a secret can't be told from a word. */
export function readLog(
  { bytes, start, hasSkipped }: StatusAnswer,
  { isOver }: { isOver: boolean }
): { log: string; logOffset: number } {
  const from = hasSkipped ? bytes.indexOf(NEWLINE) + 1 : 0
  const to = isOver ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1
  return { log: withoutSecrets(bytes.toString('utf8', from, Math.max(from, to))), logOffset: start + to }
}
