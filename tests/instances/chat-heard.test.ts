// What a run tells, from a server that tells without an end.
import { describe, expect, it } from 'vitest'
import { MAX_RUN_BYTES } from '../../src/catalog/chat.ts'
import { hearRun } from '../../src/instances/chat/run.ts'

describe('what is heard of a run', () => {
  it('is its text so far and its last tools, in whichever pieces they come', () => {
    const heard = hearRun()
    const euro = Buffer.from('5 €')
    heard.listen(euro.subarray(0, 3), 'stdout')
    heard.listen(euro.subarray(3), 'stdout')
    for (const piece of ['tool te', 'rminal\ntool <b>\nnoise\ntool web_search\nend'])
      heard.listen(Buffer.from(piece), 'stderr')
    expect(heard.progress()).toEqual({ text: '5 €', tools: ['terminal', 'web_search'] })
    expect([heard.offset(), heard.output().toString()]).toEqual([euro.length, '5 €'])
  })

  it('is bounded, whatever comes', () => {
    const heard = hearRun()
    const piece = Buffer.alloc(100_000, 'x')
    const startedAt = performance.now()
    for (let count = 0; count < 500; count += 1) {
      heard.listen(piece, 'stdout')
      heard.listen(Buffer.from(`tool ${'t'.repeat(99_000)}\ntool t${count}\n`), 'stderr')
      heard.progress()
    }
    expect(heard.isFull()).toBe(true)
    expect(heard.output().length).toBeLessThan(MAX_RUN_BYTES + piece.length)
    const { text, tools } = heard.progress()
    expect(text.length).toBe(65_536)
    expect(tools).toHaveLength(50)
    expect(tools.at(-1)).toBe('t499')
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })
})
