// What the authorization server keeps, row by row: under which name, for how long, for which app, and how often it serves.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS, fromNow, HOUR_MS, now } from '../../src/clock.ts'
import { GRACE_MS, isSteppingUp, noteStepUp, openRecords } from '../../src/connected-apps/records.ts'
import { connectApp } from '../../src/connected-apps/store.ts'
import { tokenHash } from '../../src/keys/token.ts'
import { addIdentity } from '../../src/portal-access/identities.ts'
import { databases } from '../support/databases.ts'
import { makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe.each(databases)('a record of the authorization server on %s', (kind) => {
  let test: TestService
  /** Records belong to apps that are there. */
  let app: string
  let other: string
  beforeAll(async () => {
    test = await openTestService(kind)
    const { id: partnerId } = await makePartnerRow(test.service)
    const client = { clientId: 'https://assistant.example', clientName: 'Assistant' }
    ;[app, other] = await test.service.database.transaction(async (tx) => {
      const person = { identityId: await addIdentity(tx, partnerId, 'ada@example.com') }
      const connected = { person, client, scopes: [], requestId: 'req_test' }
      return [await connectApp(tx, partnerId, connected), await connectApp(tx, partnerId, connected)]
    })
  })
  afterEach(() => test.service.database.transaction((tx) => tx.deleteFrom('oauthRecord').execute()))
  afterAll(() => test.close())

  const of = (name: string) => openRecords(test.service.database, name)
  const rows = () => test.service.database.read.selectFrom('oauthRecord').selectAll().execute()
  const change = (columns: { consumedAt?: string; payload?: string }) =>
    test.service.database.transaction((tx) => tx.updateTable('oauthRecord').set(columns).execute())

  it('is found by its secret, which no row holds; a client by its id', async () => {
    for (const name of ['AccessToken', 'Client']) await of(name).save('the-id', { jti: 'the-id', a: 1 }, 60)
    expect(await of('AccessToken').find('the-id')).toEqual({ a: 1, jti: 'the-id' })
    expect(await of('Client').find('the-id')).toEqual({ a: 1 })
    expect(await of('AccessToken').find('another')).toBe(undefined)
    const kept = (await rows()).map((row) => [row.kind, row.id, row.payload])
    expect(kept.toSorted()).toEqual([
      ['AccessToken', tokenHash('the-id'), '{"a":1}'],
      ['Client', 'the-id', '{"a":1}']
    ])
  })

  it('of a request under way names itself without its secret; others are kept as they are', async () => {
    const payload = { returnTo: 'https://here/auth/the-id', uid: 'the-id' }
    await of('Interaction').save('the-id', payload, 60)
    expect((await rows())[0]?.payload).not.toContain('the-id')
    expect(await of('Interaction').find('the-id')).toEqual({ ...payload, jti: 'the-id' })
    await of('AccessToken').save('the-id', { note: 'the-id' }, 60)
    await change({ payload: JSON.stringify({ note: 'the-id' }) })
    expect(await of('AccessToken').find('the-id')).toMatchObject({ note: 'the-id' })
    const odd = { note: 'a \u0001 of its own' }
    await of('Session').save('other', odd, 60)
    expect(await of('Session').find('other')).toEqual({ ...odd, jti: 'other' })
  })

  it('ends when it is told to, or never, and belongs to its grant', async () => {
    await of('Client').save('client', {}, undefined)
    await of('Grant').save(app, { grantId: other }, 60)
    await of('AuthorizationCode').save('code', { grantId: app }, 3_600)
    await of('Session').save('session', { grantId: 7 }, 60)
    const kept = Object.fromEntries((await rows()).map((row) => [row.kind, row]))
    expect(kept.Client?.expiresAt).toBe(null)
    const lasts = Date.parse(kept.AuthorizationCode?.expiresAt ?? '') - Date.now()
    expect(Math.round(lasts / HOUR_MS)).toBe(1)
    expect(['Client', 'Grant', 'AuthorizationCode', 'Session'].map((name) => kept[name]?.appId)).toEqual([
      null,
      app,
      app,
      null
    ])
  })

  it('serves once, and a refresh token for a minute more', async () => {
    for (const name of ['AuthorizationCode', 'RefreshToken']) {
      await of(name).save('the-id', {}, 60)
      expect(await of(name).find('the-id')).toEqual({ jti: 'the-id' })
    }
    const consume = async (name: string) => [
      await of(name).consume('the-id'),
      await of(name).consume('the-id')
    ]
    const used = async (name: string) => (await of(name).find('the-id'))?.consumed
    expect(await consume('AuthorizationCode')).toEqual([true, false])
    expect(Math.abs(Number(await used('AuthorizationCode')) - Date.now() / 1_000)).toBeLessThan(60)
    expect(await consume('RefreshToken')).toEqual([true, true])
    expect(await used('RefreshToken')).toBe(undefined)
    const isKept = (await rows()).map(({ expiresAt }) => (expiresAt ?? '') > fromNow(6 * DAY_MS))
    expect(isKept).toEqual([true, true])
    const before = fromNow(-GRACE_MS - 1_000)
    await change({ consumedAt: before })
    expect(await used('RefreshToken')).toBe(Math.floor(Date.parse(before) / 1_000))
    expect(await consume('RefreshToken')).toEqual([false, false])
    expect(await of('RefreshToken').consume('another')).toBe(false)
  })

  it('of an app is one of so many; one more ends the oldest, and nothing of others', async () => {
    const count = async (name: string) => (await rows()).filter((row) => row.kind === name).length
    const saveAll = async (name: string, grantId: string | undefined, most: number) => {
      for (let i = 1; i <= most; i += 1)
        await of(name).save(`${grantId} ${i}`, grantId ? { grantId } : {}, 60 + i)
    }
    await saveAll('AuthorizationCode', app, 25)
    await saveAll('AccessToken', undefined, 25)
    expect([await count('AuthorizationCode'), await count('AccessToken')]).toEqual([25, 25])
    await saveAll('AccessToken', other, 20)
    await saveAll('AccessToken', app, 22)
    expect(await count('AccessToken')).toBe(25 + 20 + 20)
    expect(await of('AccessToken').find(`${app} 2`)).toBe(undefined)
    expect(await of('AccessToken').find(`${app} 3`)).toBeDefined()
    // The one of another kind by the same secret.
    expect(await of('AuthorizationCode').find(`${app} 1`)).toBeDefined()
    await of('AccessToken').remove(`${app} 3`)
    expect(await of('AccessToken').find(`${app} 3`)).toBe(undefined)
    expect(await of('AuthorizationCode').find(`${app} 3`)).toBeDefined()
  })

  it('says for a moment that an app was told to ask for more', async () => {
    const { database } = test.service
    expect(await isSteppingUp(database, app)).toBe(false)
    await noteStepUp(database, app)
    expect([await isSteppingUp(database, app), await isSteppingUp(database, other)]).toEqual([true, false])
    await change({ payload: JSON.stringify({ until: now() }) })
    expect(await isSteppingUp(database, app)).toBe(false)
  })
})
