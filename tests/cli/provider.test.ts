import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROVIDERS } from '../../schemas/voice-agent.ts'
import { type Environment, environmentAt, makePartner, mindgate } from '../support/cli.ts'
import { makeTestPlace, type TestPlace } from '../support/databases.ts'
import { PROVIDER_KEY, type StandIn, startStandIn } from '../voice-agents/stand-in.ts'

describe.each(PROVIDERS)('keys of provider %s', (provider) => {
  let place: TestPlace
  let standIn: StandIn
  let env: Environment
  let partnerId: string

  beforeAll(async () => {
    place = await makeTestPlace('sqlite')
    standIn = await startStandIn(provider, [{ id: 'one', name: 'One', createdAt: '2026-01-01T00:00:00Z' }])
    env = environmentAt(place, { [`PROVIDER_${provider.toUpperCase()}_URL`]: standIn.url })
    ;({ partnerId } = await makePartner(env))
  })
  afterAll(async () => {
    await standIn.close()
    await place.remove()
  })

  const command = (verb: string, args: readonly string[] = [], input = '') =>
    mindgate(
      env,
      ['provider', verb, '--partner', partnerId, '--provider', provider, ...args, '--json'],
      input
    )

  it('are set from standard input, tried, and forgotten, and never printed', async () => {
    expect(await command('test')).toMatchObject({ code: 1, stderr: expect.stringContaining('No key is set') })
    const set = await command('set', [], `${PROVIDER_KEY}\n`)
    expect(set).toMatchObject({ code: 0 })
    expect(JSON.parse(set.stdout)).toEqual({ partnerId, provider, isSet: true })
    const tested = await command('test')
    expect(JSON.parse(tested.stdout)).toEqual({ partnerId, provider, ok: true, agentCount: 1 })
    expect(set.stdout + set.stderr + tested.stdout + tested.stderr).not.toContain(PROVIDER_KEY)
    expect(JSON.parse((await command('remove')).stdout)).toMatchObject({ wasSet: true })
    expect(await command('test')).toMatchObject({ code: 1 })
  })

  it('are read from a file, and a file without one is refused', async () => {
    const file = join(place.dataDir, 'provider.key')
    writeFileSync(file, 'first line\nsecond line')
    expect(await command('set', ['--key-file', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no key')
    })
    writeFileSync(file, 'a-wrong-key')
    expect(await command('set', ['--key-file', file])).toMatchObject({ code: 0 })
    expect(await command('test')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('refused your key')
    })
  })
})
