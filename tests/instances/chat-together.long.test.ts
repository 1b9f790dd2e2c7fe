// How much stands between two runs of the agent; a measurement, which a busy machine could spoil.
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ChatFixture, PATIENT, startChatFixture } from './chat-fixture.ts'
import { type Run, runsOf } from './chat-runs.ts'

let fixture: ChatFixture
beforeAll(async () => {
  fixture = await startChatFixture('sqlite')
})
afterAll(() => fixture.close())

it('ten chats at once on one instance have little between two runs', PATIENT, async () => {
  const messages = Array.from({ length: 10 }, (_, number) => `message ${number}`)
  // Half a second for three: what stands between two runs doesn't depend on how long they are.
  const runs = await runsOf(await fixture.sandbox(), messages, 0.5)
  // Ten of 3 s within 35 s leave half a second for each; more, where this machine is slow to start anything at all.
  expect(gapsBetween(runs)[2]).toBeLessThan(Math.max(500, 25 * timeOfPrograms(20)))
})

/** How long this machine takes to start so many small programs, one after the other, in milliseconds. */
function timeOfPrograms(count: number): number {
  const startedAt = performance.now()
  execFileSync('sh', ['-c', `for i in $(seq ${count}); do /bin/true; done`])
  return performance.now() - startedAt
}

/** From the end of each run to the beginning of the next, the shortest one first. */
const gapsBetween = (runs: readonly Run[]): number[] =>
  runs
    .flatMap(({ event, atMs }, index) => {
      const next = runs[index + 1]
      return event === 'end' && next ? [next.atMs - atMs] : []
    })
    .toSorted((a, b) => a - b)
