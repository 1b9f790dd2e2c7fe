import { describe, expect, it } from 'vitest'
import { outage, ownFault } from '../../src/llm/fault.ts'
import { gatewayBreaker } from '../../src/llm/open.ts'
import { startLlm } from '../support/ai/llm.ts'
import { modelsAt, NAUTILUS, question } from './models.ts'

const SECOND = 1_000

function openBreaker() {
  let at = 0
  let calls = 0
  const breaker = gatewayBreaker(undefined, () => at)
  const run = (work: () => Promise<unknown>) =>
    breaker.run(() => {
      calls += 1
      return work()
    })
  return {
    run,
    fail: (fault = outage('failed')) => run(() => Promise.reject(fault)).catch(({ message }) => message),
    succeed: () => run(() => Promise.resolve('well')).catch(({ message }) => message),
    pass: (ms: number) => {
      at += ms
    },
    calls: () => calls
  }
}

async function failThrice({ fail }: { fail: () => Promise<unknown> }) {
  for (let i = 0; i < 3; i += 1) await fail()
}

describe('the breaker', () => {
  it('lets nothing through for 15 s after three failures in a row', async () => {
    const breaker = openBreaker()
    await failThrice(breaker)
    expect(await breaker.succeed()).toBe('circuit_open')
    breaker.pass(15 * SECOND - 1)
    expect(await breaker.succeed()).toBe('circuit_open')
    expect(breaker.calls()).toBe(3)
    breaker.pass(1)
    expect(await breaker.succeed()).toBe('well')
  })

  it('counts only failures in a row', async () => {
    const breaker = openBreaker()
    for (let i = 0; i < 5; i += 1) {
      await breaker.fail()
      await breaker.fail()
      await breaker.succeed()
    }
    expect(await breaker.succeed()).toBe('well')
  })

  it('doubles its pause up to five minutes, and begins anew after a success', async () => {
    const breaker = openBreaker()
    await failThrice(breaker)
    for (const pause of [15, 30, 60, 120, 240, 300, 300]) {
      breaker.pass(pause * SECOND - 1)
      expect(await breaker.fail()).toBe('circuit_open')
      breaker.pass(1)
      expect(await breaker.fail()).toBe('failed')
    }
    breaker.pass(300 * SECOND)
    expect(await breaker.succeed()).toBe('well')
    await failThrice(breaker)
    breaker.pass(15 * SECOND)
    expect(await breaker.succeed()).toBe('well')
  })

  it('pauses as long as the gateway asks for, and says how long', async () => {
    const breaker = openBreaker()
    for (let i = 0; i < 3; i += 1) await breaker.fail(outage('limited', 40))
    breaker.pass(15 * SECOND)
    await expect(breaker.run(() => Promise.resolve())).rejects.toMatchObject({ retryAfterSeconds: 25 })
    breaker.pass(25 * SECOND)
    expect(await breaker.succeed()).toBe('well')
  })

  it('lets one call try for all', async () => {
    const breaker = openBreaker()
    await failThrice(breaker)
    breaker.pass(15 * SECOND)
    let answer = (_: string) => {}
    const trial = breaker.run(
      () =>
        new Promise((resolve) => {
          answer = resolve
        })
    )
    expect(await breaker.succeed()).toBe('circuit_open')
    answer('at last')
    expect(await trial).toBe('at last')
    expect(await breaker.succeed()).toBe('well')
  })

  it('isn’t opened by what is wrong with single requests, nor by callers who leave', async () => {
    const breaker = openBreaker()
    for (let i = 0; i < 5; i += 1) await breaker.fail(ownFault('refused'))
    expect(await breaker.succeed()).toBe('well')
    for (let i = 0; i < 5; i += 1) await breaker.run(() => Promise.reject(new Error('gone'))).catch(() => {})
    expect(await breaker.succeed()).toBe('well')
  })

  it('lets the next call try when the one that tried was left by its caller', async () => {
    const breaker = openBreaker()
    await failThrice(breaker)
    breaker.pass(15 * SECOND)
    await breaker.run(() => Promise.reject(new Error('gone'))).catch(() => {})
    expect(await breaker.succeed()).toBe('well')
  })

  it('takes no word of calls that began before the pause', async () => {
    const breaker = openBreaker()
    const late = { fail: (_: Error) => {}, succeed: (_: string) => {} }
    const failing = breaker
      .run(
        () =>
          new Promise((_, reject) => {
            late.fail = reject
          })
      )
      .catch(() => {})
    const succeeding = breaker.run(
      () =>
        new Promise((resolve) => {
          late.succeed = resolve
        })
    )
    await failThrice(breaker)
    late.succeed('late')
    await succeeding
    expect(await breaker.succeed()).toBe('circuit_open')
    breaker.pass(14 * SECOND)
    late.fail(outage('timeout'))
    await failing
    breaker.pass(SECOND)
    expect(await breaker.succeed()).toBe('well')
  })

  it('is one for all requests of a model, and leaves the embeddings alone', async () => {
    const llm = await startLlm()
    llm.on('boat', () => NAUTILUS)
    const { model, embedder } = modelsAt(llm)
    llm.behave('overloaded', 3)
    for (let i = 0; i < 3; i += 1) await model.answer(question).catch(() => {})
    await expect(model.answer(question)).rejects.toMatchObject({
      fault: 'circuit_open',
      retryAfterSeconds: 15
    })
    expect(llm.requests).toHaveLength(3)
    await embedder.embed(['a'], { purpose: 'embed', timeoutMs: 5_000 })
    await llm.close()
  })
})
