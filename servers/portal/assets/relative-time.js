const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const UNITS = [
  ['minute', 60, 60],
  ['hour', 3_600, 24],
  ['day', 86_400, 30]
]

export function relativeTime(seconds) {
  if (Math.abs(seconds) < 45) return seconds > 5 ? 'in a moment' : 'just now'
  for (const [unit, size, below] of UNITS) {
    const count = Math.round(seconds / size)
    if (Math.abs(count) < below) return RELATIVE.format(count, unit)
  }
}
