// The terminal, and what the commands print there: one line of JSON for scripts, tables and cards for people.
import type { Readable, Writable } from 'node:stream'
import { stripVTControlCharacters, styleText } from 'node:util'

/** What a command has around it. `process` is one. */
export interface Terminal {
  env: NodeJS.ProcessEnv
  stdin: Readable & { isTTY?: boolean }
  stdout: Output
  stderr: Output
  /** Set by a command that answers and yet fails. */
  exitCode?: number | string | null | undefined
}

export type Output = Writable & { isTTY?: boolean; hasColors?(): boolean }

export type Printer = ReturnType<typeof printerAt>

/** Prints values as one line of JSON, or as people read them; in colours where standard output shows them. */
export function printerAt({ stdout }: Terminal, isJson: boolean) {
  const colours = stdout.isTTY && stdout.hasColors?.() ? (text: string) => text : stripVTControlCharacters
  const print = <Value>(value: Value, forPeople: (value: Value) => string): void => {
    stdout.write(`${isJson ? JSON.stringify(value) : colours(forPeople(value))}\n`)
  }
  return {
    print,
    printCard: (value: object, title: string, facts: Facts) => print(value, () => card(title, facts)),
    /** The rows, or `whenEmpty` if there is none. */
    printTable: <Row>(rows: readonly Row[], whenEmpty: string, columns: Columns<Row>) =>
      print(rows, () => (rows.length === 0 ? whenEmpty : table(rows, columns)))
  }
}

/** The text in that style, which the printer takes away where it can't be shown. */
export const styled = (style: Parameters<typeof styleText>[0], text: string): string =>
  styleText(style, text, { validateStream: false })

/** By their titles. */
type Columns<Row> = Record<string, (row: Row) => string | number | null>

/** A table with a head. Numbers stand at the right. */
export function table<Row>(rows: readonly Row[], columns: Columns<Row>): string {
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

type Facts = Record<string, string | null>

/** A title and its facts, one a line. */
export function card(title: string, facts: Facts): string {
  const width = Math.max(...Object.keys(facts).map(widthOf))
  const lines = Object.entries(facts).map(
    ([name, value]) => `  ${styled('dim', name.padEnd(width))}  ${textOf(value)}`
  )
  return [styled('bold', title), ...lines].join('\n')
}

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
