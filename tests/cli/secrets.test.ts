// The operator exchanges SECRET_KEY: what the commands say on the way, and which of them take which key.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { openService, type Service } from '../../src/service.ts'
import { makeSealedRows, NEW_KEY, OLD_KEY, type SealedRows } from '../sealing/sealed-rows.ts'
import { type Environment, environmentAt, mindgate } from '../support/cli.ts'
import { databases, makeEmptyPlace, makeTestPlace, type TestPlace } from '../support/databases.ts'

describe.each(databases)('the operator on %s', (kind) => {
  let place: TestPlace
  let service: Service
  let made: SealedRows
  const withKeys = (SECRET_KEY: string, SECRET_KEY_PREVIOUS = '', at = place): Environment =>
    environmentAt(at, { SECRET_KEY, SECRET_KEY_PREVIOUS, SSH_ALLOW_PRIVATE: '1' })

  beforeAll(async () => {
    vi.stubEnv('PATH', `${inject('postgresPrograms')}:${process.env.PATH}`)
    place = await makeTestPlace(kind)
    service = await openService(loadConfig(withKeys(OLD_KEY)), createLog('silent'))
    made = await makeSealedRows(service)
  })
  afterAll(async () => {
    await service.close()
    await place.remove()
    vi.unstubAllEnvs()
  })

  const said: string[] = []
  const command = async (env: Environment, args: string[], input = '') => {
    const ended = await mindgate(env, args, input)
    said.push(ended.stdout, ended.stderr)
    return ended
  }
  const doctor = async (env: Environment) => {
    const { stdout } = await command(env, ['doctor', '--json'])
    const { findings } = JSON.parse(stdout) as {
      findings: { check: string; state: string; remedy: string }[]
    }
    return findings.find(({ check }) => check === 'secret key')
  }
  const backUp = (env: Environment, name: string, ...more: string[]) =>
    command(env, ['backup', '--to', join(place.dataDir, name), '--json', ...more])

  it('can seal nothing with a key that the service would not open', async () => {
    const key = () => service.database.read.selectFrom('providerKey').selectAll().execute()
    const before = await key()
    for (const args of [
      ['provider', 'set', '--partner', made.partnerId, '--provider', 'a'],
      ['mail', 'resend', '--partner', made.partnerId, '--mail', made.letter.mailId],
      [
        'instance',
        'add',
        '--customer',
        made.customerId,
        '--host',
        '127.0.0.1',
        '--host-key',
        made.instance.hostKey
      ],
      ['secrets', 'rotate']
    ]) {
      const ended = await command(withKeys(NEW_KEY), args, 'another-provider-key')
      expect([args, ended]).toEqual([args, expect.objectContaining({ code: 1, stdout: '' })])
      expect(ended.stderr).toContain('neither SECRET_KEY nor in SECRET_KEY_PREVIOUS')
    }
    expect(await key()).toEqual(before)
    expect(await doctor(withKeys(NEW_KEY))).toMatchObject({ state: 'fail' })
  })

  it('is told at each step what comes next, and which backup needs which key', async () => {
    expect(await doctor(withKeys(OLD_KEY))).toMatchObject({ state: 'ok' })
    const both = withKeys(NEW_KEY, OLD_KEY)
    const set = await command(
      both,
      ['provider', 'set', '--partner', made.partnerId, '--provider', 'b'],
      'fresh-key'
    )
    expect(set.code).toBe(0)
    expect(await doctor(both)).toMatchObject({
      state: 'warn',
      message: expect.stringContaining('Not everything')
    })
    expect(await doctor(withKeys(NEW_KEY))).toMatchObject({ state: 'fail' })
    expect(JSON.parse((await backUp(both, 'amid.backup')).stdout).secretKey).toEqual({
      from: 'SECRET_KEY with SECRET_KEY_PREVIOUS',
      copiedTo: null
    })
    const withKey = await backUp(both, 'keyed.backup', '--with-secret-key')
    expect([withKey.code, withKey.stderr]).toEqual([1, expect.stringContaining('mindgate secrets rotate')])
    expect(existsSync(join(place.dataDir, 'keyed.backup.key'))).toBe(false)

    const rotated = await command(both, ['secrets', 'rotate'])
    expect(rotated).toMatchObject({
      code: 0,
      stdout: 'Sealed anew: 7.\nEverything is sealed under SECRET_KEY: SECRET_KEY_PREVIOUS can go.\n'
    })
    expect(await doctor(both)).toMatchObject({
      state: 'warn',
      message: expect.stringContaining('Nothing needs')
    })
    expect(await doctor(withKeys(NEW_KEY))).toMatchObject({ state: 'ok' })
    expect(JSON.parse((await backUp(both, 'after.backup')).stdout).secretKey.from).toBe('SECRET_KEY')
  })

  it('restores a backup from amid with both keys only', async () => {
    const restore = async (previous: string) => {
      const elsewhere = await makeEmptyPlace(kind)
      mkdirSync(elsewhere.dataDir, { recursive: true })
      const args = ['restore', '--from', join(place.dataDir, 'amid.backup')]
      const ended = await command(withKeys(NEW_KEY, previous, elsewhere), args)
      const found = await doctor(withKeys(NEW_KEY, previous, elsewhere))
      await elsewhere.remove()
      return [ended.code, found?.state]
    }
    expect(await restore('')).toEqual([1, 'ok'])
    expect(await restore(OLD_KEY)).toEqual([0, 'warn'])
  })

  it('finds a text under a key that is gone, and one that no key opens', async () => {
    await service.database.transaction((tx) => tx.updateTable('mail').set({ sealedSecret: 'AAAA' }).execute())
    const env = withKeys(NEW_KEY)
    const { code, stdout } = await command(env, ['secrets', 'rotate'])
    expect([code, stdout]).toEqual([1, expect.stringMatching(new RegExp(`mail +${made.letter.mailId}`))])
    expect(stdout).not.toContain('can go')
    const sealedSecret = service.secrets.seal('late', made.letter.mailId)
    await service.database.transaction((tx) => tx.updateTable('mail').set({ sealedSecret }).execute())
    expect(await doctor(env)).toMatchObject({ state: 'fail' })
  })

  it('never reads a key anywhere', () => {
    for (const text of said) for (const key of [OLD_KEY, NEW_KEY]) expect(text).not.toContain(key)
  })
})
