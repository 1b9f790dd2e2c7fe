import { describe, expect, it } from 'vitest'
import { cosine, packVector } from '../../../src/memory/embedded/embeddings/vector.ts'

/** Made up, but the same every time. */
const unitVector = (seed: number, dimensions = 515): Float32Array => {
  const vector = Float32Array.from({ length: dimensions }, (_, index) => Math.sin(seed * 7 + index * index))
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}
const exact = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)

describe('a kept vector', () => {
  it('takes a byte a dimension and five more', () => {
    expect(packVector(unitVector(1, 512)).byteLength).toBe(517)
  })

  it('is as near to another as before, to a hundredth', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const [a, b] = [unitVector(seed), unitVector(seed % 3)]
      expect(cosine(packVector(a), Float64Array.from(b))).toBeCloseTo(exact(a, b), 2)
    }
  })

  it('is the very same as itself, whatever its largest number', () => {
    const spike = new Float32Array(64)
    spike[5] = 1
    for (const vector of [spike, unitVector(3)]) {
      expect(cosine(packVector(vector), Float64Array.from(vector))).toBeCloseTo(1, 3)
    }
  })

  it('can’t be compared with one of another dimension, of another format, or without a direction', () => {
    const unit = Float64Array.from(unitVector(1))
    const other = packVector(unitVector(1))
    other.writeUInt8(2, 0)
    expect(cosine(packVector(unitVector(1, 514)), unit)).toBeUndefined()
    expect(cosine(other, unit)).toBeUndefined()
    expect(cosine(packVector(new Float32Array(unit.length)), unit)).toBeUndefined()
    expect(cosine(Buffer.alloc(0), unit)).toBeUndefined()
  })
})
