// Work that goes beyond the database, under an Idempotency-Key.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { unique } from '../support/fixture.ts'
import { callTool, openChannels, postRest } from './channels.ts'
import { makeGate } from './gate.ts'
import { type OutsideCalls, openOutsideCalls } from './outside-calls.ts'
import { OUTSIDE_PATH, outsideWork } from './outside-work.ts'

describe.each(databases)('external work under an Idempotency-Key on %s', (kind) => {
  let calls: OutsideCalls
  beforeAll(async () => {
    calls = await openOutsideCalls(kind)
  })
  afterAll(() => calls.close())

  it.each([true, false])('is done once and answers a repetition (settling itself: %s)', async (settles) => {
    const [key, counter] = [unique('key'), unique('counter')]
    const operation = outsideWork()
    expect(await calls.run(operation, key, { counter, settles })).toEqual({
      output: { counter, run: 1 },
      isReplay: false
    })
    expect(await calls.run(operation, key, { counter, settles })).toEqual({
      output: { counter, run: 1 },
      isReplay: true
    })
    expect(await calls.counts(counter)).toEqual({ begun: 1, settled: settles ? 1 : 0 })
  })

  it('is done each time where there is no key', async () => {
    const counter = unique('counter')
    const operation = outsideWork()
    await calls.run(operation, undefined, { counter })
    expect(await calls.run(operation, undefined, { counter })).toEqual({
      output: { counter, run: 2 },
      isReplay: false
    })
  })

  it('holds no transaction while it is outside', async () => {
    const key = unique('key')
    const { answer, letOn } = await calls.beginOutside(key, { counter: unique('counter') })
    await calls.service.database.transaction((tx) =>
      tx
        .insertInto('setting')
        .values({ name: unique('beside'), value: 'written' })
        .execute()
    )
    expect(await calls.claimOf(key)).toMatchObject({ answer: 'null', leaseOwner: expect.any(String) })
    letOn()
    await answer
    expect(await calls.claimOf(key)).toMatchObject({ leaseOwner: null, leaseExpiresAt: null })
  })

  it('refuses an equal request while it runs, and answers it afterwards', async () => {
    const [key, counter] = [unique('key'), unique('counter')]
    const { answer, letOn } = await calls.beginOutside(key, { counter })
    await expect(calls.run(outsideWork(), key, { counter })).rejects.toMatchObject({
      code: 'idempotency_in_progress',
      field: 'Idempotency-Key',
      retryAfterSeconds: 5
    })
    letOn()
    const { output } = await answer
    expect(await calls.run(outsideWork(), key, { counter })).toEqual({ output, isReplay: true })
    expect(await calls.counts(counter)).toEqual({ begun: 1, settled: 1 })
  })

  it('lets one of twenty at once begin; the others wait for its answer or are told to ask again', async () => {
    const [key, counter] = [unique('key'), unique('counter')]
    const operation = outsideWork()
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => calls.run(operation, key, { counter }))
    )
    const kept = await calls.run(operation, key, { counter })
    for (const result of results) {
      if (result.status === 'fulfilled') expect(result.value.output).toEqual(kept.output)
      else expect(result.reason).toMatchObject({ code: 'idempotency_in_progress' })
    }
    expect(results.map(({ status }) => status)).toContain('fulfilled')
    expect(await calls.counts(counter)).toEqual({ begun: 1, settled: 1 })
  })

  it('frees the key when it fails', async () => {
    const [key, counter] = [unique('key'), unique('counter')]
    const failing = outsideWork({ outside: () => Promise.reject(new Error('the line is down')) })
    await expect(calls.run(failing, key, { counter })).rejects.toThrow('the line is down')
    expect(await calls.claimOf(key)).toBeUndefined()
    expect(await calls.run(outsideWork(), key, { counter })).toEqual({
      output: { counter, run: 2 },
      isReplay: false
    })
  })

  it('keeps what was settled when it fails afterwards', async () => {
    const [key, counter] = [unique('key'), unique('counter')]
    const failing = outsideWork({ afterwards: () => Promise.reject(new Error('too late')) })
    await expect(calls.run(failing, key, { counter })).rejects.toThrow('too late')
    expect(await calls.run(outsideWork(), key, { counter })).toEqual({
      output: { counter, run: 1 },
      isReplay: true
    })
  })

  it('is told to stop at its deadline, and then frees the key', async () => {
    const [key, counter] = [unique('key'), unique('counter')]
    const operation = outsideWork({
      deadlineMs: 50,
      outside: (signal) =>
        new Promise((_, reject) => {
          const stop = () => reject(signal.reason)
          // On a busy machine it is over before this began.
          if (signal.aborted) stop()
          signal.addEventListener('abort', stop, { once: true })
        })
    })
    await expect(calls.run(operation, key, { counter })).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(await calls.claimOf(key)).toBeUndefined()
  })

  it('heeds the key on an operation that is no POST route', async () => {
    const [key, counter] = [unique('key'), unique('counter')]
    const { http: _, ...tool } = outsideWork()
    await calls.run(tool, key, { counter })
    expect(await calls.run(tool, key, { counter })).toMatchObject({ isReplay: true })
  })

  describe('at the channels', () => {
    it('is 409 with Retry-After while it runs, over REST and over MCP, and then the same answer', async () => {
      const reached = makeGate()
      const hold = makeGate()
      const operation = outsideWork({
        async outside() {
          reached.open()
          await hold.opened
        }
      })
      const channels = await openChannels(calls.service, [operation])
      const request = {
        url: channels.url,
        apiKey: calls.partner.key,
        idempotencyKey: unique('key'),
        body: { counter: unique('counter') }
      }
      const rest = () => postRest(OUTSIDE_PATH, request)
      const mcp = () => callTool('test_outside', request)
      const first = rest()
      await reached.opened
      for (const refused of [await rest(), await mcp()]) {
        expect(refused).toMatchObject({ status: 409, code: 'idempotency_in_progress', retryAfter: '5' })
      }
      hold.open()
      const { output } = await first
      expect(await rest()).toMatchObject({ status: 200, isReplay: true, output })
      expect(await mcp()).toMatchObject({ status: 200, isReplay: true, output })
      expect(await calls.counts(request.body.counter)).toEqual({ begun: 1, settled: 1 })
      await channels.close()
    })
  })
})
