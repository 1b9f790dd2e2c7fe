import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LlmStandIn, startLlm } from '../support/ai/llm.ts'
import type { LlmBehaviour } from '../support/ai/llm-faults.ts'
import { modelsAt } from './models.ts'

let llm: LlmStandIn
beforeEach(async () => {
  llm = await startLlm()
})
afterEach(() => llm.close())

const options = { purpose: 'embed', timeoutMs: 20_000 } as const
const likeness = (a: Float32Array | undefined, b: Float32Array | undefined) =>
  [...(a ?? [])].reduce((sum, value, i) => sum + value * (b?.[i] ?? 0), 0)

describe('an embedder', () => {
  it('gives each text a vector of length 1, near that of what means the same', async () => {
    const { vectors, usage } = await modelsAt(llm).embedder.embed(['My dog', 'my puppy', 'a stone'], options)
    const [dog, puppy, stone] = vectors
    expect(likeness(dog, dog)).toBeCloseTo(1, 5)
    expect(likeness(dog, puppy)).toBeCloseTo(1, 5)
    expect(likeness(dog, stone)).toBeLessThan(0.5)
    expect(usage).toEqual({ purpose: 'embed', calls: 1, inputTokens: 6, outputTokens: 0, costMicros: 3 })
  })

  it('asks for the dimensions that are configured, in numbers', async () => {
    const { vectors } = await modelsAt(llm, { embeddingDimensions: 32 }).embedder.embed(['dog'], options)
    expect(vectors[0]).toHaveLength(32)
    expect(llm.requests[0]?.body).toMatchObject({ dimensions: 32, encoding_format: 'float', model: 'near-1' })
  })

  it('sends 64 texts at once and no more, in their order', async () => {
    const texts = Array.from({ length: 130 }, (_, i) => `boat number ${i}`)
    const { vectors, usage } = await modelsAt(llm).embedder.embed(texts, options)
    expect(llm.requests.map(({ body }) => [body.input].flat().length)).toEqual([64, 64, 2])
    expect(usage.calls).toBe(3)
    const [last] = (await modelsAt(llm).embedder.embed(['boat number 129'], options)).vectors
    expect(likeness(vectors[129], last)).toBeCloseTo(1, 5)
  })

  it('cuts texts that no model takes whole', async () => {
    await modelsAt(llm).embedder.embed(['word '.repeat(20_000), 'short'], options)
    const [long, short] = [llm.requests[0]?.body.input].flat()
    expect(String(long).length).toBeLessThan(12_000)
    expect(short).toBe('short')
  })

  const faults: [LlmBehaviour, string][] = [
    ['silent', 'timeout'],
    ['drips', 'timeout'],
    ['nonsense', 'malformed'],
    ['not-json', 'failed'],
    ['limits', 'limited'],
    ['overloaded', 'failed'],
    ['rejects', 'refused'],
    ['redirects', 'failed'],
    ['hangs-up', 'unreachable'],
    ['refuses-key', 'unauthorized'],
    ['too-large', 'too_large']
  ]
  it.each(faults)('that %s fails with %s', async (behaviour, fault) => {
    llm.behave(behaviour)
    const timeoutMs = fault === 'timeout' ? 300 : 20_000
    await expect(modelsAt(llm).embedder.embed(['a', 'b'], { ...options, timeoutMs })).rejects.toMatchObject({
      fault
    })
  })

  it('is asked again without a parameter that it doesn’t take', async () => {
    llm.unsupported.add('encoding_format')
    const { embedder } = modelsAt(llm)
    await embedder.embed(['a'], options)
    await embedder.embed(['a'], options)
    expect(llm.requests.map(({ body }) => 'encoding_format' in body)).toEqual([true, false, false])
  })
})
