// Questions to a large Mind: others have their turn on the event loop in between, and each tenant waits for itself.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { excerptOf } from '../../src/memory/embedded/excerpt.ts'
import { packMark } from '../../src/memory/embedded/postings.ts'
import { createEmbeddedEngine, embeddedEngine } from '../../src/memory/embedded-engine.ts'
import type { AskedMind } from '../../src/memory/engine.ts'
import { inSlices, nextTurn } from '../../src/slices.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { tellMind } from './told-mind.ts'

const MEMORIES = 20_000
const TERMS = ['kayak', 'harbour', 'garag', 'lantern', 'meadow', 'violin']
const MANY = { partnerId: 'prt_many', customerId: 'cus_many' }
const QUESTION = 'What of the kayak, the harbour, the garage, the lantern, the meadow and the violin?'

describe('a question to a large Mind', () => {
  let test: TestService
  let large: AskedMind
  let small: AskedMind
  beforeAll(async () => {
    test = await openTestService('sqlite')
    large = await mindOf('prt_large', 'Ana: The kayak is in the garage by the harbour.')
    small = await mindOf('prt_small', 'Bob: The lantern is in the shed.')
    const mark = packMark({ turn: 0, length: 8, count: 1, asks: false })
    await test.service.database.transaction(async (tx) => {
      for (const term of TERMS) {
        for (let seq = 2; seq < MEMORIES; seq += 5_000) {
          const rows = Array.from({ length: 5_000 }, (_, i) => ({
            mindKey: large.key,
            term,
            seq: seq + i,
            mark
          }))
          await tx.insertInto('posting').values(rows).execute()
        }
      }
      const stat = { memoryCount: MEMORIES, termCount: 8 * MEMORIES }
      await tx.updateTable('mindStat').set(stat).where('mindKey', '=', large.key).execute()
    })
  })
  afterAll(() => test.close())
  afterEach(() => vi.restoreAllMocks())

  async function mindOf(tenant: string, text: string): Promise<AskedMind> {
    const { mindKey } = await tellMind(test.service, [text])
    return { key: mindKey, partnerId: tenant, customerId: `${tenant}_customer` }
  }
  const ask = (mind: AskedMind, signal = new AbortController().signal, engine = embeddedEngine) =>
    engine.ask(test.service.database.read, mind, { text: QUESTION, level: 'deep' }, signal)

  /** Lets every slice be over at the next look at the clock, so that turns can be counted. */
  const endSlicesAtOnce = () => {
    let at = 0
    vi.spyOn(performance, 'now').mockImplementation(() => {
      at += 1_000
      return at
    })
  }
  const turnsWhile = async (work: () => Promise<unknown>): Promise<number> => {
    let turns = 0
    const turning = () => {
      turns += 1
      ticking = setImmediate(turning)
    }
    let ticking = setImmediate(turning)
    await work()
    clearImmediate(ticking)
    return turns
  }

  it('lets others have a turn for every few thousand rows that it goes through', async () => {
    endSlicesAtOnce()
    const turns = await turnsWhile(() => ask(large))
    expect(turns).toBeGreaterThan((TERMS.length * MEMORIES) / 2_500)
    expect(await turnsWhile(() => ask(small))).toBeLessThan(turns / 2)
  })

  it('reads a few frequent words at once, and all words of a small Mind', async () => {
    const { read } = test.service.database
    const statementsOf = async (mind: AskedMind) => {
      let statements = 0
      const counting: typeof read = {
        selectFrom: read.selectFrom.bind(read),
        getExecutor: () => {
          statements += 1
          return read.getExecutor()
        }
      }
      const { signal } = new AbortController()
      await embeddedEngine.ask(counting, mind, { text: QUESTION, level: 'standard' }, signal)
      return statements
    }
    expect(await statementsOf(large)).toBeGreaterThanOrEqual((await statementsOf(small)) + TERMS.length / 2)
  })

  it('ends at its deadline, between two of its slices', async () => {
    endSlicesAtOnce()
    const ending = new AbortController()
    const asking = ask(large, ending.signal)
    setImmediate(() => ending.abort(new Error('too late')))
    const turns = await turnsWhile(() => expect(asking).rejects.toThrow('too late'))
    expect(turns).toBeLessThan(10)
  })

  /** Where the other one's answer stands among those of a customer that asks 50 times at once. */
  const placeOf = async (other: AskedMind) => {
    const engine = createEmbeddedEngine({ queues: [] })
    const done: string[] = []
    const asked = (mind: AskedMind, name: string) => ask(mind, undefined, engine).then(() => done.push(name))
    const many = Array.from({ length: 50 }, () => asked({ ...small, ...MANY }, 'many'))
    await nextTurn()
    await Promise.all([...many, asked(other, 'other')])
    return done.indexOf('other')
  }

  it('waits behind its own tenant’s, and another tenant’s is answered meanwhile', async () => {
    expect(await placeOf(small)).toBeLessThan(10)
  })

  it('waits behind its own customer’s, not behind another one’s of the same partner', async () => {
    expect(await placeOf({ ...small, partnerId: MANY.partnerId })).toBeLessThan(20)
  })

  it('is refused where more of the customer’s wait than can be answered in time', async () => {
    const engine = createEmbeddedEngine({ queues: [] })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 110 }, () => ask(small, undefined, engine))
    )
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(refused).toHaveLength(8)
    expect(refused[0]).toMatchObject({ code: 'memory_rate_limited', retryAfterSeconds: 1 })
  })

  it('quotes a long memory in slices, too', async () => {
    endSlicesAtOnce()
    const long = '明日の午後三時にリスボンで会議があります。'.repeat(700)
    const turns = await turnsWhile(() => excerptOf(long, new Set(['リスボン']), inSlices()))
    expect(turns).toBeGreaterThan(50)
  })

  it('goes on one at a time in each round of the event loop', async () => {
    const rounds: number[] = []
    const turns = await turnsWhile(async () => {
      let round = 0
      const counting = () => {
        round += 1
        ticking = setImmediate(counting)
      }
      let ticking = setImmediate(counting)
      await Promise.all(Array.from({ length: 5 }, () => nextTurn().then(() => rounds.push(round))))
      clearImmediate(ticking)
    })
    expect(new Set(rounds).size).toBe(5)
    expect(turns).toBeGreaterThanOrEqual(4)
  })
})
