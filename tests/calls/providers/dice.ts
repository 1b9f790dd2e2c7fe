// Chance that a seed decides: the same seed throws the same.

export interface Dice {
  /** A whole number, both ends included. */
  between(least: number, most: number): number
  chance(probability: number): boolean
  pick<T>(choices: readonly T[]): T
  /** So many of them, none twice. */
  some<T>(choices: readonly T[], count: number): T[]
  digits(count: number): string
  hex(count: number): string
  uuid(): string
}

export function makeDice(seed: string): Dice {
  const next = mulberry32(hashOf(seed))
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const of = (alphabet: string, count: number) =>
    Array.from({ length: count }, () => alphabet[between(0, alphabet.length - 1)]).join('')
  const hex = (count: number) => of('0123456789abcdef', count)
  return {
    between,
    chance: (probability) => next() < probability,
    pick(choices) {
      const picked = choices[between(0, choices.length - 1)]
      if (picked === undefined) throw new Error('There is nothing to pick from')
      return picked
    },
    some(choices, count) {
      const keyed = choices.map((choice) => ({ choice, key: next() }))
      return keyed
        .toSorted((a, b) => a.key - b.key)
        .slice(0, count)
        .map(({ choice }) => choice)
    },
    digits: (count) => of('0123456789', count),
    hex,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`
  }
}

function hashOf(seed: string): number {
  let hash = 2_166_136_261
  for (const letter of seed) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619)
  return hash >>> 0
}

/** https://github.com/bryc/code: small, and good enough for tests. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
