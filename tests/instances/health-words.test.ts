import { expect, it } from 'vitest'
import { healthInWords } from '../../servers/agent-health.ts'

it.each([
  [null, null],
  [0, '1 min'],
  [20, '1 min'],
  [1_500, '25 min'],
  [3_599, '59 min'],
  [3_600, '1 h'],
  [172_800, '2 days']
])('a server that runs for %j seconds is up for %j', (uptimeSeconds, words) => {
  const unknown = {
    checkedAt: '',
    version: null,
    diskFreeBytes: null,
    diskTotalBytes: null,
    memoryFreeBytes: null
  }
  const health = { ...unknown, memoryTotalBytes: null, load: null, isGatewayRunning: null, uptimeSeconds }
  expect(healthInWords(health)['Up for']).toBe(words)
})
