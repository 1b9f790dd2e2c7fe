// kill -9 amid asks: after the sweep nothing is left held, and nothing is settled without its answer.
import { expect, it, vi } from 'vitest'
import { fromNow } from '../../src/clock.ts'
import { importMemories } from '../../src/memory/import.ts'
import { expectCreditsToAddUp } from '../credits/invariants.ts'
import { startService } from '../support/cli.ts'
import { databases, makeTestPlace } from '../support/databases.ts'
import { type Ground, killAmid, prepareGround, type Round, type ToolCall } from './memory-bursts.ts'

const KILLS = 6
/** Many more than any kill waits for: some are always under way. */
const BURST = 90
/** So many that a search takes longer than the transactions around it: most kills meet one. */
const MEMORIES = 700
const DEEP_PRICE = 10

it.concurrent.each(databases)(
  'refunds what no answer came of, and keeps the answer of what was charged, on %s',
  async (kind) => {
    const place = await makeTestPlace(kind)
    const ground = await prepareGround(place)
    const { service, partner, customerId } = ground
    await importMemories(
      service,
      { owner: { partnerId: partner.partnerId, customerId }, mindId: undefined },
      Array.from({ length: MEMORIES }, (_, i) => ({
        content: `Ada: Locker ${i} holds the papers of the year ${1000 + i}.`,
        occurredAt: undefined
      })),
      () => undefined
    )
    const rounds: Round[] = []
    for (let round = 0; round < KILLS; round += 1) {
      // An ask is mostly search, and begins right after the answer to the one before.
      const moment = { killAfter: 1 + round * 4, delayMs: 4 + round * 3 }
      rounds.push(await killAmid(ground, questions(round), moment))
    }
    for (const { acknowledged, unanswered, refusals, exitCode } of rounds) {
      expect(refusals.filter((code) => code !== 'memory_unavailable')).toEqual([])
      expect(exitCode).toBeNull()
      expect(acknowledged.length).toBeGreaterThan(0)
      expect(unanswered.length).toBeGreaterThan(0)
    }
    expect(await countOf(ground, 'held')).toBeGreaterThan(0)

    await lapse(ground)
    const last = await startService(ground.env)
    await vi.waitFor(async () => expect(await countOf(ground, 'held')).toBe(0), { timeout: 30_000 })
    expect(await last.stop()).toBe(0)

    await expectCreditsToAddUp(service.database.read)
    const settled = await service.database.read
      .selectFrom('creditReservation')
      .where('status', '=', 'settled')
      .select('answer')
      .execute()
    const kept = settled.map(({ answer }) => answer)
    expect(kept).not.toContain(null)
    for (const { output } of rounds.flatMap(({ acknowledged }) => acknowledged)) {
      expect(kept).toContain(JSON.stringify(output))
    }
    const { balanceMicros } = await service.database.read
      .selectFrom('creditAccount')
      .where('id', '=', partner.partnerId)
      .select('balanceMicros')
      .executeTakeFirstOrThrow()
    expect(balanceMicros / 1_000_000).toBe(100_000 - DEEP_PRICE * settled.length)
    await service.close()
    await place.remove()
  },
  300_000
)

const questions = (round: number): ToolCall[] =>
  Array.from({ length: BURST }, (_, i) => ({
    tool: 'memory_ask',
    input: {
      question: `Of which year does locker ${(round * BURST + i) % MEMORIES} hold the papers?`,
      reasoningLevel: 'deep'
    }
  }))

async function countOf({ service }: Ground, status: 'held' | 'settled'): Promise<number> {
  const { count } = await service.database.read
    .selectFrom('creditReservation')
    .where('status', '=', status)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** As if so much time had passed: whoever held them is dead. */
const lapse = ({ service }: Ground) =>
  service.database.transaction((tx) =>
    tx
      .updateTable('creditReservation')
      .set({ expiresAt: fromNow(-1) })
      .where('status', '=', 'held')
      .execute()
  )
