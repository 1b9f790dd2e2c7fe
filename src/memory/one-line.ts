// Stored text is anybody's. Where it stands among lines of ours it takes one line and no control over how that is shown.

export const ELLIPSIS = '…'

/** Line ends, other control characters, and those that turn the direction of what follows. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu

export const toOneLine = (text: string): string =>
  text.replace(UNPRINTABLE, ' ').replace(/\s+/g, ' ').trim().toWellFormed()

/** At most `length` characters, the last of them `…` where more was there. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text
  // Half of a pair is no character.
  return (
    text
      .slice(0, length - 1)
      .replace(/[\ud800-\udbff]$/, '')
      .trimEnd() + ELLIPSIS
  )
}

/** The lines one below the other, as many as `length` takes, the last of them `…` where that isn't all. */
export function fitLines(lines: readonly string[], length: number): string {
  const whole = lines.join('\n')
  if (whole.length <= length) return whole
  const fitting: string[] = []
  let left = length - ELLIPSIS.length
  for (const line of lines) {
    left -= line.length + 1
    if (left < 0) break
    fitting.push(line)
  }
  return [...fitting, ELLIPSIS].join('\n')
}
