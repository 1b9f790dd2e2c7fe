// kill -9 amid many remembers at once: what was acknowledged is there, found, and charged exactly once.
import { expect } from 'vitest'
import { startServer } from '../../servers/main.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { searchMind } from '../../src/memory/embedded/search.ts'
import { expectCreditsToAddUp } from '../credits/invariants.ts'
import { type DatabaseKind, makeTestPlace } from '../support/databases.ts'
import { stringAt, unique } from '../support/world.ts'
import {
  callTool,
  expectKilledAmid,
  type Ground,
  killAmid,
  prepareGround,
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
  const ground = await prepareGround(place)
  const rounds: Round[] = []
  const all: Memory[] = []
  for (let round = 0; round < kills; round += 1) {
    const memories = Array.from({ length: burst }, (_, i) => memoryOf(round * burst + i))
    all.push(...memories)
    // A little later in each round, so that the kill meets different points.
    rounds.push(await killAmid(ground, memories, 1 + round * 15))
  }
  expectKilledAmid(rounds)
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
}

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
  const service = await startServer(loadConfig(ground.env), createLog('silent'))
  const unanswered = rounds.flatMap((round) => round.unanswered)
  for (let start = 0; start < unanswered.length; start += AT_ONCE) {
    const some = unanswered.slice(start, start + AT_ONCE)
    const answers = await Promise.all(
      some.map((call) => callTool(service.url, ground.partner.key, ground.customerId, call))
    )
    for (const answer of answers) expect(JSON.stringify(answer)).toContain('structuredContent')
  }
  await service.stop()
}
