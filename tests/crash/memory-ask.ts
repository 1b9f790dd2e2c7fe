// kill -9 amid asks: after the sweep nothing is left held, and nothing is settled without its answer.
import { expect, vi } from 'vitest'
import { z } from 'zod'
import { startServer } from '../../servers/main.ts'
import { fromNow } from '../../src/clock.ts'
import { loadConfig } from '../../src/config.ts'
import type { WriteHandle } from '../../src/database/database.ts'
import { createLog } from '../../src/log.ts'
import { importMemories } from '../../src/memory/import.ts'
import { expectCreditsToAddUp } from '../credits/invariants.ts'
import type { RunningService } from '../support/cli.ts'
import { type DatabaseKind, makeTestPlace } from '../support/databases.ts'
import {
  callTool,
  expectKilledAmid,
  type Fixture,
  killAmid,
  prepareFixture,
  type Round,
  type ToolCall
} from './memory-bursts.ts'

const BURST = 12
/** As many as are answered before a kill, at most. */
const MOST_ANSWERS = 6
const MEMORIES = 100

/** What no answer came of is refunded, and the answer of what was charged is kept. */
export async function expectAnswersOrRefunds(kind: DatabaseKind, kills: number) {
  const place = await makeTestPlace(kind)
  const fixture = await prepareFixture(place)
  const { service, partner, customerId } = fixture
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
  for (let round = 0; round < kills; round += 1) {
    const questions = Array.from({ length: BURST }, (_, i) => questionOf(round * BURST + i))
    rounds.push(await killAmid(fixture, questions, 1 + (round % MOST_ANSWERS), killWhileHeld(fixture)))
  }
  expectKilledAmid(rounds)
  expect(await countOf(fixture, 'held')).toBeGreaterThan(0)

  await service.database.transaction(lapse)
  const last = await startServer(loadConfig(fixture.env), createLog('silent'))
  await vi.waitFor(async () => expect(await countOf(fixture, 'held')).toBe(0), { timeout: 30_000 })
  await last.stop()

  await expectCreditsToAddUp(service.database.read)
  const settled = await service.database.read
    .selectFrom('creditReservation')
    .where('status', '=', 'settled')
    .select('answer')
    .execute()
  const kept = settled.map(({ answer }) => answer)
  expect(kept).not.toContain(null)
  for (const { output } of rounds.flatMap(({ acknowledged }) => acknowledged)) {
    expect(kept.map((answer) => JSON.parse(answer ?? ''))).toContainEqual(output)
  }
  const { balanceMicros } = await service.database.read
    .selectFrom('creditAccount')
    .where('id', '=', partner.partnerId)
    .select('balanceMicros')
    .executeTakeFirstOrThrow()
  // Each at the price of the level that it rests on, which is in the answer.
  const charged = kept.map(
    (answer) => z.object({ credits: z.number() }).parse(JSON.parse(answer ?? '')).credits
  )
  expect(Math.min(...charged)).toBeGreaterThan(0)
  expect(balanceMicros / 1_000_000).toBe(100_000 - charged.reduce((sum, credits) => sum + credits, 0))
  await service.close()
  await place.remove()
}

const questionOf = (number: number): ToolCall => ({
  tool: 'memory_ask',
  input: {
    question: `Of which year does locker ${number % MEMORIES} hold the papers?`,
    reasoningLevel: 'deep'
  }
})

/** Kills the service while the price of a question is held; the service is asked on until it is. */
const killWhileHeld =
  (fixture: Fixture) =>
  async ({ url, stop }: RunningService): Promise<number | null> => {
    for (let number = 0; ; number += 1) {
      const killed = await fixture.service.database.transaction(async (tx) => {
        const held = await lapse(tx)
        // While this is not committed they can't be settled.
        return held.length > 0 ? { exitCode: await stop('SIGKILL') } : undefined
      })
      if (killed) return killed.exitCode
      // Answered by nothing but the kill.
      callTool(url, fixture.partner.key, fixture.customerId, questionOf(number)).catch(() => undefined)
    }
  }

async function countOf({ service }: Fixture, status: 'held' | 'settled'): Promise<number> {
  const { count } = await service.database.read
    .selectFrom('creditReservation')
    .where('status', '=', status)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** As if so much time had passed: whoever held them is dead. */
const lapse = (tx: WriteHandle) =>
  tx
    .updateTable('creditReservation')
    .set({ expiresAt: fromNow(-1) })
    .where('status', '=', 'held')
    .returning('id')
    .execute()
