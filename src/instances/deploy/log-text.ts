// What a script wrote, as it is kept and shown.
import { stripVTControlCharacters } from 'node:util'
import { withoutSecrets } from '../../catalog/cli-agent/secret-shapes.ts'

/** What is kept of a log: its end. */
const MAX_CHARACTERS = 65_536

const CONTROLS = /(?![\n\t])\p{Cc}/gu

/** Plain text that both databases can store: no colours, no progress bars drawn over, nothing that opens a door. */
export function plainText(text: string): string {
  const lines = stripVTControlCharacters(text.toWellFormed()).split(/\r?\n/)
  // What a terminal shows of a bar that was drawn over and over.
  const shown = lines.map((line) => line.slice(line.lastIndexOf('\r') + 1))
  // The script writes no secret; this holds even where an installer should.
  return withoutSecrets(shown.join('\n').replaceAll(CONTROLS, ''))
}

/** The log with what came since; of a long one the last whole lines. */
export function longerLog(before: string, more: string): string {
  const whole = plainText(before + more)
  if (whole.length <= MAX_CHARACTERS) return whole
  const end = whole.slice(-MAX_CHARACTERS)
  return end.slice(end.indexOf('\n') + 1)
}

/** One line for a sentence: the first that says something, cut where it gets long. */
export function lineOf(bytes: Uint8Array): string {
  const lines = plainText(Buffer.from(bytes).toString('utf8')).split('\n')
  return (lines.find((line) => line.trim() !== '') ?? '').trim().slice(0, 300)
}
