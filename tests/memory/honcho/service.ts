// A service whose memory engine is Honcho's stand-in, with its background work driven by the test.
import { now } from '../../../src/clock.ts'
import type { MemoryEngine } from '../../../src/memory/engine.ts'
import { type Honcho, openHoncho } from '../../../src/memory/honcho/api.ts'
import { forwardWork } from '../../../src/memory/honcho/forward.ts'
import { startRemovals } from '../../../src/memory/honcho/removals.ts'
import { startMindWork } from '../../../src/memory/jobs/worker.ts'
import { memoryEngineOf } from '../../../src/memory/open.ts'
import type { Service } from '../../../src/service.ts'
import type { DatabaseKind } from '../../support/databases.ts'
import { HONCHO_KEY, type HonchoStandIn, startHoncho } from '../../support/honcho.ts'
import type { HonchoBehaviour } from '../../support/honcho-faults.ts'
import { openTestService, type TestService } from '../../support/service.ts'

/** What is bounded by something else ends long before. */
export const PATIENT_MS = 20_000

/** How long to wait for a Honcho that does this: briefly where it says nothing, as long as need be else. */
export const patienceWith = (behaviour: HonchoBehaviour): number =>
  behaviour === 'silent' || behaviour === 'drips' ? 200 : PATIENT_MS

export interface HonchoPlace extends TestService {
  honcho: HonchoStandIn
  /** An engine that has called nobody yet. */
  engine(timeoutMs?: number): MemoryEngine
  /** Forwards what is due, also what waits for another attempt, as the service's own worker would. */
  forward(timeoutMs?: number): Promise<void>
  /** Deletes what is due at Honcho. */
  removeDue(timeoutMs?: number): Promise<void>
  /** Deletes what is due at Honcho, also what waits for another attempt or for calls to settle. */
  remove(timeoutMs?: number): Promise<void>
}

export async function openHonchoPlace(
  kind: DatabaseKind,
  overrides: Record<string, string> = {}
): Promise<HonchoPlace> {
  const honcho = await startHoncho()
  const test = await openTestService(kind, {
    MEMORY_ENGINE: 'honcho',
    HONCHO_URL: honcho.url,
    HONCHO_KEY,
    HONCHO_TIMEOUT_MS: String(PATIENT_MS),
    ...overrides
  })
  const { config, database, log } = test.service
  const removeDue = async (timeoutMs = PATIENT_MS) => {
    const worker = startRemovals({
      database,
      log,
      honcho: honchoOf(test.service, timeoutMs),
      lookMs: 60_000,
      stepMs: 0
    })
    await worker.drain()
    await worker.stop()
  }
  return {
    ...test,
    honcho,
    engine(timeoutMs = PATIENT_MS) {
      const { isEngine, server } = config.honcho
      const hurried = { isEngine, server: server && { ...server, timeoutMs } }
      return memoryEngineOf({ ...config, honcho: hurried }, database)
    },
    forward: (timeoutMs) => forwardAll(test.service, timeoutMs),
    removeDue,
    async remove(timeoutMs) {
      await database.transaction((tx) =>
        tx.updateTable('honchoRemoval').set({ dueAt: now(), settledAt: now() }).execute()
      )
      await removeDue(timeoutMs)
    },
    async close() {
      await test.close()
      await honcho.close()
    }
  }
}

/** Forwards what a service has due, also what waits for another attempt. */
export async function forwardAll(service: Service, timeoutMs = PATIENT_MS): Promise<void> {
  const { database, log } = service
  await database.transaction((tx) =>
    tx.updateTable('mindJob').set({ dueAt: now() }).where('dueAt', 'is not', null).execute()
  )
  const work = forwardWork(honchoOf(service, timeoutMs), database)
  const worker = startMindWork({ database, log, lookMs: 60_000 }, work)
  await worker.drain()
  await worker.stop()
}

function honchoOf({ config }: Service, timeoutMs: number): Honcho {
  const { server } = config.honcho
  if (!server) throw new Error('No Honcho is configured')
  return openHoncho({ ...server, timeoutMs })
}
