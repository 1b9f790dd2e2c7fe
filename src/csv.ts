// Comma-separated values (RFC 4180) of which no spreadsheet takes any for a formula.

type Cell = string | number | boolean | null | undefined

/** One line with its end. A text that a spreadsheet would calculate begins with an apostrophe. */
export const csvRow = (cells: readonly Cell[]): string => `${cells.map(cellOf).join(',')}\r\n`

function cellOf(value: Cell): string {
  if (typeof value !== 'string') return String(value ?? '')
  const text = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
