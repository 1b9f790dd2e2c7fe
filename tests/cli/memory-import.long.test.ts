// Kills an import in the middle. memory/import.test.ts interrupts it there in the test's own process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { openService, type Service } from '../../src/service.ts'
import { type MemoryCaller, makeMemoryCaller } from '../memory/caller.ts'
import { answerOf, cliFile, type Environment, environmentAt } from '../support/cli.ts'
import { databases, makeTestPlace, type TestPlace } from '../support/databases.ts'

const Imported = z.strictObject({ imported: z.int(), alreadyThere: z.int() })

describe.each(databases)('the memory import on %s', (kind) => {
  let place: TestPlace
  let env: Environment
  let service: Service
  let ada: MemoryCaller

  beforeAll(async () => {
    place = await makeTestPlace(kind)
    env = environmentAt(place, { RATE_LIMIT: '0', MEMORY_RATE_LIMIT: '0' })
    service = await openService(loadConfig(env), createLog('silent'))
  })
  afterAll(async () => {
    await service.close()
    await place.remove()
  })
  beforeEach(async () => {
    ada = await makeMemoryCaller(service)
  })

  const lineOf = (i: number) => JSON.stringify({ content: `Line ${i}`, occurredAt: '2026-01-01T00:00:00Z' })
  const fileOf = (count: number) => {
    const file = join(place.dataDir, `${ada.customerId}.jsonl`)
    writeFileSync(file, Array.from({ length: count }, (_, i) => `${lineOf(i)}\n`).join(''))
    return file
  }
  const importing = (file: string) => ['memory', 'import', '--customer', ada.customerId, '--file', file]
  const stored = async () => {
    const rows = await service.database.read
      .selectFrom('memory')
      .innerJoin('mind', 'mind.key', 'memory.mindKey')
      .where('customerId', '=', ada.customerId)
      .select(['content', 'seq'])
      .orderBy('seq')
      .execute()
    return rows.map(({ content }) => content)
  }

  it('goes on where a kill stopped it, and stores nothing twice', async () => {
    let [count, before] = [0, 0]
    // One that was done before it was killed goes on with a file that grew.
    while (before === count) {
      count += 1_000
      const child = spawn(process.execPath, [cliFile, ...importing(fileOf(count))], { env, stdio: 'ignore' })
      const ended = once(child, 'exit')
      while ((await stored()).length === before && child.exitCode === null) await sleep(5)
      child.kill('SIGKILL')
      await ended
      before = (await stored()).length
    }
    const file = fileOf(count)
    expect(await answerOf(Imported, env, ...importing(file))).toEqual({
      imported: count - before,
      alreadyThere: before
    })
    expect(await answerOf(Imported, env, ...importing(file))).toEqual({ imported: 0, alreadyThere: count })
    expect(await stored()).toEqual(Array.from({ length: count }, (_, i) => `Line ${i}`))
  })
})
