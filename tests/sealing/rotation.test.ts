// SECRET_KEY is exchanged: who is let in with which keys, and what becomes of what is sealed.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import type { Database } from '../../src/database/database.ts'
import { createLog } from '../../src/log.ts'
import { openSecrets, rotateSecrets } from '../../src/sealing.ts'
import { createSecrets } from '../../src/secrets.ts'
import { openService, type Service } from '../../src/service.ts'
import { setProviderKey, unsealProviderKey } from '../../src/voice-agents/providers/keys.ts'
import { writeLetter } from '../mail/letters.ts'
import { environmentAt } from '../support/cli.ts'
import { databases, makeTestPlace, type TestPlace } from '../support/databases.ts'
import {
  everythingOpened,
  expectedOf,
  forgetKeyIds,
  makeInstances,
  makeSealedRows,
  NEW_KEY,
  OLD_KEY
} from './sealed-rows.ts'

const REFUSAL = 'neither SECRET_KEY nor in SECRET_KEY_PREVIOUS'

describe.each(databases)('an exchange of the key on %s', (kind) => {
  let place: TestPlace
  const opened: Service[] = []
  beforeEach(async () => {
    place = await makeTestPlace(kind)
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((service) => service.close()))
    await place.remove()
  })

  const start = async (secretKey: string, ...previous: string[]): Promise<Service> => {
    const keys = { SECRET_KEY: secretKey, SECRET_KEY_PREVIOUS: previous.join(',') }
    const service = await openService(loadConfig(environmentAt(place, keys)), createLog('silent'))
    opened.push(service)
    return service
  }
  const rotate = ({ database, secrets }: Service, onProgress: (done: number) => void = () => undefined) =>
    rotateSecrets(database, secrets, onProgress)
  const forgetNote = (database: Database) =>
    database.transaction((tx) =>
      tx.deleteFrom('setting').where('name', '=', 'secretKeyFingerprint').execute()
    )
  const DONE = { sealedMeanwhile: 0, unreadable: [] }

  it('lets several processes go over one by one, and nobody start who could not read the others', async () => {
    const first = await start(OLD_KEY)
    const made = await makeSealedRows(first)
    await expect(start(NEW_KEY)).rejects.toThrow(REFUSAL)

    const learned = await start(OLD_KEY, NEW_KEY)
    const sealing = await start(NEW_KEY, OLD_KEY)
    await expect(start(OLD_KEY)).rejects.toThrow(REFUSAL)
    await expect(start(NEW_KEY)).rejects.toThrow(REFUSAL)
    await start(OLD_KEY, NEW_KEY)
    const theirs = sealing.secrets.seal('of the new', 'row')
    expect(learned.secrets.unseal(theirs, 'row')).toBe('of the new')
    expect(sealing.secrets.unseal(learned.secrets.seal('of the old', 'row'), 'row')).toBe('of the old')

    expect(await rotate(sealing)).toEqual({ ...DONE, resealed: 7 })
    const last = await start(NEW_KEY)
    expect(await everythingOpened(last.database, last.secrets, made)).toEqual(expectedOf(made, 1))
    await expect(start(OLD_KEY)).rejects.toThrow(REFUSAL)
    // Who comes late with the old key makes it needed again.
    await start(OLD_KEY, NEW_KEY)
    await expect(start(NEW_KEY)).rejects.toThrow(REFUSAL)
  })

  it.each([
    ['on a fresh database', []],
    ['in place of the same key', [OLD_KEY]]
  ])('lets one of several in that come at once with keys of their own, %s', async (_, previousSecretKeys) => {
    const { config, database } = await start(OLD_KEY)
    if (previousSecretKeys.length === 0) await forgetNote(database)
    const keys = Array.from({ length: 8 }, (_, i) => String(i).repeat(32))
    const opening = keys.map((secretKey) =>
      openSecrets({ ...config, secretKey, previousSecretKeys }, database)
    )
    const outcomes = await Promise.allSettled(opening)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('can be repeated, and gives texts their key’s id that are from before there were any', async () => {
    const service = await start(OLD_KEY)
    const made = await makeSealedRows(service)
    await makeInstances(service, made.instance, 120)
    await forgetKeyIds(service.database)
    const progress: number[] = []
    expect(await rotate(service, (done) => progress.push(done))).toEqual({ ...DONE, resealed: 127 })
    expect(progress.at(-1)).toBe(127)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    expect(await rotate(service)).toEqual({ ...DONE, resealed: 0 })
    expect(await everythingOpened(service.database, service.secrets, made)).toEqual(expectedOf(made, 121))
  })

  it('loses nothing that is written while it goes on', async () => {
    const old = await start(OLD_KEY)
    const { partnerId } = await makeSealedRows(old)
    const { database, secrets } = await start(NEW_KEY, OLD_KEY)
    let transactions = 0
    // Between the reading of its batch, the fourth, and the writing somebody else sets another key.
    const interrupted: Database = {
      ...database,
      async transaction(work) {
        transactions += 1
        if (transactions === 4)
          await database.transaction((tx) =>
            setProviderKey(tx, old.secrets, { partnerId, provider: 'a' }, 'another')
          )
        return database.transaction(work)
      }
    }
    await rotateSecrets(interrupted, secrets, () => undefined)
    expect(await unsealProviderKey(database.read, secrets, { partnerId, provider: 'a' })).toBe('another')
  })

  it('isn’t at its end while somebody seals under the old key', async () => {
    const old = await start(OLD_KEY)
    const made = await makeSealedRows(old)
    const service = await start(NEW_KEY, OLD_KEY)
    let transactions = 0
    const first = await rotateSecrets(
      {
        ...service.database,
        async transaction(work) {
          transactions += 1
          // By now the mails were gone through.
          if (transactions === 2) await writeLetter(old, made)
          return service.database.transaction(work)
        }
      },
      service.secrets,
      () => undefined
    )
    expect(first).toEqual({ resealed: 8, sealedMeanwhile: 1, unreadable: [] })
    await expect(start(NEW_KEY)).rejects.toThrow(REFUSAL)
    expect(await rotate(service)).toEqual({ ...DONE, resealed: 0 })
    await start(NEW_KEY)
  })

  it('names what no key opens, leaves it as it is, and needs no key for it', async () => {
    const old = await start(OLD_KEY)
    const made = await makeSealedRows(old)
    const lost = createSecrets({ secretKey: 'a key that was lost, and of no use', previousSecretKeys: [] })
    await old.database.transaction(async (tx) => {
      await tx.updateTable('mail').set({ sealedSecret: 'AAAA' }).execute()
      await setProviderKey(tx, lost, { partnerId: made.partnerId, provider: 'b' }, 'lost')
    })
    const { database, secrets } = await start(NEW_KEY, OLD_KEY)
    expect(await rotateSecrets(database, secrets, () => undefined)).toEqual({
      resealed: 6,
      sealedMeanwhile: 0,
      unreadable: [
        { table: 'mail', id: made.letter.mailId },
        { table: 'providerKey', id: `${made.partnerId} b` }
      ]
    })
    expect(await database.read.selectFrom('mail').select('sealedSecret').execute()).toEqual([
      { sealedSecret: 'AAAA' }
    ])
    expect(await unsealProviderKey(database.read, lost, { partnerId: made.partnerId, provider: 'b' })).toBe(
      'lost'
    )
    await start(NEW_KEY)
  })

  it('begins anew where the only key was lost and its note was deleted', async () => {
    const old = await start(OLD_KEY)
    await makeSealedRows(old)
    await forgetNote(old.database)
    const { unreadable, ...rotated } = await rotate(await start(NEW_KEY))
    expect([rotated, unreadable.map(({ table }) => table)]).toEqual([
      { resealed: 0, sealedMeanwhile: 0 },
      ['mail', 'deploy', 'instance', 'providerKey', 'factor', 'webhook', 'webhook']
    ])
    await start(NEW_KEY)
  })
})
