import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkHoncho, checkRemovals } from '../../../src/doctor/honcho-check.ts'
import { stringAt } from '../../support/fixture.ts'
import { makeMemoryCaller } from '../caller.ts'
import { type HonchoPlace, openHonchoPlace, patienceWith } from './service.ts'

describe('the doctor’s look at Honcho', () => {
  let place: HonchoPlace
  beforeAll(async () => {
    place = await openHonchoPlace('sqlite')
  })
  afterAll(() => place.close())
  afterEach(() => place.honcho.behave('good'))

  const look = (timeoutMs = 20_000) => {
    const { isEngine, server } = place.service.config.honcho
    return checkHoncho({ isEngine, server: server && { ...server, timeoutMs } })
  }
  const removals = () => checkRemovals(place.service.database.read, place.service.config.honcho)

  it('says that it answers and takes our key', async () => {
    expect(await look()).toMatchObject([{ state: 'ok' }])
  })

  it('has nothing to say where there is none', async () => {
    expect(await checkHoncho({ isEngine: false, server: undefined })).toEqual([])
  })

  it.each(['refuses-key', 'absent', 'not-json', 'silent', 'hangs-up'] as const)(
    'fails with a remedy while it %s',
    async (behaviour) => {
      place.honcho.behave(behaviour)
      expect(await look(patienceWith(behaviour))).toMatchObject([
        { state: 'fail', remedy: expect.stringContaining('HONCHO_URL') }
      ])
    }
  )

  it('says what is forgotten and not yet deleted there, and why', async () => {
    const ada = await makeMemoryCaller(place.service)
    const memoryId = stringAt(await ada.call('remember', { content: 'Ada: One.' }), 'memoryId')
    await place.forward()
    expect(await removals()).toEqual([])
    await ada.call('forget', { memoryId })
    expect(await removals()).toMatchObject([{ state: 'ok', message: expect.stringMatching(/^1 forgotten/) }])
    place.honcho.behave('refuses-key')
    await place.remove()
    expect(await removals()).toMatchObject([
      { state: 'warn', message: expect.stringContaining('Honcho refuses HONCHO_KEY.') }
    ])
    const elsewhere = { isEngine: false, server: undefined }
    expect(await checkRemovals(place.service.database.read, elsewhere)).toMatchObject([
      { state: 'warn', remedy: expect.stringContaining(place.honcho.url) }
    ])
  })
})
