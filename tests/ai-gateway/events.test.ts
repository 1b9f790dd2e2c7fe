import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { EVENTS, usageEvent } from '../../src/ai-gateway/embedded/events.ts'
import { eventsOf } from '../../src/net/events.ts'

async function* inPieces(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  for (const [index, place] of places.entries())
    yield bytes.subarray(place, places[index + 1] ?? bytes.length)
}

async function split(text: string, cuts: readonly number[] = []): Promise<string[]> {
  const events: string[] = []
  for await (const event of eventsOf(inPieces(Buffer.from(text), cuts), EVENTS)) events.push(event.toString())
  return events
}

const field = fc.constantFrom('data: {"a":1}', 'data: é 🎉 漢', 'event: ping', ': a comment', 'data:')

describe('a stream of events', () => {
  it('is split the same wherever its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(field, { minLength: 1, maxLength: 3 }), { maxLength: 5 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat()),
        async (groups, end, cuts) => {
          const events = groups.map((lines) => lines.map((line) => line + end).join('') + end)
          expect(await split(events.join(''), cuts)).toEqual(events)
        }
      )
    )
  })

  it('ends with what was left in the middle', async () => {
    expect(await split('data: 1\n\ndata: 2\n')).toEqual(['data: 1\n\n', 'data: 2\n'])
  })

  it('is given up when one of them has no end', async () => {
    const endless = async function* () {
      for (;;) yield Buffer.alloc(1_048_576, 'x')
    }
    const read = async () => {
      for await (const event of eventsOf(endless(), EVENTS)) expect(event).toBeUndefined()
    }
    await expect(read()).rejects.toMatchObject({ status: 502 })
  })
})

describe('what a stream of events costs', () => {
  it('is its length, in however small pieces one event comes', async () => {
    const joined = vi.spyOn(Buffer, 'concat')
    const event = `data: ${'x'.repeat(1_000_000)}\n\n`
    const pieces = Array.from({ length: 10_000 }, (_, index) => index * 100)
    expect(await split(event, pieces)).toEqual([event])
    const copiedBytes = joined.mock.results.reduce((sum, { value }) => sum + value.length, 0)
    joined.mockRestore()
    expect(copiedBytes).toBeLessThan(3 * event.length)
  })
})

describe('an event that tells of usage', () => {
  const eventOf = (payload: string) => Buffer.from(`event: chunk\ndata: ${payload}\n\n`)

  it('is told from those that only could', () => {
    expect(usageEvent(eventOf('{"choices":[],"usage":{"prompt_tokens":3}}'))).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 3 }
    })
    for (const payload of [
      '{"choices":[{"delta":{"content":"hi"}}],"usage":null}',
      '{"choices":[{"delta":{"content":"the word \\"usage\\": {}"}}]}',
      '{"choices":[],"usage": 7}',
      '"usage"',
      '[DONE] "usage"'
    ]) {
      expect(usageEvent(eventOf(payload)), payload).toBeUndefined()
    }
  })
})
