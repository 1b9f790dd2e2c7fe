// That a key was used is written seldom: each commit is one that others wait for.
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fromNow, MINUTE_MS } from '../../src/clock.ts'
import { createUses } from '../../src/keys/uses.ts'
import { databases } from '../support/databases.ts'
import { makeKey, makePartner } from '../support/fixture.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe.each(databases)('uses of keys on %s', (kind) => {
  let opened: TestService
  let partnerId: string
  beforeAll(async () => {
    opened = await openTestService(kind)
    partnerId = (await makePartner(opened.service)).partnerId
  })
  afterAll(() => opened.close())

  /** Notes that keys which were last used then are used again; how many commits that took. */
  async function commitsFor(ids: string[], lastUsedAt: string): Promise<number> {
    const { uses, done } = countingUses()
    for (const id of ids) uses.note('apiKey', id, lastUsedAt)
    // Whoever asks for it meanwhile writes nothing again.
    await Promise.all([uses.flush(), uses.flush()])
    return done.commits
  }

  /** Uses whose commits are counted, and what goes on in the background. */
  function countingUses(before: (nth: number) => unknown = () => undefined) {
    const { database } = opened.service
    const done = { commits: 0 }
    const background: Promise<unknown>[] = []
    const counting: typeof database = {
      ...database,
      async transaction(work) {
        done.commits += 1
        await before(done.commits)
        return database.transaction(work)
      }
    }
    return { done, background, uses: createUses(counting, (work) => background.push(work)) }
  }

  const lastUseOf = async (id: string) => {
    const keys = opened.service.database.read.selectFrom('apiKey').where('id', '=', id)
    return (await keys.select('lastUsedAt').executeTakeFirstOrThrow()).lastUsedAt
  }

  it('are written again after a minute, and not before', async () => {
    const { keyId } = await makeKey(opened.service, partnerId)
    expect(await commitsFor([keyId], fromNow(-MINUTE_MS / 2))).toBe(0)
    expect(await lastUseOf(keyId)).toBeNull()
    expect(await commitsFor([keyId], fromNow(-MINUTE_MS - 1))).toBe(1)
    expect(await lastUseOf(keyId)).not.toBeNull()
  })

  it('are written together, five hundred at once, and the last of them, too', async () => {
    const { keyId } = await makeKey(opened.service, partnerId)
    const others = Array.from({ length: 999 }, (_, index) => `key_${index}`)
    expect(await commitsFor([...others, keyId], fromNow(-MINUTE_MS - 1))).toBe(2)
    expect(await lastUseOf(keyId)).not.toBeNull()
  })

  it('are written at once where they are the first, and what comes meanwhile by one commit more', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => makeKey(opened.service, partnerId)))
    const [first, ...rest] = made.map(({ keyId }) => keyId)
    const held = new AbortController()
    const { uses, done, background } = countingUses((nth) => nth === 1 && once(held.signal, 'abort'))
    uses.note('apiKey', first ?? '', null)
    await vi.waitUntil(() => done.commits === 1)
    for (const id of rest) uses.note('apiKey', id, null)
    expect(done.commits).toBe(1)
    held.abort()
    for (const work of background) await work
    expect(done.commits).toBe(2)
    for (const { keyId } of made) expect(await lastUseOf(keyId)).not.toBeNull()
  })

  it('stay for the next time where they can’t be written', async () => {
    const { keyId } = await makeKey(opened.service, partnerId)
    const { uses } = countingUses((nth) => nth === 1 && Promise.reject(new Error('busy')))
    uses.note('apiKey', keyId, fromNow(-MINUTE_MS - 1))
    await expect(uses.flush()).rejects.toThrow('busy')
    expect(await lastUseOf(keyId)).toBeNull()
    await uses.flush()
    expect(await lastUseOf(keyId)).not.toBeNull()
  })

  it('of a process leave alone what another wrote within the minute', async () => {
    const { keyId } = await makeKey(opened.service, partnerId)
    const recently = fromNow(-MINUTE_MS / 2)
    await opened.service.database.transaction((tx) =>
      tx.updateTable('apiKey').set({ lastUsedAt: recently }).where('id', '=', keyId).execute()
    )
    expect(await commitsFor([keyId], fromNow(-MINUTE_MS - 1))).toBe(1)
    expect(await lastUseOf(keyId)).toBe(recently)
  })
})
