// A fault under load, from a quiet moment before it until all is well again by itself; and its row of figures.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { waitingJobs } from '../../src/jobs/leases.ts'
import { expectBooksToBalance } from './books.ts'
import { type Acknowledged, type Attempt, attempt, type Kind, startLoad } from './calls.ts'
import type { Kit } from './kit.ts'

export interface Fault {
  name: string
  /** For how long it lasts. */
  lastsMs: number
  begin(): unknown
  /** Takes it away: that alone is done by hand. */
  end(): unknown
  /** Who must not notice, and is measured. */
  untouched?: readonly Kind[]
  /** Whether receivers doubt what is signed by it, as the standard has them doubt what is five minutes old. */
  isClockWrong?: boolean
}

/** Of each kind, before the fault and once it is over. */
const ENOUGH = 20
const WELL_WITHIN_MS = 120_000

/** What was acknowledged on each kit, since its database was empty. */
const acknowledgedOn = new WeakMap<Kit, Acknowledged[]>()

export async function comeThrough(
  kit: Kit,
  { name, lastsMs, begin, end, untouched = [], isClockWrong = false }: Fault
): Promise<void> {
  const load = startLoad(kit.fleet.url, kit)
  const kinds: Kind[] = ['onboard', 'remember', 'recall', 'ask']
  const successes = (kind: Kind, since: number) =>
    load.attempts.filter((one) => one.kind === kind && one.said === '200' && one.beganAt >= since)
  const enough = (since: number) =>
    vi.waitUntil(() => kinds.every((kind) => successes(kind, since).length >= ENOUGH), {
      timeout: WELL_WITHIN_MS
    })
  await enough(0)
  const beganAt = performance.now()
  await begin()
  await sleep(lastsMs)
  await end()
  const endedAt = performance.now()
  const readyMs = until(async () => expect(await kit.fleet.ready()).toBe(kit.fleet.size))
  await enough(endedAt)
  await load.finish()
  const emptyMs = until(async () => expect(await leftIn(kit)).toEqual([]))
  const waits = { ready: Math.round(await readyMs), queues: Math.round(await emptyMs) }
  const firstMs = Math.max(
    ...kinds.map((kind) => Math.min(...successes(kind, endedAt).map((one) => one.endedAt - endedAt)))
  )

  const before = load.attempts.filter((one) => one.endedAt < beganAt)
  const during = load.attempts.filter((one) => one.endedAt >= beganAt && one.beganAt <= endedAt)
  const p99Of = (attempts: readonly Attempt[], which: readonly Kind[]) =>
    p99(attempts.filter(({ kind, said }) => which.includes(kind) && said === '200'))
  const shown = untouched.length === 0 ? '–' : `${p99Of(during, untouched)} (${p99Of(before, untouched)})`
  const line = `| ${name} | ${countsOf(load.attempts)} | ${seconds(firstMs)} | ${seconds(waits.ready)} | ${shown} |`
  process.stdout.write(`${line}\n`)

  expect(load.attempts.flatMap(({ complaint }) => complaint ?? [])).toEqual([])
  expect(kit.fleet.faults()).toEqual([])
  if (!isClockWrong) expect(kit.receiver.complaints).toEqual([])
  for (const kind of untouched)
    expect(during.filter((one) => one.kind === kind && one.said !== '200')).toEqual([])
  const acknowledged = [...(acknowledgedOn.get(kit) ?? []), ...load.acknowledged]
  acknowledgedOn.set(kit, acknowledged)
  await expectRepeatable(kit, load.acknowledged)
}

/** Who repeats what was acknowledged is told the same again, and nothing is done. */
async function expectRepeatable(kit: Kit, acknowledged: readonly Acknowledged[]): Promise<void> {
  const last = acknowledged.filter(({ call }) => call.idempotencyKey !== undefined).slice(-3 * ENOUGH)
  for (const { call, output } of last) expect((await attempt(kit.fleet.url, call)).output).toEqual(output)
  await expectBooksToBalance(kit, acknowledgedOn.get(kit) ?? [])
}

/** How long it took from now until it doesn't throw any more. */
async function until(check: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await vi.waitFor(check, { timeout: WELL_WITHIN_MS, interval: 50 })
  return performance.now() - from
}

/** What waits, and what somebody still holds. */
async function leftIn({ service: { database } }: Kit): Promise<string[]> {
  const waiting = await waitingJobs(database.read)
  const held = database.read.selectFrom('creditReservation').where('status', '=', 'held').select('id')
  const claimed = database.read.selectFrom('idempotency').where('leaseOwner', 'is not', null).select('key')
  return [
    // Calls are read, and agents looked at, again and again.
    ...waiting.filter(({ queue, count }) => count > 0 && !/usageSync|instance/.test(queue)),
    ...(await held.execute()),
    ...(await claimed.execute())
  ].map((row) => JSON.stringify(row))
}

function p99(attempts: readonly Attempt[]): number {
  const took = attempts.map(({ beganAt, endedAt }) => endedAt - beganAt).sort((a, b) => a - b)
  return Math.round(took[Math.ceil(took.length * 0.99) - 1] ?? Number.NaN)
}

function countsOf(attempts: readonly Attempt[]): string {
  const counts = new Map<string, number>()
  for (const { said } of attempts) counts.set(said, (counts.get(said) ?? 0) + 1)
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([said, count]) => `${count} × ${said}`)
    .join(', ')
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
