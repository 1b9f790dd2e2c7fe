import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineOperation, READS } from '../../src/operation.ts'
import { startGateway } from './gateway-server.ts'
import { call } from './messages.ts'

it('a batch lets everybody else be heard between two of its messages', async () => {
  let rounds = 0
  let isOver = false
  const seen = new Set<number>()
  const look = defineOperation({
    name: 'look',
    title: 'Look',
    summary: 'Notes the round of the event loop.',
    scope: 'customers:read',
    channels: ['mcp'],
    input: z.strictObject({}),
    output: z.object({}),
    annotations: READS,
    async handle() {
      seen.add(rounds)
      return {}
    }
  })
  const gateway = await startGateway('sqlite', { operations: [look] })
  const others = (async () => {
    for (; !isOver; rounds += 1) await setImmediate()
  })()
  const messages = Array.from({ length: 10 }, () => call('look'))
  await gateway.post(messages)
  isOver = true
  await others
  await gateway.close()
  expect(seen.size).toBe(messages.length)
})
