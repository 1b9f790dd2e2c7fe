import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { stringAt, unique } from '../../support/fixture.ts'
import { HONCHO_KEY } from '../../support/honcho.ts'
import type { HonchoBehaviour } from '../../support/honcho-faults.ts'
import { type MemoryCaller, makeMemoryCaller } from '../caller.ts'
import { removeMinds } from '../remove-minds.ts'
import { type HonchoPlace, openHonchoPlace, patienceWith } from './service.ts'

const POSTS = /^POST .*\/messages$/

describe('forwarding to Honcho', () => {
  let place: HonchoPlace
  let ada: MemoryCaller
  beforeAll(async () => {
    place = await openHonchoPlace('sqlite')
  })
  afterAll(() => place.close())
  beforeEach(async () => {
    ada = await makeMemoryCaller(place.service)
  })
  afterEach(async () => {
    place.honcho.release()
    place.honcho.behave('good')
    await place.service.database.transaction((tx) => removeMinds(tx))
  })

  const tell = async (content: string, more: Record<string, unknown> = {}) =>
    stringAt(await ada.call('remember', { content, ...more }), 'mindId')
  const job = () => place.service.database.read.selectFrom('mindJob').selectAll().executeTakeFirstOrThrow()

  it('hands every memory on, in the order of telling, as a message with its id and its time', async () => {
    const texts = Array.from({ length: 23 }, (_, i) => `Ada: Number ${i}.`)
    let mindId = ''
    for (const text of texts) mindId = await tell(text, { occurredAt: '2026-01-02T03:04:05Z' })
    await place.forward()
    expect(place.honcho.told(mindId)).toEqual(texts)
    const [first] = place.honcho.workspaces.get(mindId)?.messages ?? []
    expect(first).toMatchObject({
      metadata: { memoryId: first?.sessionId, part: 1, parts: 1 },
      createdAt: '2026-01-02T03:04:05.000Z'
    })
    expect([...(place.honcho.workspaces.get(mindId)?.peers ?? [])]).toEqual(['customer'])
    expect(await job()).toMatchObject({ waiting: 0, dueAt: null, lastError: null, watermark: 23 })
  })

  it('sends a long memory in parts that Honcho takes, and cuts no character', async () => {
    const content = `A${'🙂'.repeat(16_000)}`
    const mindId = await tell(content)
    await place.forward()
    const told = place.honcho.told(mindId)
    expect(told.length).toBe(2)
    expect(told.join('')).toBe(content)
    expect(told.every((part) => part.isWellFormed())).toBe(true)
  })

  it.each<[HonchoBehaviour, string]>([
    ['fails', 'Honcho answered with status 500.'],
    ['overloaded', 'Honcho answered with status 503.'],
    ['limits', 'Honcho takes no more calls for now.'],
    ['absent', 'HONCHO_URL has no API of Honcho, version 3.'],
    ['refuses-key', 'Honcho refuses HONCHO_KEY.'],
    ['forbids', 'Honcho refuses HONCHO_KEY.'],
    ['not-json', 'What answers at HONCHO_URL doesn’t speak as Honcho does.'],
    ['silent', 'Honcho did not answer in time.'],
    ['drips', 'Honcho did not answer in time.'],
    ['cuts-off', 'Honcho can’t be reached.'],
    ['hangs-up', 'Honcho can’t be reached.'],
    ['too-large', 'Honcho answered with more than was asked for.'],
    ['redirects', 'HONCHO_URL leads elsewhere: set it to where Honcho itself is.']
  ])('keeps a memory in line while Honcho %s, says why, and sends it once', async (behaviour, why) => {
    place.honcho.behave(behaviour)
    const secret = unique('quill')
    const mindId = await tell(`Ada: ${secret}.`)
    await place.forward(patienceWith(behaviour))
    expect(await job()).toMatchObject({ waiting: 1, watermark: 0, attempts: 1, refusals: 0, lastError: why })
    place.honcho.behave('good')
    await place.forward()
    expect(place.honcho.told(mindId)).toEqual([`Ada: ${secret}.`])
    for (const line of place.logs)
      for (const text of [secret, HONCHO_KEY.slice(0, 8)]) expect(line).not.toContain(text)
  })

  it('waits as long as Honcho asks it to', async () => {
    place.honcho.behave('limits')
    await tell('Ada: One.')
    const askedAt = Date.now()
    await place.forward()
    expect(Date.parse((await job()).dueAt ?? '')).toBeGreaterThanOrEqual(askedAt + 17_000)
  })

  it('sends nothing twice after Honcho took it and the connection died', async () => {
    const mindId = await tell('Ada: One.')
    await tell('Ada: Two.')
    await tell('Ada: Three.')
    place.honcho.behave('accepts-then-dies', { on: POSTS, times: 1 })
    await place.forward()
    expect(place.honcho.told(mindId)).toEqual(['Ada: One.'])
    place.honcho.behave('good')
    await place.forward()
    expect(place.honcho.told(mindId)).toEqual(['Ada: One.', 'Ada: Two.', 'Ada: Three.'])
  })

  it('sends what a session was made for and then never got', async () => {
    const memory = await ada.call('remember', { content: 'Ada: One.' })
    const [mindId, memoryId] = [stringAt(memory, 'mindId'), stringAt(memory, 'memoryId')]
    place.honcho.workspaces.set(mindId, {
      ...{ peers: new Set(), sessions: new Map([[memoryId, { isActive: true }]]) },
      ...{ messages: [], conclusions: [], card: null }
    })
    await place.forward()
    expect(place.honcho.told(mindId)).toEqual(['Ada: One.'])
  })

  it('puts a memory aside that Honcho won’t take, and goes on with the others', async () => {
    const mindId = await tell('Ada: One.')
    await place.forward()
    const memory = await ada.call('remember', { content: 'Ada: Two.' })
    await tell('Ada: Three.')
    const bad = new RegExp(`^POST .*/sessions/${stringAt(memory, 'memoryId')}/messages$`)
    place.honcho.behave('rejects', { on: bad })
    for (let attempt = 0; attempt < 6; attempt += 1) await place.forward()
    expect(place.honcho.told(mindId)).toEqual(['Ada: One.', 'Ada: Three.'])
    const failures = await place.service.database.read.selectFrom('mindJobFailure').selectAll().execute()
    expect(failures).toMatchObject([{ seq: 2, error: 'Honcho refuses this memory with status 422.' }])
  })

  it('has no part in a Remember', async () => {
    place.honcho.behave('silent')
    const asked = place.honcho.requests.length
    expect(await ada.call('remember', { content: 'Ada: One.' })).toMatchObject({
      duplicate: false,
      credits: 1
    })
    expect(place.honcho.requests.length).toBe(asked)
  })

  it('sends all of a Mind to another Honcho when HONCHO_URL changes', async () => {
    const mindId = await tell('Ada: One.')
    await place.forward()
    await place.service.database.transaction((tx) =>
      tx.updateTable('mindJob').set({ madeWith: 'http://before.example' }).execute()
    )
    place.honcho.workspaces.clear()
    await place.forward()
    expect(place.honcho.told(mindId)).toEqual(['Ada: One.'])
  })

  it('keeps each Mind in a workspace of its own', async () => {
    const bob = await makeMemoryCaller(place.service)
    const mine = await tell('Ada: One.')
    const theirs = stringAt(await bob.call('remember', { content: 'Bob: Two.' }), 'mindId')
    await place.forward()
    expect(place.honcho.told(mine)).toEqual(['Ada: One.'])
    expect(place.honcho.told(theirs)).toEqual(['Bob: Two.'])
  })
})
