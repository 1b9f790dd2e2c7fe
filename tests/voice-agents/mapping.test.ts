// Whose an agent's calls were, and at what multiplier: periods that never overlap, corrected on purpose only.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { eraseCustomer } from '../../src/customers/erase.ts'
import { ServiceError } from '../../src/errors.ts'
import { mapVoiceAgent, unmapVoiceAgent } from '../../src/voice-agents/mapping.ts'
import type { AgentKey } from '../../src/voice-agents/store.ts'
import { gate, untilWaiting } from '../statements/gate.ts'
import { databases } from '../support/databases.ts'
import { makeVoiceAgent } from '../support/fixture.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

const day = (number: number, time = '00:00:00.000'): string =>
  `2026-03-${String(number).padStart(2, '0')}T${time}Z`

describe.each(databases)('the periods of a voice agent on %s', (kind) => {
  let test: TestService
  let agent: AgentKey
  let ada: string
  let bob: string
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    const { id: partnerId } = await makePartnerRow(test.service)
    ada = (await makeCustomerRow(test.service, partnerId)).id
    bob = (await makeCustomerRow(test.service, partnerId)).id
    agent = { partnerId, provider: 'a', agentId: await makeVoiceAgent(test.service, partnerId, 'a') }
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(day(10))
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const map = (customerId: string, profitMultiplier: number, since?: string) =>
    test.service.database.transaction((tx) =>
      mapVoiceAgent(tx, agent, { agentId: agent.agentId, customerId, profitMultiplier, since })
    )
  const eraseAda = async () => {
    const { service } = test
    const { code } = await service.database.read
      .selectFrom('customer')
      .where('id', '=', ada)
      .select('code')
      .executeTakeFirstOrThrow()
    return eraseCustomer(
      { ...service, db: service.database.read, transaction: (work) => service.database.transaction(work) },
      agent.partnerId,
      { customerId: ada, confirm: code },
      async () => undefined
    )
  }
  const unmap = () => test.service.database.transaction((tx) => unmapVoiceAgent(tx, agent, undefined))
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) =>
        error instanceof ServiceError && { code: error.code, field: error.field, text: error.message }
    )
  /** `[whose, multiplier, from, to]` */
  const periods = async () => {
    const rows = await test.service.database.read
      .selectFrom('voiceAgentPeriod')
      .where('agentId', '=', agent.agentId)
      .selectAll()
      .orderBy('startsAt')
      .execute()
    const names = new Map([
      [ada, 'ada'],
      [bob, 'bob']
    ])
    return rows.map((row) => [
      names.get(row.customerId ?? '') ?? null,
      row.multiplierMicros,
      row.startsAt,
      row.endsAt
    ])
  }
  const repriceFrom = async () => {
    const agents = test.service.database.read.selectFrom('voiceAgent').where('agentId', '=', agent.agentId)
    return (await agents.select('repriceFrom').executeTakeFirstOrThrow()).repriceFrom
  }

  it('begin with the mapping, and end with it', async () => {
    await map(ada, 1.234567)
    expect(await periods()).toEqual([['ada', 1_234_567, day(10), null]])
    vi.setSystemTime(day(12))
    await unmap()
    expect(await periods()).toEqual([['ada', 1_234_567, day(10), day(12)]])
    await map(bob, 2)
    expect(await periods()).toEqual([
      ['ada', 1_234_567, day(10), day(12)],
      ['bob', 2_000_000, day(12), null]
    ])
  })

  it('are divided by a new multiplier, and not by the same one again', async () => {
    await map(ada, 1.5)
    vi.setSystemTime(day(11))
    await map(ada, 1.5)
    vi.setSystemTime(day(12))
    await map(ada, 2)
    expect(await periods()).toEqual([
      ['ada', 1_500_000, day(10), day(12)],
      ['ada', 2_000_000, day(12), null]
    ])
  })

  it('that would be empty are none', async () => {
    await map(ada, 1)
    await map(ada, 2)
    expect(await periods()).toEqual([['ada', 2_000_000, day(10), null]])
    await unmap()
    expect(await periods()).toEqual([])
  })

  it('reach back on purpose to when the agent was nobody’s, and its calls since are priced anew', async () => {
    await map(ada, 1.5, '2026-03-01T02:00:00+02:00')
    expect(await periods()).toEqual([['ada', 1_500_000, day(1), null]])
    expect(await repriceFrom()).toBe(day(1))
    vi.setSystemTime(day(12))
    await map(ada, 2)
    // What is still to be done anew is not forgotten for what comes later.
    expect(await repriceFrom()).toBe(day(1))
  })

  it('replace the customer’s own from then on, what was between them included', async () => {
    await map(ada, 1, day(1))
    await map(ada, 2, day(3))
    vi.setSystemTime(day(11))
    await unmap()
    vi.setSystemTime(day(12))
    await map(ada, 3)
    await map(ada, 4, day(2))
    expect(await periods()).toEqual([
      ['ada', 1_000_000, day(1), day(2)],
      ['ada', 4_000_000, day(2), null]
    ])
    expect(await repriceFrom()).toBe(day(1))
  })

  it('never reach into another customer’s, and a refusal names since when the agent is free', async () => {
    await map(ada, 1, day(1))
    await unmap()
    vi.setSystemTime(day(12))
    const before = await periods()
    expect(await refusal(map(bob, 2, day(9, '23:59:59.999')))).toEqual({
      code: 'agent_mapped_elsewhere',
      field: 'since',
      text: expect.stringContaining(day(10))
    })
    expect(await periods()).toEqual(before)
    await map(bob, 2, day(10))
    expect(await periods()).toEqual([...before, ['bob', 2_000_000, day(10), null]])
    // Ada's own past ends where Bob's begins.
    await unmap()
    expect(await refusal(map(ada, 3, day(5)))).toMatchObject({ code: 'agent_mapped_elsewhere' })
  })

  it('don’t begin in the future', async () => {
    expect(await refusal(map(ada, 1, day(10, '00:00:00.001')))).toMatchObject({
      code: 'invalid_input',
      field: 'since'
    })
    expect(await periods()).toEqual([])
  })

  it('begin after another customer’s, even if the clock was put back', async () => {
    await map(ada, 1)
    vi.setSystemTime(day(12))
    await unmap()
    vi.setSystemTime(day(11))
    await map(bob, 2)
    await map(bob, 3)
    await unmap()
    expect(await periods()).toEqual([['ada', 1_000_000, day(10), day(12)]])
  })

  it('of a customer that is erased stay as nobody’s, and end', async () => {
    await map(ada, 1.5, day(2))
    await eraseAda()
    expect(await periods()).toEqual([[null, 1_500_000, day(2), day(10)]])
    expect(await refusal(map(bob, 1, day(9)))).toMatchObject({ code: 'agent_mapped_elsewhere' })
    await map(bob, 1, day(10))
    expect((await periods()).at(-1)).toEqual(['bob', 1_000_000, day(10), null])
  })

  it('end also where the agent is mapped while its customer is being erased', async () => {
    const [mapped, erasing] = [gate(), gate()]
    const mapping = test.service.database.transaction(async (tx) => {
      await mapVoiceAgent(tx, agent, { agentId: agent.agentId, customerId: ada, profitMultiplier: 2 })
      mapped.resolve()
      await erasing.promise
    })
    await mapped.promise
    const erased = eraseAda()
    await untilWaiting()
    vi.setSystemTime(day(11))
    erasing.resolve()
    await Promise.all([mapping, erased])
    expect(await periods()).toEqual([[null, 2_000_000, day(10), day(11)]])
  })

  it('don’t overlap when many are asked for at once', async () => {
    const days = Array.from({ length: 8 }, (_, index) => day(index + 1))
    await Promise.all(days.map((since, index) => map(ada, index + 1, since)))
    const all = await periods()
    expect(all.slice(1).map(([, , startsAt]) => startsAt)).toEqual(
      all.slice(0, -1).map(([, , , endsAt]) => endsAt)
    )
    expect(all.at(-1)?.[3]).toBeNull()
  })
})
