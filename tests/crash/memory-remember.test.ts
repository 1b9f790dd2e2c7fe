// kill -9 amid 200 remembers at once, ten times: what was acknowledged is there, found, and charged exactly once.
import { expect, it } from 'vitest'
import { searchMind } from '../../src/memory/embedded/search.ts'
import { expectCreditsToAddUp } from '../credits/invariants.ts'
import { startService } from '../support/cli.ts'
import { databases, makeTestPlace } from '../support/databases.ts'
import { stringAt, unique } from '../support/world.ts'
import { callTool, type Ground, killAmid, prepareGround, type Round, type ToolCall } from './memory-bursts.ts'

const KILLS = 10
const BURST = 200
/** Sent again at once, after the last kill. */
const AT_ONCE = 25

interface Memory extends ToolCall {
  /** Stands in no other memory. */
  word: string
}

it.concurrent.each(databases)(
  'keeps, finds and charges every acknowledged memory once through ten kills on %s',
  async (kind) => {
    const place = await makeTestPlace(kind)
    const ground = await prepareGround(place)
    const rounds: Round[] = []
    const all: Memory[] = []
    for (let round = 0; round < KILLS; round += 1) {
      const burst = Array.from({ length: BURST }, (_, i) => memoryOf(round * BURST + i))
      all.push(...burst)
      // A little later in each round, so that the kill meets different points.
      rounds.push(await killAmid(ground, burst, { killAfter: 1 + round * 15 }))
    }
    for (const { acknowledged, unanswered, refusals, exitCode } of rounds) {
      expect(refusals.filter((code) => code !== 'memory_unavailable')).toEqual([])
      expect(exitCode).toBeNull()
      expect(acknowledged.length).toBeGreaterThan(0)
      expect(unanswered.length).toBeGreaterThan(0)
    }
    await expectAllThere(ground, rounds, all)
    await expectChargedOnce(ground)

    await sendAgain(ground, rounds)
    const stored = await storedMemories(ground)
    expect(stored.map(({ content }) => content).toSorted()).toEqual(
      all.map(({ input }) => String(input.content)).toSorted()
    )
    await expectChargedOnce(ground)
    await ground.service.close()
    await place.remove()
  },
  300_000
)

function memoryOf(number: number): Memory {
  const word = unique('zq')
  return { tool: 'memory_remember', input: { content: `Ada: Number ${number} is called ${word}.` }, word }
}

const storedMemories = ({ service, customerId }: Ground) =>
  service.database.read
    .selectFrom('memory')
    .innerJoin('mind', 'mind.key', 'memory.mindKey')
    .where('customerId', '=', customerId)
    .select(['memory.id', 'content', 'mindKey', 'seq', 'memoryCount', 'nextSeq'])
    .orderBy('seq')
    .execute()

async function expectAllThere(ground: Ground, rounds: readonly Round[], all: readonly Memory[]) {
  const stored = await storedMemories(ground)
  const byId = new Map(stored.map((memory) => [memory.id, memory]))
  const wordOf = new Map(all.map(({ word, input }) => [input.content, word]))
  for (const { call, output } of rounds.flatMap(({ acknowledged }) => acknowledged)) {
    const memoryId = stringAt(output, 'memoryId')
    const memory = byId.get(memoryId)
    expect(memory?.content).toBe(call.input.content)
    const word = wordOf.get(call.input.content) ?? ''
    const { hits } = await searchMind(ground.service.database.read, memory?.mindKey ?? 0, word, { limit: 3 })
    expect(hits.map((hit) => hit.memoryId)).toContain(memoryId)
  }
  // One primary Mind, whose counter counted each memory once.
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, i) => i + 1))
  for (const { memoryCount, nextSeq } of stored) {
    expect([memoryCount, nextSeq]).toEqual([stored.length, stored.length + 1])
  }
}

/** As many charges as memories, each for one of them. */
async function expectChargedOnce(ground: Ground) {
  await expectCreditsToAddUp(ground.service.database.read)
  const charges = await ground.service.database.read
    .selectFrom('creditEntry')
    .where('kind', '=', 'charge')
    .select(['reference', 'amountMicros'])
    .execute()
  const stored = await storedMemories(ground)
  expect(charges.map(({ reference }) => reference).toSorted()).toEqual(stored.map(({ id }) => id).toSorted())
  expect(new Set(charges.map(({ amountMicros }) => amountMicros))).toEqual(new Set([-1_000_000]))
}

/** What was never answered is sent once more; some of it had been stored all the same. */
async function sendAgain(ground: Ground, rounds: readonly Round[]) {
  const service = await startService(ground.env)
  const unanswered = rounds.flatMap((round) => round.unanswered)
  for (let start = 0; start < unanswered.length; start += AT_ONCE) {
    const some = unanswered.slice(start, start + AT_ONCE)
    const answers = await Promise.all(
      some.map((call) => callTool(service.url, ground.partner.key, ground.customerId, call))
    )
    for (const answer of answers) expect(JSON.stringify(answer)).toContain('structuredContent')
  }
  expect(await service.stop()).toBe(0)
}
