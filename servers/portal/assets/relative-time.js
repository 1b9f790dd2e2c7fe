const FORMATS = new Map()

const UNITS = [
  ['minute', 60, 60],
  ['hour', 3_600, 24],
  ['day', 86_400, 30]
]

export function relativeTime(seconds, language) {
  const format = FORMATS.get(language) ?? formatIn(language)
  if (Math.abs(seconds) < 45) return format.format(0, 'second')
  for (const [unit, size, below] of UNITS) {
    const count = Math.round(seconds / size)
    if (Math.abs(count) < below) return format.format(count, unit)
  }
}

function formatIn(language) {
  const format = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`, { numeric: 'auto' })
  FORMATS.set(language, format)
  return format
}
