// Kills an import in the middle. memory/import.test.ts interrupts it there in the test's own process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { answerOf, cliFile, type Environment } from '../support/cli.ts'
import { databases } from '../support/databases.ts'
import { Imported, type Importer, type ImportFixture, openImportFixture } from './memory-imports.ts'

describe.each(databases)('the memory import on %s', (kind) => {
  let fixture: ImportFixture
  let env: Environment
  let fileOf: Importer['fileOf']
  let importing: Importer['importing']
  let stored: Importer['stored']

  beforeAll(async () => {
    fixture = await openImportFixture(kind)
    ;({ env } = fixture)
  })
  afterAll(() => fixture.close())
  beforeEach(async () => {
    ;({ fileOf, importing, stored } = await fixture.makeImporter())
  })

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
