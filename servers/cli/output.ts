// What the commands print: one line of JSON for scripts, tables and cards for people.
import { stripVTControlCharacters, styleText } from 'node:util'
import type { Terminal } from './terminal.ts'

/** How a command was asked to answer. */
export interface Format {
  json?: true | undefined
}

/** Prints the value as one line of JSON, or what `forPeople` makes of it; in colours where standard output shows them. */
export function print<Value>(
  { stdout }: Terminal,
  format: Format,
  value: Value,
  forPeople: (value: Value) => string
): void {
  const colours = stdout.isTTY && stdout.hasColors?.() ? (text: string) => text : stripVTControlCharacters
  stdout.write(`${format.json ? JSON.stringify(value) : colours(forPeople(value))}\n`)
}

/** The text in that style, which `print` takes away where it can't be shown. */
export const styled = (style: Parameters<typeof styleText>[0], text: string): string =>
  styleText(style, text, { validateStream: false })

/** Columns by their titles; each is made of a row. */
type Columns<Row> = Record<string, (row: Row) => string | number | null>

/** A table with a head, or `whenEmpty` if there is no row. Numbers stand at the right. */
export function table<Row>(rows: readonly Row[], columns: Columns<Row>, whenEmpty: string): string {
  if (rows.length === 0) return whenEmpty
  const titles = Object.keys(columns)
  const cells = rows.map((row) => Object.values(columns).map((cell) => cell(row)))
  const widths = titles.map((title, i) =>
    Math.max(widthOf(title), ...cells.map((row) => widthOf(textOf(row[i]))))
  )
  const line = (texts: readonly string[], isRight: (i: number) => boolean) =>
    texts
      .map((text, i) => {
        const gap = ' '.repeat((widths[i] ?? 0) - widthOf(text))
        return isRight(i) ? gap + text : text + gap
      })
      .join('  ')
      .trimEnd()
  const isNumber = (i: number) => cells.every((row) => typeof row[i] === 'number')
  return [styled('dim', line(titles, isNumber)), ...cells.map((row) => line(row.map(textOf), isNumber))].join(
    '\n'
  )
}

/** A title and its facts, one a line. */
export function card(title: string, facts: Record<string, string | null>): string {
  const width = Math.max(...Object.keys(facts).map(widthOf))
  const lines = Object.entries(facts).map(
    ([name, value]) => `  ${styled('dim', name.padEnd(width))}  ${textOf(value)}`
  )
  return [styled('bold', title), ...lines].join('\n')
}

/** An instant as people read it. */
export const minute = (iso: string | null): string | null =>
  iso && `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`

const textOf = (value: string | number | null | undefined): string => String(value ?? '–')

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/u
const graphemes = new Intl.Segmenter()

/** Columns that a text takes on a terminal: a letter with its accents is one, CJK and emoji are two. */
function widthOf(text: string): number {
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}
