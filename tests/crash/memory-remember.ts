// kill -9 amid many remembers at once: what was acknowledged is there, found, and charged exactly once.
import { expect } from 'vitest'
import { startServer } from '../../servers/main.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { searchMind } from '../../src/memory/embedded/search.ts'
import { expectCreditsToAddUp } from '../credits/invariants.ts'
import { type DatabaseKind, makeTestPlace } from '../support/databases.ts'
import { stringAt, unique } from '../support/fixture.ts'
import {
  callTool,
  expectKilledAmid,
  type Fixture,
  killAmid,
  prepareFixture,
  type Round,
  type ToolCall
} from './memory-bursts.ts'

/** Sent again at once, after the last kill. */
const AT_ONCE = 25

interface Memory extends ToolCall {
  /** Stands in no other memory. */
  word: string
}

/** Every acknowledged memory is kept, found and charged once. */
export async function expectRemembered(
  kind: DatabaseKind,
  { kills, burst }: { kills: number; burst: number }
) {
  const place = await makeTestPlace(kind)
  const fixture = await prepareFixture(place)
  const rounds: Round[] = []
  const all: Memory[] = []
  for (let round = 0; round < kills; round += 1) {
    const memories = Array.from({ length: burst }, (_, i) => memoryOf(round * burst + i))
    all.push(...memories)
    // A little later in each round, so that the kill meets different points.
    rounds.push(await killAmid(fixture, memories, 1 + round * 15))
  }
  expectKilledAmid(rounds)
  await expectAllThere(fixture, rounds, all)
  await expectChargedOnce(fixture)

  await sendAgain(fixture, rounds)
  const stored = await storedMemories(fixture)
  expect(stored.map(({ content }) => content).toSorted()).toEqual(
    all.map(({ input }) => String(input.content)).toSorted()
  )
  await expectChargedOnce(fixture)
  await fixture.service.close()
  await place.remove()
}

function memoryOf(number: number): Memory {
  const word = unique('zq')
  return { tool: 'memory_remember', input: { content: `Ada: Number ${number} is called ${word}.` }, word }
}

const storedMemories = ({ service, customerId }: Fixture) =>
  service.database.read
    .selectFrom('memory')
    .innerJoin('mind', 'mind.key', 'memory.mindKey')
    .where('customerId', '=', customerId)
    .select(['memory.id', 'content', 'mindKey', 'seq', 'memoryCount', 'nextSeq'])
    .orderBy('seq')
    .execute()

async function expectAllThere(fixture: Fixture, rounds: readonly Round[], all: readonly Memory[]) {
  const stored = await storedMemories(fixture)
  const byId = new Map(stored.map((memory) => [memory.id, memory]))
  const wordOf = new Map(all.map(({ word, input }) => [input.content, word]))
  for (const { call, output } of rounds.flatMap(({ acknowledged }) => acknowledged)) {
    const memoryId = stringAt(output, 'memoryId')
    const memory = byId.get(memoryId)
    expect(memory?.content).toBe(call.input.content)
    const word = wordOf.get(call.input.content) ?? ''
    const { hits } = await searchMind(fixture.service.database.read, memory?.mindKey ?? 0, word, { limit: 3 })
    expect(hits.map((hit) => hit.memoryId)).toContain(memoryId)
  }
  // One primary Mind, whose counter counted each memory once.
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, i) => i + 1))
  for (const { memoryCount, nextSeq } of stored) {
    expect([memoryCount, nextSeq]).toEqual([stored.length, stored.length + 1])
  }
}

/** As many charges as memories, each for one of them. */
async function expectChargedOnce(fixture: Fixture) {
  await expectCreditsToAddUp(fixture.service.database.read)
  const charges = await fixture.service.database.read
    .selectFrom('creditEntry')
    .where('kind', '=', 'charge')
    .select(['reference', 'amountMicros'])
    .execute()
  const stored = await storedMemories(fixture)
  expect(charges.map(({ reference }) => reference).toSorted()).toEqual(stored.map(({ id }) => id).toSorted())
  expect(new Set(charges.map(({ amountMicros }) => amountMicros))).toEqual(new Set([-1_000_000]))
}

/** What was never answered is sent once more; some of it had been stored all the same. */
async function sendAgain(fixture: Fixture, rounds: readonly Round[]) {
  const service = await startServer(loadConfig(fixture.env), createLog('silent'))
  const unanswered = rounds.flatMap((round) => round.unanswered)
  for (let start = 0; start < unanswered.length; start += AT_ONCE) {
    const some = unanswered.slice(start, start + AT_ONCE)
    const answers = await Promise.all(
      some.map((call) => callTool(service.url, fixture.partner.key, fixture.customerId, call))
    )
    for (const answer of answers) expect(JSON.stringify(answer)).toContain('structuredContent')
  }
  await service.stop()
}
