// Real processes that start at once behind PgBouncer, over and over, on databases that are empty and on whole ones.
import { afterEach, expect, it } from 'vitest'
import { environmentAt, mindgateProcess, startService } from '../support/cli.ts'
import { makeEmptyPlace, type TestPlace } from '../support/databases.ts'
import { type PgBouncer, type PoolMode, startPgBouncer } from '../support/pgbouncer.ts'
import { advisoryLocks } from './advisory-locks.ts'

const PROCESSES = 10
const ROUNDS = 20
/** Ends a hang: 200 processes take minutes beside other load. */
const PATIENCE_MS = 1_800_000

let pooler: PgBouncer | undefined
let place: TestPlace | undefined
afterEach(async () => {
  await place?.remove()
  await pooler?.stop()
  place = undefined
})

/** Runs `round` in turn on a database that is empty, and on what the round before made of it. */
async function inRounds(
  mode: PoolMode,
  round: (env: Record<string, string>) => Promise<void>
): Promise<void> {
  pooler = await startPgBouncer(mode)
  for (let at = 0; at < ROUNDS; at += 1) {
    if (at % 2 === 0) {
      await place?.remove()
      place = await makeEmptyPlace('postgres')
    }
    if (!place) throw new Error('No database')
    const SECRET_KEY = 'one-key-of-all-processes-of-this-test'
    await round(environmentAt(pooler.behind(place), { SECRET_KEY, LOG_LEVEL: 'warn' }))
    expect(await advisoryLocks(place)).toEqual([])
  }
}

const many = <T>(start: () => Promise<T>) => Promise.all(Array.from({ length: PROCESSES }, start))

it.each(['session', 'transaction'] as const)(
  'all start at once in %s mode, each time, and leave no lock',
  (mode) =>
    inRounds(mode, async (env) => {
      const services = await many(() => startService(env))
      expect(await advisoryLocks(place)).toEqual([])
      expect(await Promise.all(services.map((service) => service.stop()))).toEqual(Array(PROCESSES).fill(0))
    }),
  PATIENCE_MS
)

it(
  'each say at once what to set in statement mode, and leave no lock',
  () =>
    inRounds('statement', async (env) => {
      const refused = { code: 1, stdout: '', stderr: expect.stringContaining('Set pool_mode = transaction') }
      expect(await many(() => mindgateProcess(env, ['serve']))).toEqual(Array(PROCESSES).fill(refused))
    }),
  PATIENCE_MS
)
