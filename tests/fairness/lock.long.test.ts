// Another process holds SQLite's write lock for half a minute: who reads must not notice, and who writes hears of it in time.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectUnnoticed, type Fixture, openFixture } from './fixture.ts'

const LOCKED_MS = 30_000
const BUSY_DEADLINE_MS = 10_000
/** What an answer may need beyond the deadline, on a machine that does other things as well. */
const MARGIN_MS = 1_000
const WRITERS = 60

describe('a lock that another process holds', () => {
  let fixture: Fixture<undefined>

  beforeAll(async () => {
    fixture = await openFixture({ env: { BUSY_DEADLINE_MS: String(BUSY_DEADLINE_MS) } })
  })
  afterAll(() => fixture.close())

  it('stops no read, and no write for longer than its deadline', async () => {
    const late: { status: number; code: unknown; retryAfter: string | null; ms: number }[] = []
    const shots = fixture.shots.filter(({ name }) => name === 'get' || name === 'recall')
    const ready = { name: 'ready', url: `${fixture.url}/readyz`, method: 'GET' as const, headers: {} }
    const figures = await fixture.measure(
      async (signal) => {
        const holder = fork(join(import.meta.dirname, 'lock-holder.mjs'), [
          join(fixture.place.dataDir, 'mindgate.db')
        ])
        await once(holder, 'message')
        await Promise.all(Array.from({ length: WRITERS }, (_, i) => write(i, late, signal)))
        holder.disconnect()
        await once(holder, 'exit')
      },
      { shots: [...shots, ready], attackMs: LOCKED_MS }
    )
    expectUnnoticed(figures)
    expect(late.length).toBeGreaterThanOrEqual(2 * WRITERS)
    for (const answer of late) {
      expect(answer).toMatchObject({ status: 503, code: 'database_busy', retryAfter: '1' })
      expect(answer.ms).toBeLessThan(BUSY_DEADLINE_MS + MARGIN_MS)
    }
    // Nothing is left waiting.
    await expect.poll(() => change(0).then(({ status }) => status)).toBe(200)
  })

  const change = (i: number) =>
    fetch(`${fixture.url}/api/v1/mcp/customers/${fixture.attacker.customerId}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${fixture.attacker.partner.key}`,
        'content-type': 'application/json'
      },
      body: JSON.stringify({ lastName: `Byron ${i}` })
    })

  /** Writes again and again until the lock is about to go; each writer has its own rhythm. */
  const write = async (
    i: number,
    late: { status: number; code: unknown; retryAfter: string | null; ms: number }[],
    signal: AbortSignal
  ) => {
    await sleep(i * 50)
    while (!signal.aborted) {
      const startedAt = performance.now()
      const answer = await change(i)
      const { code } = Object(await answer.json())
      const retryAfter = answer.headers.get('retry-after')
      late.push({ status: answer.status, code, retryAfter, ms: performance.now() - startedAt })
    }
  }
})
