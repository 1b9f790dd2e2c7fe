// Whatever happens in whatever order, what a customer owes is the sum of its lines, and that is what its calls and the
// rest come to when they are counted again from scratch.
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { recordCalls } from '../../src/calls/record.ts'
import { repriceCalls } from '../../src/calls/reprice.ts'
import { DAY_MS, HOUR_MS } from '../../src/clock.ts'
import { billCredits } from '../../src/credits/payment.ts'
import { isUniqueViolation } from '../../src/database/faults.ts'
import { ServiceError } from '../../src/errors.ts'
import { advanceDue } from '../../src/subscriptions/change.ts'
import { runs, timeoutMs } from '../fuzz/plan.ts'
import { databases } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { lineOf, post } from '../support/statements.ts'
import { expectAsModelled, expectInOrder, readBooks } from './books.ts'
import { AGENTS, actAs, ago, type Game, newGame, PLANS } from './game.ts'

const RUNS = { sqlite: 60, postgres: 20 }
const STEPS = 40

const HAPPENINGS = [
  ...[
    'a call of nobody',
    'a call without its cost',
    'agent_mapped_elsewhere',
    'line adjustment',
    'line ai_credits'
  ],
  ...[
    'line billed',
    'line call',
    'line pack',
    'line subscription',
    'line void',
    'statement billed',
    'statement closed',
    'statement draft'
  ],
  ...['statement void', 'wrong_statement_status']
]

const ZONES = ['UTC', 'Europe/Berlin', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'] as const
describe.each(databases)('the books on %s', { timeout: timeoutMs(RUNS.sqlite) }, (kind) => {
  let test: TestService
  const seen = new Set<string>()
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const act = (game: Game, name: string, input: object, idempotencyKey?: string) =>
    actAs(test, game, name, input, idempotencyKey)

  /** Whether it was done; anything but a refusal of that code is a fault. */
  const isDone = (asked: Promise<unknown>, ...codes: string[]): Promise<boolean> =>
    asked.then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof ServiceError && codes.includes(error.code))) throw error
        seen.add(error.code)
        return false
      }
    )

  const work = async (game: Game) => {
    await test.service.database.transaction((tx) => advanceDue(tx, 100))
    for (const customerId of game.customers) game.subscriptions.advance(customerId, game.zone, ago(0))
    await repriceCalls(test.service.database)
    await act(game, 'statement_close', {})
  }

  const ofCustomer = fc.nat({ max: 1 })
  const agent = fc.constantFrom(...AGENTS)
  const micros = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5_000_000 }))
  const multiplier = fc.oneof(
    fc.constantFrom(1_000_000, 1_500_000, 500_000, 1),
    fc.integer({ min: 1, max: 1_000_000_000 })
  )
  const span = fc.oneof(fc.nat(3 * HOUR_MS), fc.noBias(fc.nat(70 * DAY_MS)))
  const told = fc.record({
    callId: fc.nat(11).map((n) => `call-${n}`),
    agentId: fc.option(agent, { freq: 8 }),
    // Some end while the provider's clock is ahead.
    agoMs: fc.oneof(
      { arbitrary: span, weight: 6 },
      { arbitrary: fc.integer({ min: -HOUR_MS, max: 0 }), weight: 1 }
    ),
    /** Where it was told before, only what else is told may differ. */
    isEndKept: fc.boolean(),
    durationMs: fc.nat(3_600_000),
    costMicros: fc.option(micros, { freq: 4 })
  })

  interface Step {
    /** Shown when the story fails. */
    name: string
    given: unknown
    run(game: Game): Promise<void>
  }

  const step = <Given>(
    name: string,
    arbitrary: fc.Arbitrary<Given>,
    run: (game: Game, given: Given) => Promise<void>
  ): fc.Arbitrary<Step> => arbitrary.map((given) => ({ name, given, run: (game) => run(game, given) }))

  const wait = step('wait', fc.oneof(fc.nat(DAY_MS), fc.noBias(fc.nat(45 * DAY_MS))), async (_, ms) => {
    vi.setSystemTime(Date.now() + ms)
  })

  const page = fc.uniqueArray(told, { minLength: 1, maxLength: 6, selector: ({ callId }) => callId })
  const tell = step(
    'tell',
    fc.record({ calls: page, times: fc.integer({ min: 1, max: 3 }) }),
    async ({ partnerId, model, zone, ends }, { calls, times }) => {
      const known = calls.map(({ agoMs, isEndKept, ...call }) => {
        const endedAt = (isEndKept ? ends.get(call.callId) : undefined) ?? ago(agoMs)
        ends.set(call.callId, endedAt)
        return { ...call, endedAt }
      })
      const rest = { startedAt: null, outcome: 'done', recordingUrl: null, cost: {} }
      const whole = known.map((call) => ({ ...call, ...rest }))
      const record = (): Promise<void> =>
        test.service.database
          .transaction((tx) => recordCalls(tx, { partnerId, provider: 'b' }, whole))
          // A call without an agent is nothing that the two could wait for: the later one asks again, as the queue does.
          .catch((error: unknown) => (isUniqueViolation(error) ? record() : Promise.reject(error)))
      // Several processes at once, and the work behind them.
      await Promise.all([...Array.from({ length: times }, record), repriceCalls(test.service.database)])
      for (const call of known) model.tell(call, zone)
    }
  )

  const map = step(
    'map',
    fc.record({
      agentId: agent,
      customer: ofCustomer,
      multiplierMicros: multiplier,
      sinceMs: fc.option(span)
    }),
    async (game, { agentId, customer, multiplierMicros, sinceMs }) => {
      const customerId = game.customers[customer] ?? ''
      const since = sinceMs === null ? undefined : ago(sinceMs)
      const profitMultiplier = multiplierMicros / 1_000_000
      const input = { agentId, customerId, profitMultiplier, since, confirm: true }
      const isMapped = await isDone(act(game, 'voice_b_agent_map_customer', input), 'agent_mapped_elsewhere')
      const said = { from: since ?? ago(0), customerId, multiplierMicros: BigInt(multiplierMicros) }
      const before = game.model.ownerNow(agentId)
      const isSame = before?.customerId === customerId && before.multiplierMicros === said.multiplierMicros
      expect(isMapped).toBe((isSame && since === undefined) || game.model.map(agentId, said))
    }
  )

  const unmap = step('unmap', agent, async (game, agentId) => {
    await act(game, 'voice_b_agent_unmap_customer', { agentId })
    if (game.model.ownerNow(agentId)?.customerId) game.model.unmap(agentId, ago(0))
  })

  const credits = step('credits', fc.tuple(ofCustomer, micros), async (game, [customer, amount]) => {
    const customerId = game.customers[customer] ?? ''
    game.references += 1
    const [debtor, reference] = [{ partnerId: game.partnerId, customerId }, `credits-${game.references}`]
    await test.service.database.transaction((tx) => billCredits(tx, debtor, amount, reference))
    game.model.owe(customerId, amount)
  })

  const signed = fc.tuple(micros, fc.constantFrom(1, -1)).map(([amount, sign]) => amount * sign)
  const adjust = step('adjust', fc.tuple(ofCustomer, signed), async (game, [customer, amount]) => {
    const customerId = game.customers[customer] ?? ''
    const line = lineOf({ kind: 'adjustment', amountMicros: amount, durationMs: null })
    await post(test.service, { partnerId: game.partnerId, customerId }, line)
    game.model.owe(customerId, amount)
  })

  const settle = step(
    'settle',
    fc.tuple(fc.nat(5), fc.constantFrom('statement_mark_billed', 'statement_void')),
    async (game, [which, name]) => {
      await act(game, 'statement_close', {})
      const { statements } = await readBooks(test.service, game.partnerId)
      const statement = statements[which % Math.max(1, statements.length)]
      if (!statement) return
      const allowed = name === 'statement_void' ? ['closed', 'billed'] : ['closed']
      const asked = act(game, name, { statementId: statement.id })
      expect(await isDone(asked, 'wrong_statement_status')).toBe(allowed.includes(statement.status))
    }
  )

  const zone = step('zone', fc.constantFrom(...ZONES), async (game, timeZone) => {
    await act(game, 'billing_settings_set', { timeZone })
    game.zone = timeZone
  })

  const plan = step('plan', fc.tuple(ofCustomer, fc.nat(PLANS.length)), async (game, [customer, which]) => {
    const customerId = game.customers[customer] ?? ''
    const given = game.plans[which]
    await act(game, 'customer_update', { customerId, planId: given?.planId ?? null })
    game.subscriptions.change(customerId, given, game.zone, ago(0))
  })

  const buy = step('buy', fc.tuple(ofCustomer, fc.boolean()), async (game, [customer, isDoubleClick]) => {
    const customerId = game.customers[customer] ?? ''
    game.references += 1
    const input = { customerId, planId: game.packId, version: 1 }
    const click = () => act(game, 'pack_buy', input, `click-${game.references}`)
    const clicks = [click(), ...(isDoubleClick ? [click()] : [])]
    if (await isDone(Promise.all(clicks), 'rate_limited')) game.model.owe(customerId, 10_000_001)
  })

  const weighted = (weight: number, ...arbitraries: fc.Arbitrary<Step>[]) =>
    arbitraries.map((arbitrary) => ({ arbitrary, weight }))
  const rare = [plan, buy, unmap, credits, adjust, zone, step('work', fc.constant(null), work)]
  const story = fc.array(
    fc.oneof(
      ...weighted(5, tell),
      ...weighted(3, wait, map),
      ...weighted(2, settle),
      ...weighted(1, ...rare)
    ),
    { minLength: 20, maxLength: STEPS, size: 'max' }
  )

  /** Once the work is done, the books are what the model comes to. */
  async function expectModel({ model, partnerId, customers }: Game): Promise<void> {
    const books = await readBooks(test.service, partnerId)
    for (const line of books.entries) seen.add(`line ${line.kind}`)
    for (const { status } of books.statements) seen.add(`statement ${status}`)
    for (const { customerId, costMicros } of books.calls) {
      if (customerId === null) seen.add('a call of nobody')
      if (costMicros === null) seen.add('a call without its cost')
    }
    expectAsModelled(books, model, customers)
  }

  it('keep balance, lines and what the calls come to the same', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (taken) => {
        const game = await newGame(test)
        for (const { run } of taken) {
          await run(game)
          expectInOrder(await readBooks(test.service, game.partnerId), game.closed)
        }
        await work(game)
        expectInOrder(await readBooks(test.service, game.partnerId), game.closed)
        await expectModel(game)
      }),
      runs(RUNS[kind])
    )
    // Or the stories have told less than they say.
    expect([...seen].toSorted()).toEqual(HAPPENINGS)
  })
})
