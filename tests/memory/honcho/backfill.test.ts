import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openHoncho } from '../../../src/memory/honcho/api.ts'
import { type BackfillDeps, forwardBackfill, queueBackfill } from '../../../src/memory/honcho/backfill.ts'
import type { MindScope } from '../../../src/memory/jobs/store.ts'
import { databases } from '../../support/databases.ts'
import { stringAt } from '../../support/fixture.ts'
import { type MemoryCaller, makeMemoryCaller } from '../caller.ts'
import { removeMinds } from '../remove-minds.ts'
import { type HonchoPlace, openHonchoPlace } from './service.ts'

const POSTS = /^POST .*\/messages$/

describe.each(databases)('the back-fill of Honcho on %s', (kind) => {
  let place: HonchoPlace
  let ada: MemoryCaller
  let bob: MemoryCaller
  let surroundings: BackfillDeps
  beforeAll(async () => {
    place = await openHonchoPlace(kind, { MEMORY_ENGINE: 'embedded' })
    const { config, database, log } = place.service
    if (!config.honcho.server) throw new Error('No Honcho is configured')
    surroundings = { database, log, honcho: openHoncho(config.honcho.server) }
  })
  afterAll(() => place.close())
  beforeEach(async () => {
    await place.service.database.transaction((tx) => removeMinds(tx))
    place.honcho.behave('good')
    ada = await makeMemoryCaller(place.service)
    bob = await makeMemoryCaller(place.service)
  })

  const tell = async (caller: MemoryCaller, count: number): Promise<string> => {
    let mindId = ''
    for (let i = 1; i <= count; i += 1)
      mindId = stringAt(await caller.call('remember', { content: `Number ${i}.` }), 'mindId')
    return mindId
  }
  const told = (count: number) => Array.from({ length: count }, (_, i) => `Number ${i + 1}.`)
  const forward = (
    scope: MindScope,
    at: (waiting: number) => void = () => undefined,
    signal = new AbortController().signal
  ) => forwardBackfill(surroundings, scope, { at, signal })

  it('puts every Mind in line, and forwards all of it', async () => {
    const [mine, theirs] = [await tell(ada, 3), await tell(bob, 25)]
    expect(await queueBackfill(surroundings, {})).toMatchObject({ minds: 2, memories: 28 })
    expect(await forward({})).toEqual({ minds: 0, memories: 0, lastError: null, refused: 0 })
    expect(place.honcho.told(mine)).toEqual(told(3))
    expect(place.honcho.told(theirs)).toEqual(told(25))
    expect(await queueBackfill(surroundings, {})).toMatchObject({ minds: 0, memories: 0 })
  })

  it('leaves the other customers and partners alone', async () => {
    const [mine, theirs] = [await tell(ada, 1), await tell(bob, 1)]
    const scope = { customerId: ada.customerId }
    expect(await queueBackfill(surroundings, scope)).toMatchObject({ minds: 1 })
    const queued = await place.service.database.read.selectFrom('mindJob').selectAll().execute()
    expect(queued).toHaveLength(1)
    await forward(scope)
    expect([place.honcho.told(mine), place.honcho.told(theirs)]).toEqual([told(1), []])
    await queueBackfill(surroundings, { partnerId: bob.partnerId })
    await forward({ partnerId: bob.partnerId })
    expect(place.honcho.told(theirs)).toEqual(told(1))
  })

  it('stops when Honcho fails, and goes on where it stopped', async () => {
    const mine = await tell(ada, 25)
    place.honcho.behave('accepts-then-dies', { on: POSTS, times: 1 })
    await queueBackfill(surroundings, {})
    expect(await forward({})).toMatchObject({ minds: 1, lastError: 'Honcho can’t be reached.' })
    await queueBackfill(surroundings, {})
    expect(await forward({})).toMatchObject({ minds: 0 })
    expect(place.honcho.told(mine)).toEqual(told(25))
  })

  it('ends early when it is told to, and goes on later', async () => {
    const mine = await tell(ada, 2)
    await queueBackfill(surroundings, {})
    place.honcho.behave('waits', { on: POSTS, times: 1 })
    const interruption = new AbortController()
    const underWay = place.honcho.asked(POSTS)
    const ended = forward({}, () => undefined, interruption.signal)
    await underWay
    interruption.abort()
    expect(await ended).toMatchObject({ minds: 1 })
    place.honcho.release()
    await queueBackfill(surroundings, {})
    expect(await forward({})).toMatchObject({ minds: 0 })
    expect(new Set(place.honcho.told(mine))).toEqual(new Set(told(2)))
  })

  it('tries what Honcho refused once more', async () => {
    const mine = await tell(ada, 1)
    place.honcho.behave('rejects', { on: POSTS })
    for (let attempt = 0; attempt < 6; attempt += 1) await place.forward()
    expect(await forward({})).toMatchObject({ minds: 0, refused: 1 })
    place.honcho.behave('good')
    await queueBackfill(surroundings, {})
    expect(await forward({})).toMatchObject({ minds: 0, refused: 0 })
    expect(place.honcho.told(mine)).toEqual(told(1))
  })
})
