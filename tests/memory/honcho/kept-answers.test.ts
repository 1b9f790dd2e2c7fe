import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteForgotten } from '../../../src/memory/forgotten-minds.ts'
import { databases } from '../../support/databases.ts'
import { stringAt, unique } from '../../support/fixture.ts'
import { type MemoryCaller, makeMemoryCaller } from '../caller.ts'
import { tablesWith } from '../every-table.ts'
import { type HonchoPlace, openHonchoPlace } from './service.ts'

const CHATS = /\/chat$/

describe.each(databases)('answers of Honcho’s that are kept on %s', (kind) => {
  let place: HonchoPlace
  let ada: MemoryCaller
  let planted: string
  let mindId: string
  let memoryId: string
  beforeAll(async () => {
    place = await openHonchoPlace(kind)
  })
  afterAll(() => place.close())
  beforeEach(async () => {
    ada = await makeMemoryCaller(place.service)
    planted = unique('quill')
    await ada.call('remember', { content: 'Ada: The gate opens at seven.' })
    const told = await ada.call('remember', { content: `Ada: My boat is called ${planted}.` })
    mindId = stringAt(told, 'mindId')
    memoryId = stringAt(told, 'memoryId')
    await place.forward()
  })
  afterEach(() => {
    place.honcho.release()
    place.honcho.behave('good')
  })

  const ask = () =>
    ada.call('ask', { question: 'What is my boat called?' }, { idempotencyKey: `about-${memoryId}` })
  const forget = (name: string) => ada.call(name, name === 'forget' ? { memoryId } : { mindId })

  it.each(['forget', 'forget_mind'])('go with what %s takes, though they cite nothing', async (name) => {
    expect(JSON.stringify(await ask())).toContain(planted)
    expect(await tablesWith(place, planted)).toEqual(
      expect.arrayContaining(['creditReservation', 'idempotency'])
    )
    await forget(name)
    await deleteForgotten(place.service.database)
    expect(await tablesWith(place, planted)).toEqual([])
  })

  it('are not kept where a memory is forgotten before they come', async () => {
    place.honcho.behave('waits', { on: CHATS, times: 1 })
    const asked = place.honcho.asked(CHATS)
    const answering = ask()
    await asked
    await forget('forget')
    place.honcho.release()
    await expect(answering).rejects.toMatchObject({ code: 'memory_unavailable' })
    expect(await tablesWith(place, planted)).toEqual([])
  })

  it('don’t come from what is forgotten here and not yet deleted there', async () => {
    await forget('forget')
    await expect(ask()).rejects.toMatchObject({ code: 'memory_unavailable' })
    const recalled = await ada.call('recall')
    expect(recalled).toMatchObject({ degraded: true })
    expect(JSON.stringify(recalled)).not.toContain(planted)
    await place.remove()
    expect(JSON.stringify(await ask())).not.toContain(planted)
    expect(await ada.call('recall')).toMatchObject({ degraded: false })
  })

  it('stay with another customer of the partner', async () => {
    const bob = await makeMemoryCaller(place.service, { partnerId: ada.partnerId })
    await bob.call('remember', { content: 'Bob: My boat is called Nautilus.' })
    await place.forward()
    const key = { idempotencyKey: `bob-${memoryId}` }
    const before = await bob.call('ask', { question: 'What is my boat called?' }, key)
    await ask()
    await forget('forget')
    await place.remove()
    const afterwards = place.honcho.requests.length
    expect(await bob.call('ask', { question: 'What is my boat called?' }, key)).toEqual(before)
    expect(place.honcho.requests.length).toBe(afterwards)
  })
})
