import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { answerBatch } from '../../servers/mcp/request-body.ts'
import { request } from './messages.ts'

describe('a batch', () => {
  it('lets everybody else be heard between two of its messages', async () => {
    let rounds = 0
    let isOver = false
    const others = (async () => {
      for (; !isOver; rounds += 1) await setImmediate()
    })()
    const seen = new Set<number>()
    const messages = Array.from({ length: 10 }, () => request('ping'))
    await answerBatch(messages, async () => {
      seen.add(rounds)
      return { status: 200, body: '{}' }
    })
    isOver = true
    await others
    expect(seen.size).toBe(messages.length)
  })
})
