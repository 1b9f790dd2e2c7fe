// Vectors without a model: each word falls into places of its own, and words that mean the same into the same.
import { createHash } from 'node:crypto'

/** The first stands for the others, which share no stem with it. */
const SYNONYMS = [
  ['dog', 'dogs', 'puppy', 'hound'],
  ['car', 'cars', 'automobile', 'vehicle'],
  ['doctor', 'physician', 'medic'],
  ['job', 'occupation', 'profession', 'employment'],
  ['happy', 'glad', 'cheerful'],
  ['ill', 'sick', 'unwell'],
  ['house', 'home', 'residence', 'dwelling'],
  ['child', 'children', 'kid', 'kids'],
  ['purchased', 'bought', 'acquired'],
  ['physician', 'arzt', 'ärztin'],
  ['dog', 'hund', 'perro', 'chien']
]

const MEANING = new Map(
  SYNONYMS.toReversed().flatMap(([first = '', ...others]) => others.map((word) => [word, first]))
)

/** As a model that only knows words and their synonyms would place the text; never all zeros. */
export function vectorOf(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    const hash = createHash('sha256').update(meaningOf(word)).digest()
    for (const at of [0, 4, 8]) {
      const place = hash.readUInt32BE(at) % dimensions
      vector[place] = (vector[place] ?? 0) + (1 - 2 * ((hash[at + 12] ?? 0) % 2))
    }
  }
  if (!vector.some((value) => value !== 0)) vector[0] = 1
  return vector
}

function meaningOf(word: string): string {
  const first = MEANING.get(word)
  return first === undefined || first === word ? word : meaningOf(first)
}

export const base64Of = (vector: readonly number[]): string =>
  Buffer.from(new Float32Array(vector).buffer).toString('base64')
