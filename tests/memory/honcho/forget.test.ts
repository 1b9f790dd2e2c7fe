import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fromNow, HOUR_MS } from '../../../src/clock.ts'
import { loadConfig } from '../../../src/config.ts'
import { openHoncho } from '../../../src/memory/honcho/api.ts'
import { startRemovals } from '../../../src/memory/honcho/removals.ts'
import { openService } from '../../../src/service.ts'
import { databases } from '../../support/databases.ts'
import { stringAt, unique } from '../../support/fixture.ts'
import { HONCHO_KEY } from '../../support/honcho.ts'
import type { HonchoBehaviour } from '../../support/honcho-faults.ts'
import { type MemoryCaller, makeMemoryCaller } from '../caller.ts'
import { tablesWith } from '../every-table.ts'
import { removeMinds } from '../remove-minds.ts'
import { type HonchoPlace, openHonchoPlace, PATIENT_MS, patienceWith } from './service.ts'

const POSTS = /^POST .*\/messages$/

describe.each(databases)('forgetting at Honcho on %s', (kind) => {
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
  })
  afterEach(async () => {
    place.honcho.release()
    place.honcho.behave('good')
    await place.service.database.transaction(async (tx) => {
      await removeMinds(tx)
      await tx.deleteFrom('honchoRemoval').execute()
    })
  })

  const removals = () => place.service.database.read.selectFrom('honchoRemoval').selectAll().execute()

  it('deletes a memory and all that Honcho made of it, and leaves the others', async () => {
    await place.forward()
    expect(place.honcho.mentions(planted)).toBe(true)
    await ada.call('forget', { memoryId })
    expect(await tablesWith(place, planted)).toEqual([])
    await place.remove()
    expect(place.honcho.mentions(planted)).toBe(false)
    expect(place.honcho.told(mindId)).toEqual(['Ada: The gate opens at seven.'])
    expect(await removals()).toEqual([])
  })

  it('deletes a Mind with its workspace', async () => {
    await place.forward()
    await ada.call('forget_mind', { mindId })
    expect(place.honcho.workspaces.has(mindId)).toBe(true)
    await place.remove()
    expect(place.honcho.workspaces.has(mindId)).toBe(false)
    expect(await removals()).toEqual([])
  })

  it('looks for a Mind’s workspace again once no question can make it anew', async () => {
    await place.forward()
    await ada.call('forget_mind', { mindId })
    await settledRemove()
  })

  it('asks again within the hour where a clock that ran ahead says when', async () => {
    await place.forward()
    await ada.call('forget', { memoryId })
    const ahead = { settledAt: fromNow(7 * HOUR_MS) }
    await place.service.database.transaction((tx) => tx.updateTable('honchoRemoval').set(ahead).execute())
    await place.removeDue()
    const [removal] = await removals()
    expect(removal?.lastError).toBe(null)
    expect(removal && removal.dueAt <= fromNow(HOUR_MS)).toBe(true)
  })

  it('deletes a Mind of more memories than a page of Honcho’s has', async () => {
    const other = stringAt(await ada.call('create_mind', { name: 'Other' }), 'mindId')
    await ada.call('remember', { content: 'One.', mindId: other })
    await place.forward()
    const workspace = place.honcho.workspaces.get(other)
    for (let i = 0; i < 250; i += 1) workspace?.sessions.set(`mem_${i}`, { isActive: true })
    await ada.call('forget_mind', { mindId: other })
    await place.remove()
    expect(place.honcho.workspaces.has(other)).toBe(false)
  })

  it('asks Honcho for nothing where nothing was ever forwarded', async () => {
    const asked = place.honcho.requests.length
    await ada.call('forget', { memoryId })
    await ada.call('forget_mind', { mindId })
    expect(await removals()).toEqual([])
    await place.remove()
    expect(place.honcho.requests.length).toBe(asked)
  })

  it('forgets what waits to be forwarded before it is sent', async () => {
    place.honcho.behave('overloaded')
    await place.forward()
    place.honcho.behave('good')
    await ada.call('forget', { memoryId })
    await place.forward()
    expect(place.honcho.told(mindId)).toEqual(['Ada: The gate opens at seven.'])
    await place.remove()
    expect(place.honcho.told(mindId)).toEqual(['Ada: The gate opens at seven.'])
  })

  it('deletes a memory that was forgotten while it was on its way', async () => {
    const posts = new RegExp(`^POST .*/sessions/${memoryId}/messages$`)
    place.honcho.behave('waits', { on: posts })
    const underWay = place.honcho.asked(posts)
    const forwarding = place.forward()
    await underWay
    await ada.call('forget', { memoryId })
    // Honcho has nothing of it yet.
    await settledRemove()
    place.honcho.release()
    await forwarding
    expect(place.honcho.mentions(planted)).toBe(true)
    // Its arrival is known by now: nothing is waited for.
    await place.removeDue()
    expect(place.honcho.mentions(planted)).toBe(false)
    expect(place.honcho.told(mindId)).toEqual(['Ada: The gate opens at seven.'])
    expect(await removals()).toEqual([])
  })

  it('deletes a Mind that was forgotten while one of its memories was on its way', async () => {
    place.honcho.behave('waits', { on: POSTS, times: 1 })
    const underWay = place.honcho.asked(POSTS)
    const forwarding = place.forward()
    await underWay
    await ada.call('forget_mind', { mindId })
    await settledRemove()
    expect(await removals()).toMatchObject([{ workspaceId: mindId, sessionId: '' }])
    place.honcho.release()
    await forwarding
    expect(place.honcho.workspaces.has(mindId)).toBe(true)
    await place.remove()
    expect(place.honcho.workspaces.has(mindId)).toBe(false)
    expect(await removals()).toEqual([])
  })

  /** Does what is due, as long as calls that are under way may still come through. */
  const settledRemove = async () => {
    const [row] = await removals()
    expect(row?.settledAt).toBeDefined()
    expect(row && row.settledAt > fromNow(20_000)).toBe(true)
    await place.removeDue()
    expect(await removals()).toMatchObject([{ dueAt: row?.settledAt, attempts: 0 }])
  }

  it('deletes a memory whose sending nobody knows the end of', async () => {
    await place.service.database.transaction((tx) =>
      tx
        .updateTable('mindJob')
        .set({ isUnsure: 1, madeWith: place.honcho.url, watermark: 0 })
        .where('kind', '=', 'forward')
        .execute()
    )
    await ada.call('forget', { memoryId })
    expect(await removals()).toMatchObject([{ sessionId: memoryId }])
    expect((await removals())[0]?.settledAt.localeCompare(fromNow(60_000))).toBe(1)
  })

  const faults: HonchoBehaviour[] = [
    ...(['fails', 'overloaded', 'limits', 'refuses-key', 'not-json', 'silent', 'drips'] as const),
    ...(['cuts-off', 'hangs-up', 'too-large', 'redirects', 'accepts-then-dies'] as const)
  ]
  // The others differ in nothing that a database would notice.
  it.each(kind === 'sqlite' ? faults : (['overloaded'] as const))(
    'forgets here at once while Honcho %s, and there when it is back',
    async (behaviour) => {
      await place.forward()
      place.honcho.behave(behaviour)
      await ada.call('forget', { memoryId })
      expect(await tablesWith(place, planted)).toEqual([])
      await place.remove(patienceWith(behaviour))
      const [waiting] = await removals()
      expect(waiting).toMatchObject({ attempts: 1, lastError: expect.stringMatching(/Honcho|HONCHO_/) })
      if (behaviour === 'limits') expect(waiting && waiting.dueAt > fromNow(15_000)).toBe(true)
      place.honcho.behave('good')
      await place.remove()
      expect(place.honcho.mentions(planted)).toBe(false)
      expect(await removals()).toEqual([])
      for (const line of place.logs)
        for (const text of [planted, HONCHO_KEY.slice(0, 8)]) expect(line).not.toContain(text)
    }
  )

  it('deletes at Honcho what is forgotten after switching back to the embedded engine', async () => {
    await place.forward()
    const embedded = await openService(
      loadConfig({ ...place.env, MEMORY_ENGINE: 'embedded' }),
      place.service.log
    )
    await ada.through(embedded).call('forget', { memoryId })
    await place.remove()
    expect(place.honcho.mentions(planted)).toBe(false)
    await embedded.close()
  })

  it('leaves alone what is to be deleted at another Honcho', async () => {
    await place.forward()
    await ada.call('forget', { memoryId })
    await place.service.database.transaction((tx) =>
      tx.updateTable('honchoRemoval').set({ serverUrl: 'http://before.example' }).execute()
    )
    await place.remove()
    expect(await removals()).toHaveLength(1)
    expect(place.honcho.mentions(planted)).toBe(true)
  })

  it('deletes a Mind here and leaves what is to be deleted of it at another Honcho', async () => {
    await place.forward()
    await ada.call('forget', { memoryId })
    await place.service.database.transaction((tx) =>
      tx.updateTable('honchoRemoval').set({ serverUrl: 'http://before.example' }).execute()
    )
    await ada.call('forget_mind', { mindId })
    expect((await removals()).map(({ sessionId }) => sessionId).sort()).toEqual(['', memoryId])
  })

  it('stops at once, also where it only just began', async () => {
    await place.forward()
    await ada.call('forget', { memoryId })
    place.honcho.behave('silent')
    const { config, database, log } = place.service
    const server = config.honcho.server
    if (!server) throw new Error('No Honcho is configured')
    const worker = startRemovals({ database, log, honcho: openHoncho(server), lookMs: 60_000, stepMs: 0 })
    const startedAt = performance.now()
    const drained = worker.drain()
    await worker.stop()
    await drained
    expect(performance.now() - startedAt).toBeLessThan(PATIENT_MS)
  })

  it('does it in the background of the running service', async () => {
    await place.forward()
    await ada.call('forget', { memoryId })
    const deleted = place.honcho.asked(/^DELETE .*\/sessions\//)
    place.service.start('http://localhost')
    await deleted
  })
})
