// External work holds its Idempotency-Key by a lease: who may take over, when, and what becomes of who comes back late.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { fromNow } from '../../src/clock.ts'
import type { WriteHandle } from '../../src/database/database.ts'
import type { AnyOperation } from '../../src/operation.ts'
import { databases } from '../support/databases.ts'
import { unique } from '../support/fixture.ts'
import { type OutsideCalls, openOutsideCalls } from './outside-calls.ts'
import { DEADLINE_MS, outsideWork } from './outside-work.ts'

describe.each(databases)('external work and its lease on %s', (kind) => {
  let calls: OutsideCalls
  beforeAll(async () => {
    calls = await openOutsideCalls(kind)
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  afterAll(() => calls.close())

  const moveClockTo = (time: number) => vi.useFakeTimers({ toFake: ['Date'], now: time })

  it('refuses another request in every state: running, left behind, answered', async () => {
    const [key, counter] = [unique('key'), unique('counter')]
    const other = () => calls.run(outsideWork(), key, { counter: 'another' })
    await calls.abandonOutside(key, { counter })
    const leaseEndsAt = await calls.leaseEndOf(key)
    await expect(other()).rejects.toMatchObject({ code: 'idempotency_conflict' })
    moveClockTo(leaseEndsAt + 1)
    await expect(other()).rejects.toMatchObject({ code: 'idempotency_conflict' })
    await calls.run(outsideWork(), key, { counter })
    await expect(other()).rejects.toMatchObject({ code: 'idempotency_conflict' })
    expect(await calls.counts('another')).toEqual({ begun: 0, settled: 0 })
  })

  it('of a process that died is taken over when its lease ends, and not before', async () => {
    const [key, counter] = [unique('key'), unique('counter')]
    await calls.abandonOutside(key, { counter })
    const leaseEndsAt = await calls.leaseEndOf(key)
    expect(leaseEndsAt).toBeGreaterThan(Date.now() + DEADLINE_MS)
    moveClockTo(leaseEndsAt - 1_000)
    await expect(calls.run(outsideWork(), key, { counter })).rejects.toMatchObject({
      code: 'idempotency_in_progress',
      retryAfterSeconds: 1
    })
    moveClockTo(leaseEndsAt + 1)
    expect(await calls.run(outsideWork(), key, { counter })).toEqual({
      output: { counter, run: 2 },
      isReplay: false
    })
    expect(await calls.counts(counter)).toEqual({ begun: 2, settled: 1 })
  })

  it('of a process that died is taken over by one of twenty', async () => {
    const [key, counter] = [unique('key'), unique('counter')]
    await calls.abandonOutside(key, { counter })
    const leaseEndsAt = await calls.leaseEndOf(key)
    moveClockTo(leaseEndsAt + 1)
    await Promise.allSettled(Array.from({ length: 20 }, () => calls.run(outsideWork(), key, { counter })))
    expect(await calls.counts(counter)).toEqual({ begun: 2, settled: 1 })
  })

  it('that comes back after another call took its key settles nothing and gives that call’s answer', async () => {
    const [key, counter] = [unique('key'), unique('counter')]
    const late = await calls.beginOutside(key, { counter })
    moveClockTo((await calls.leaseEndOf(key)) + 1)
    const { output } = await calls.run(outsideWork(), key, { counter })
    late.letOn()
    expect(await late.answer).toEqual({ output, isReplay: true })
    expect(await calls.counts(counter)).toEqual({ begun: 2, settled: 1 })
  })

  it('that comes back while another call has its key leaves the key to it', async () => {
    const [key, counter] = [unique('key'), unique('counter')]
    const late = await calls.beginOutside(key, { counter })
    moveClockTo((await calls.leaseEndOf(key)) + 1)
    const next = await calls.beginOutside(key, { counter })
    late.letOn()
    await expect(late.answer).rejects.toMatchObject({ code: 'idempotency_in_progress' })
    next.letOn()
    expect(await next.answer).toEqual({ output: { counter, run: 2 }, isReplay: false })
    expect(await calls.counts(counter)).toEqual({ begun: 2, settled: 1 })
  })

  describe('whose key is gone when it takes its next step', () => {
    /** Runs the work; its claim becomes another's, or nobody's, just before its first step. */
    const runWithout = (key: string, counter: string, change: (tx: WriteHandle) => Promise<unknown>) => {
      const operation = outsideWork()
      const robbed: AnyOperation = {
        ...operation,
        deadlineMs: DEADLINE_MS,
        handle: async (ctx, caller, input) => {
          await calls.service.database.transaction(change)
          return operation.handle(ctx, caller, input)
        }
      }
      return calls.run(robbed, key, { counter })
    }

    it('does nothing more and leaves the key to who took it', async () => {
      const [key, counter] = [unique('key'), unique('counter')]
      const taken = { leaseOwner: 'run_other', leaseExpiresAt: fromNow(60_000) }
      const robbery = runWithout(key, counter, (tx) =>
        tx.updateTable('idempotency').set(taken).where('key', '=', key).execute()
      )
      await expect(robbery).rejects.toMatchObject({ code: 'idempotency_in_progress' })
      expect(await calls.counts(counter)).toEqual({ begun: 0, settled: 0 })
      expect(await calls.claimOf(key)).toMatchObject(taken)
    })

    it('does nothing more and is told to ask again when who took it gave it up', async () => {
      const [key, counter] = [unique('key'), unique('counter')]
      const robbery = runWithout(key, counter, (tx) =>
        tx.deleteFrom('idempotency').where('key', '=', key).execute()
      )
      await expect(robbery).rejects.toMatchObject({ code: 'idempotency_in_progress', retryAfterSeconds: 1 })
      expect(await calls.counts(counter)).toEqual({ begun: 0, settled: 0 })
    })
  })
})
