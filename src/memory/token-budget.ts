// Keeps what a model is shown within its reach. Tokens are not counted but bounded from above, script by script: a
// tokeniser would cost more than the rest of a recall, and each model has its own.

export const CUT_NOTE = ' … [cut]'

/** The longest are cut, so that all take `budget` tokens at most; short ones leave them what they don't need. */
export function fitTexts(texts: readonly string[], budget: number): string[] {
  const costs = texts.map(tokensAtMost)
  if (costs.reduce((sum, cost) => sum + cost, 0) <= budget) return [...texts]
  const fitting: string[] = []
  let left = budget
  const shortestFirst = texts.map((_, i) => i).sort((a, b) => (costs[a] ?? 0) - (costs[b] ?? 0))
  for (const [done, i] of shortestFirst.entries()) {
    const share = left / (texts.length - done)
    const text = texts[i] ?? ''
    const isWhole = (costs[i] ?? 0) <= share
    fitting[i] = isWhole ? text : cutTo(text, share)
    left -= isWhole ? (costs[i] ?? 0) : share
  }
  return fitting
}

/** More tokens than the text takes within JSON, whatever it says (measured on random texts of each script). */
export function tokensAtMost(text: string): number {
  let tokens = 0
  // Not `for … of`, which makes a string of every character: each recall passes here.
  for (let i = 0; i < text.length; i += 1) {
    const codePoint = text.codePointAt(i) ?? 0
    if (codePoint > 0xffff) i += 1
    tokens += costOf(codePoint)
  }
  return tokens
}

function cutTo(text: string, budget: number): string {
  let left = budget - tokensAtMost(CUT_NOTE)
  let end = 0
  for (const character of text) {
    left -= costOf(character.codePointAt(0) ?? 0)
    if (left < 0) break
    end += character.length
  }
  return text.slice(0, end) + CUT_NOTE
}

/** What one character adds at most. Words of a language take a third of it; noise takes all. */
function costOf(codePoint: number): number {
  if (codePoint < 0x80) return ASCII_COST[codePoint] ?? 1
  for (const [from, to, cost] of SCRIPT_COSTS) if (codePoint >= from && codePoint < to) return cost
  return codePoint > 0xffff ? 4 : 3
}

const ASCII_COST = Float64Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z]/i.test(character)) return 0.7
  if (/["\\\n\r\t]/.test(character)) return 1.5
  // Written as \u0001.
  return /\p{Cc}/u.test(character) ? 4 : 1
})

/** From, up to, tokens. */
const SCRIPT_COSTS: readonly (readonly [number, number, number])[] = [
  [0x4e00, 0xa000, 2], // Han
  [0x3040, 0x3100, 1.2], // kana
  [0x400, 0x460, 1], // Cyrillic
  [0x600, 0x6e0, 1.2], // Arabic
  [0xac00, 0xd7a4, 2.4], // Hangul
  [0xc0, 0x180, 1.5], // Latin with accents
  [0x370, 0x400, 1.2], // Greek
  [0x590, 0x600, 1], // Hebrew
  [0x900, 0xe80, 1.4], // India, Thai
  [0x3000, 0x3040, 1.5], // marks of Chinese and Japanese
  [0xff00, 0xff70, 2]
]
