import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { type Environment, environmentAt, makePartner, mindgate } from '../support/cli.ts'
import { databases, makeTestPlace, type TestPlace } from '../support/databases.ts'

describe.each(databases)('agent import on %s', (kind) => {
  let place: TestPlace
  let env: Environment
  let partnerId: string
  let database: Database

  beforeAll(async () => {
    place = await makeTestPlace(kind)
    env = environmentAt(place)
    ;({ partnerId } = await makePartner(env))
    database = await openDatabase({
      location: place.databaseUrl ?? join(place.dataDir, 'mindgate.db'),
      maxConnections: 2,
      busyDeadlineMs: 5_000,
      onIdleError: () => undefined
    })
  })
  afterAll(async () => {
    await database.close()
    await place.remove()
  })

  const importFrom = (lines: readonly string[], provider = 'a') => {
    const file = join(place.dataDir, 'agents.jsonl')
    writeFileSync(file, lines.join('\n'))
    return mindgate(env, [
      ...['agent', 'import', '--partner', partnerId, '--provider', provider, '--file', file, '--json']
    ])
  }
  const stored = (provider: 'a' | 'b') =>
    database.read
      .selectFrom('voiceAgent')
      .where('partnerId', '=', partnerId)
      .where('provider', '=', provider)
      .select(['agentId', 'name', 'multiplierMicros'])
      .orderBy('agentId')
      .execute()

  it('brings in every line, also with a byte order mark, Windows line ends and blank lines', async () => {
    const { code, stdout } = await importFrom([
      '\uFEFF{"id":"one","name":"Réception"}\r',
      '\r',
      '{"id":"two","name":"夜間"}\r',
      ''
    ])
    expect({ code, answer: JSON.parse(stdout) }).toEqual({ code: 0, answer: { imported: 2 } })
    expect(await stored('a')).toEqual([
      { agentId: 'one', name: 'Réception', multiplierMicros: null },
      { agentId: 'two', name: '夜間', multiplierMicros: null }
    ])
  })

  it('renames an agent that is there and keeps who it is mapped to', async () => {
    await importFrom(['{"id":"mapped","name":"before"}', '{"id":"same","name":"same"}'])
    await database.transaction((tx) =>
      tx
        .updateTable('voiceAgent')
        .set({ multiplierMicros: 1_500_000 })
        .where('partnerId', '=', partnerId)
        .where('agentId', '=', 'mapped')
        .execute()
    )
    await importFrom(['{"id":"mapped","name":"after"}'])
    expect(await stored('a')).toContainEqual({
      agentId: 'mapped',
      name: 'after',
      multiplierMicros: 1_500_000
    })
  })

  it('keeps the agents of the two providers apart', async () => {
    await importFrom(['{"id":"shared","name":"at A"}'], 'a')
    await importFrom(['{"id":"shared","name":"at B"}'], 'b')
    expect(await stored('b')).toEqual([{ agentId: 'shared', name: 'at B', multiplierMicros: null }])
    expect(await stored('a')).toContainEqual({ agentId: 'shared', name: 'at A', multiplierMicros: null })
  })

  it('names every bad line and then imports none at all', async () => {
    const before = await stored('b')
    const { code, stdout, stderr } = await importFrom(
      ['{"id":"fine","name":"fine"}', 'not json', '{"id":7}', '["id"]', '{"id":"fine","name":"twice"}'],
      'b'
    )
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toContain('line 2: It is not JSON')
    expect(stderr).toContain('line 3: id must be a string; name is required')
    expect(stderr).toContain('line 4: It must be an object')
    expect(stderr).toContain('line 5: It has the same id as line 1')
    expect(await stored('b')).toEqual(before)
  })

  it('reads standard input', async () => {
    const { code, stdout } = await mindgate(
      env,
      ['agent', 'import', '--partner', partnerId, '--provider', 'a', '--file', '-', '--json'],
      '{"id":"piped","name":"Piped"}'
    )
    expect({ code, answer: JSON.parse(stdout) }).toEqual({ code: 0, answer: { imported: 1 } })
  })

  it('imports more than one batch', async () => {
    const lines = Array.from({ length: 1_001 }, (_, i) =>
      JSON.stringify({ id: `bulk-${i}`, name: `Agent ${i}` })
    )
    const { stdout } = await importFrom(lines, 'b')
    expect(JSON.parse(stdout)).toEqual({ imported: 1_001 })
    const bulk = (await stored('b')).filter(({ agentId }) => agentId.startsWith('bulk-'))
    expect(bulk).toHaveLength(1_001)
  })
})
