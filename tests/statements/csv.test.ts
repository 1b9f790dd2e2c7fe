// What a spreadsheet would run as a formula is text to it.
import { describe, expect, it } from 'vitest'
import { csvRow } from '../../src/csv.ts'

describe('a row of CSV', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1+1'])('has %j as text', (formula) => {
    expect(csvRow([formula]).replace(/^"/, '').startsWith("'")).toBe(true)
  })

  it('doubles quotes, and keeps commas and line breaks within a cell', () => {
    expect(csvRow(['a "b"', 'c,d', 'e\nf', '=HYPERLINK("x")'])).toBe(
      '"a ""b""","c,d","e\nf","\'=HYPERLINK(""x"")"\r\n'
    )
  })

  it('leaves numbers as they are, below 0 too, and nothing for what isn’t there', () => {
    expect(csvRow([1, -2.5, { number: '-0.250000' }, null, 'a'])).toBe('1,-2.5,-0.250000,,a\r\n')
  })
})
