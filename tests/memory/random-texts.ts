// Texts that are as hard on a tokeniser as each script can be: no word in them is one.
import fc from 'fast-check'

/** Code points to draw from, as ranges. */
export const SCRIPTS: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  'Latin letters': [
    [0x41, 0x5b],
    [0x61, 0x7b]
  ],
  'digits, marks and letters': [[0x21, 0x7f]],
  'quotes and line breaks': [
    [0x22, 0x23],
    [0x5c, 0x5d],
    [0x0a, 0x0b]
  ],
  'accented Latin': [[0xc0, 0x180]],
  Cyrillic: [[0x410, 0x450]],
  Arabic: [[0x621, 0x64b]],
  Devanagari: [[0x905, 0x93a]],
  Thai: [[0xe01, 0xe2f]],
  Chinese: [[0x4e00, 0x9fa6]],
  Japanese: [
    [0x3041, 0x3097],
    [0x4e00, 0x9fa6]
  ],
  Korean: [[0xac00, 0xd7a4]],
  emoji: [[0x1f300, 0x1f640]],
  'rare characters': [
    [0x1200, 0x1300],
    [0xf40, 0xf6d],
    [0x20000, 0x2a6d0]
  ],
  'control characters': [
    [0x01, 0x09],
    [0x61, 0x62]
  ]
}

/** So many UTF-16 units at most of the script; the same for the same seed. */
export function randomText(script: string, length: number, seed: number): string {
  const ranges = SCRIPTS[script] ?? []
  const codePoint = fc.oneof(...ranges.map(([from, to]) => fc.integer({ min: from, max: to - 1 })))
  const [codePoints = []] = fc.sample(
    fc.array(codePoint, { minLength: 1_000, maxLength: 1_000, size: 'max' }),
    { seed, numRuns: 1 }
  )
  const piece = String.fromCodePoint(...codePoints)
  const text = `${seed} ${piece.repeat(Math.ceil(length / piece.length))}`.slice(0, length)
  return text.isWellFormed() ? text : text.slice(0, -1)
}
