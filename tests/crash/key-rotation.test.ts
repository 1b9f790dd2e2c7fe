// SECRET_KEY is exchanged beside a service that runs, by a command that is killed in its middle.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { now } from '../../src/clock.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { createSecrets } from '../../src/secrets.ts'
import { openService, type Service } from '../../src/service.ts'
import { openPostOffice, type PostOffice } from '../mail/post-office.ts'
import {
  countInstances,
  everythingOpened,
  everyValue,
  expectedOf,
  forgetKeyIds,
  makeInstances,
  makeSealedRows,
  NEW_KEY,
  OLD_KEY,
  type SealedRows
} from '../sealing/sealed-rows.ts'
import {
  callApi,
  type Environment,
  environmentAt,
  killedProcess,
  mindgate,
  mindgateProcess,
  type RunningService,
  startService
} from '../support/cli.ts'
import { databases, makeTestPlace, type TestPlace } from '../support/databases.ts'
import { makeKey } from '../support/fixture.ts'
import { type Sshd, startSshd } from '../support/openssh.ts'
import { type StandIn, startStandIn } from '../voice-agents/stand-in.ts'

/** Enough batches for a kill between two of them. */
const MANY = 1_500

describe.each(databases)('a key that is exchanged on %s', (kind) => {
  let place: TestPlace
  let sshd: Sshd
  let standIn: StandIn
  let office: PostOffice
  let env: Environment
  let before: Service
  let made: SealedRows
  let key: string
  let running: RunningService

  beforeAll(async () => {
    ;[place, sshd, standIn, office] = await Promise.all([
      makeTestPlace(kind),
      startSshd(),
      startStandIn('a', [{ id: 'one', name: 'One', createdAt: '2026-01-01T00:00:00Z' }]),
      openPostOffice()
    ])
    env = environmentAt(place, { SSH_ALLOW_PRIVATE: '1', PROVIDER_A_URL: standIn.url, MAIL_URL: office.url })
    before = await openService(loadConfig({ ...env, SECRET_KEY: OLD_KEY }), createLog('silent'))
    const { host, port, username, hostKey } = sshd
    made = await makeSealedRows(before, { host, port, username, hostKey })
    sshd.authorize(made.instance.publicKey)
    ;({ key } = await makeKey(before, made.partnerId))
    // Half of it is from before sealed texts named their key.
    await makeInstances(before, made.instance, MANY / 2)
    await forgetKeyIds(before.database)
    await makeInstances(before, made.instance, MANY / 2)
    env = { ...env, SECRET_KEY: NEW_KEY, SECRET_KEY_PREVIOUS: OLD_KEY }
    running = await startService(env)
  })
  afterAll(async () => {
    await running.stop()
    await before.close()
    await Promise.all([place.remove(), sshd.remove(), standIn.close(), office.close()])
  })

  const newSecrets = createSecrets({ secretKey: NEW_KEY, previousSecretKeys: [] })
  const countDone = () => countInstances(before.database, newSecrets.keyId)
  /** The service seals a mail, which leaves at once. */
  const invite = (email: string) =>
    callApi(running.url, key, '/customers/onboard', {
      method: 'POST',
      body: { basic: { email }, allowPortalAccess: true }
    })

  /** Some rows are sealed anew then, and some are not. */
  async function killInItsMiddle(): Promise<number> {
    const untouched = await before.database.read
      .selectFrom('instance')
      .select(['id', 'privateKeySealed'])
      .execute()
    for (;;) {
      const rotation = killedProcess(env, ['secrets', 'rotate'])
      while ((await countDone()) === 0) await sleep(1)
      await rotation.kill()
      const done = await countDone()
      if (done <= MANY) return done
      // It was through before it died: once more from the beginning.
      await before.database.transaction(async (tx) => {
        for (const { id, privateKeySealed } of untouched)
          await tx.updateTable('instance').set({ privateKeySealed }).where('id', '=', id).execute()
      })
    }
  }

  it('can go, though the rotation was killed, and everything still opens', async () => {
    const done = await killInItsMiddle()
    expect(done).toBeGreaterThan(0)
    const bothKeys = createSecrets({ secretKey: NEW_KEY, previousSecretKeys: [OLD_KEY] })
    expect(await everythingOpened(before.database, bothKeys, made)).toEqual(expectedOf(made, MANY + 1))
    expect((await invite('amid@example.com')).status).toBe(200)
    const tooEarly = await mindgate({ ...env, SECRET_KEY_PREVIOUS: '' }, [
      'instance',
      'test',
      made.instance.id
    ])
    expect(tooEarly).toMatchObject({ code: 1, stderr: expect.stringContaining('SECRET_KEY_PREVIOUS') })

    const { code, stdout } = await mindgateProcess(env, ['secrets', 'rotate', '--json'])
    expect(code).toBe(0)
    const rotated = JSON.parse(stdout)
    expect(rotated).toEqual({
      resealed: expect.any(Number),
      sealedMeanwhile: 0,
      unreadable: [],
      isDone: true
    })
    expect(rotated.resealed).toBeGreaterThanOrEqual(MANY + 1 - done)
    expect((await invite('after@example.com')).status).toBe(200)

    expect(await countDone()).toBe(MANY + 1)
    const oldKeyId = before.secrets.keyId
    expect((await everyValue(before.database)).filter((value) => value.includes(oldKeyId))).toEqual([])
    expect(await running.stop()).toBe(0)
    env = { ...env, SECRET_KEY_PREVIOUS: '' }
    running = await startService(env)
    expect(await everythingOpened(before.database, newSecrets, made)).toEqual(expectedOf(made, MANY + 1))

    const used = await callApi(running.url, key, '/voice-a-agents/one/map-customer', {
      method: 'POST',
      body: { customerId: made.customerId, profitMultiplier: 1.5 }
    })
    expect(used).toMatchObject({ status: 200, body: { agent: { name: 'One' } } })
    const reached = await mindgate(env, ['instance', 'test', made.instance.id, '--json'])
    expect(JSON.parse(reached.stdout)).toMatchObject({ reachable: true })
    await before.database.transaction((tx) =>
      tx.updateTable('mail').set({ nextAttemptAt: now() }).where('id', '=', made.letter.mailId).execute()
    )
    await vi.waitFor(
      () => {
        const sent = office.received.find(({ to }) => to?.some(({ address }) => address === made.email))
        expect(sent?.text).toContain(made.letter.linkToken)
        expect(sent?.text).toContain(made.letter.temporaryPassword)
      },
      { timeout: 20_000, interval: 100 }
    )
    expect(office.received.flatMap(({ to }) => to?.map(({ address }) => address) ?? [])).toEqual(
      expect.arrayContaining(['amid@example.com', 'after@example.com'])
    )
  })
})
