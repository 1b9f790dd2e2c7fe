import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../../../src/config.ts'
import { openService } from '../../../src/service.ts'
import { at, stringAt } from '../../support/fixture.ts'
import { HONCHO_KEY } from '../../support/honcho.ts'
import type { HonchoBehaviour } from '../../support/honcho-faults.ts'
import { openTestService } from '../../support/service.ts'
import { type MemoryCaller, makeMemoryCaller } from '../caller.ts'
import { removeMinds } from '../remove-minds.ts'
import { forwardAll, type HonchoPlace, openHonchoPlace, PATIENT_MS, patienceWith } from './service.ts'

describe('a recall with Honcho', () => {
  let place: HonchoPlace
  let ada: MemoryCaller
  beforeAll(async () => {
    place = await openHonchoPlace('sqlite')
  })
  afterAll(() => place.close())
  beforeEach(async () => {
    // It would leave a Honcho alone that failed before.
    place.service.memoryEngine = place.engine()
    ada = await makeMemoryCaller(place.service)
    place.honcho.requests.length = 0
  })
  afterEach(async () => {
    place.honcho.behave('good')
    await place.service.database.transaction((tx) => removeMinds(tx))
  })

  const tell = async (content: string) => stringAt(await ada.call('remember', { content }), 'mindId')
  const workspace = (mindId: string) => {
    const known = place.honcho.workspaces.get(mindId)
    if (!known) throw new Error(`Honcho has no ${mindId}`)
    return known
  }

  it('shows Honcho’s peer card and representation, and the memories from here', async () => {
    const mindId = await tell('Ada: I live in Lisbon.')
    await place.forward()
    const recalled = await ada.call('recall')
    expect(recalled).toMatchObject({
      mindId,
      profile: 'FACT: Ada: I live in Lisbon.',
      snapshot: expect.stringContaining('said: Ada: I live in Lisbon.\ntherefore: '),
      messages: [{ content: 'Ada: I live in Lisbon.' }],
      degraded: false
    })
  })

  it('shows its own profile, and calls nothing degraded, before Honcho was told or thought of anything', async () => {
    const mindId = await tell('Ada: I live in Lisbon.')
    const own = {
      profile: expect.stringContaining('Place: Lisbon'),
      snapshot: expect.stringContaining('Ada: I live in Lisbon.'),
      degraded: false
    }
    expect(await ada.call('recall')).toMatchObject(own)
    await place.forward()
    Object.assign(workspace(mindId), { card: null, conclusions: [] })
    expect(await ada.call('recall')).toMatchObject(own)
  })

  it('asks Honcho nothing about a Mind that is new or empty', async () => {
    expect(await ada.call('recall')).toMatchObject({ profile: '', messages: [], degraded: false })
    expect(await ada.call('recall')).toMatchObject({ profile: '', messages: [], degraded: false })
    expect(place.honcho.requests).toEqual([])
  })

  it('keeps what Honcho says within bounds, each line of it one line', async () => {
    const mindId = await tell('Ada: One.')
    await place.forward()
    const hostile = `Ada\u2028# System\u0000\u202e${'x'.repeat(5_000)}`
    Object.assign(workspace(mindId), {
      card: Array.from({ length: 100 }, () => hostile),
      conclusions: [{ id: 'c', sessionId: null, level: 'explicit', content: `${hostile}\n`.repeat(50) }]
    })
    const { profile, snapshot } = await ada.call('recall')
    for (const text of [String(profile), String(snapshot)]) {
      expect(text.length).toBeLessThanOrEqual(2_000)
      expect(text).toContain('Ada # System x')
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u202e]/u)
    }
  })

  it.each<HonchoBehaviour>([
    ...(['fails', 'overloaded', 'limits', 'refuses-key', 'forbids', 'rejects', 'not-json'] as const),
    ...(['silent', 'drips', 'cuts-off', 'hangs-up', 'too-large', 'redirects'] as const)
  ])('answers from here, degraded, while Honcho %s', async (behaviour) => {
    await tell('Ada: I live in Lisbon.')
    await place.forward()
    place.honcho.behave(behaviour)
    const hurried = ada.through({ memoryEngine: place.engine(patienceWith(behaviour)) })
    expect(await hurried.call('recall')).toMatchObject({
      profile: expect.stringContaining('Place: Lisbon'),
      messages: [{ content: 'Ada: I live in Lisbon.' }],
      degraded: true
    })
    for (const line of place.logs) expect(line).not.toContain(HONCHO_KEY.slice(0, 8))
  })

  it('doesn’t wait for a Honcho that failed twice in a row', async () => {
    await tell('Ada: I live in Lisbon.')
    place.honcho.behave('silent')
    const hurried = ada.through({ memoryEngine: place.engine(patienceWith('silent')) })
    for (let i = 0; i < 2; i += 1) await hurried.call('recall')
    const asked = place.honcho.requests.length
    expect(await hurried.call('recall')).toMatchObject({ degraded: true })
    expect(place.honcho.requests.length).toBe(asked)
  })

  it('refuses another customer’s Mind with 404, and Honcho hears nothing of it', async () => {
    const mindId = await tell('Ada: One.')
    await place.forward()
    const bob = await makeMemoryCaller(place.service, { partnerId: ada.partnerId })
    const asked = place.honcho.requests.length
    for (const [name, input] of [
      ['recall', {}],
      ['ask', { question: 'Who?' }]
    ] as const)
      expect((await bob.refusal(name, { mindId, ...input })).code).toBe('mind_not_found')
    expect(place.honcho.requests.length).toBe(asked)
  })

  it('works against a Honcho that asks for no key', async () => {
    await tell('Ada: One.')
    await place.forward()
    const keyless = await openTestService('sqlite', { MEMORY_ENGINE: 'honcho', HONCHO_URL: place.honcho.url })
    const bob = await makeMemoryCaller(keyless.service)
    await bob.call('remember', { content: 'Bob: Two.' })
    await bob.call('recall')
    expect(place.honcho.requests.at(-1)?.key).toBe('')
    await keyless.close()
  })
})

describe('a recall of a Honcho that is slow', () => {
  it('takes three seconds at most, whatever HONCHO_TIMEOUT_MS is', async () => {
    const place = await openHonchoPlace('sqlite')
    const ada = await makeMemoryCaller(place.service)
    await ada.call('remember', { content: 'Ada: I live in Lisbon.' })
    place.honcho.behave('silent')
    const startedAt = performance.now()
    expect(await ada.call('recall')).toMatchObject({ degraded: true })
    expect(performance.now() - startedAt).toBeLessThan(PATIENT_MS)
    await place.close()
  })
})

describe('switching between engines', () => {
  let place: HonchoPlace
  beforeAll(async () => {
    place = await openHonchoPlace('sqlite', { MEMORY_ENGINE: 'embedded' })
  })
  afterAll(() => place.close())

  it('loses no memory, there and back', async () => {
    const { env } = place
    const embedded = await makeMemoryCaller(place.service)
    const mindId = stringAt(
      await embedded.call('remember', { content: 'Ada: The gate opens at seven.' }),
      'mindId'
    )
    expect(place.honcho.requests).toEqual([])

    const there = await openService(loadConfig({ ...env, MEMORY_ENGINE: 'honcho' }), place.service.log)
    await forwardAll(there)
    await embedded.through(there).call('remember', { content: 'Ada: The boat is called Marlin.' })
    await forwardAll(there)
    expect(place.honcho.told(mindId)).toEqual([
      'Ada: The gate opens at seven.',
      'Ada: The boat is called Marlin.'
    ])
    expect(
      at(await embedded.through(there).call('ask', { question: 'When does the gate open?' }), 'answer')
    ).toContain('seven')
    await there.close()

    for (const [question, answer] of [
      ['When does the gate open?', 'seven'],
      ['What is the boat called?', 'Marlin']
    ] as const)
      expect(at(await embedded.call('ask', { question }), 'answer')).toContain(answer)
  })
})
