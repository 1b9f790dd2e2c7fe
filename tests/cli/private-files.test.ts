// Whatever the umask is and whoever made the folder: what is written there is for its owner's eyes.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { openService } from '../../src/service.ts'
import { makeMemoryFixture } from '../mcp/memory-fixture.ts'
import { type Environment, environmentAt, mindgate, startService } from '../support/cli.ts'
import { run } from '../support/fixture.ts'

describe('the files of an installation', () => {
  let umask: number
  let place: string
  let dataDir: string
  let env: Environment
  beforeAll(() => {
    umask = process.umask(0)
  })
  afterAll(() => void process.umask(umask))
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'mindgate-private-'))
    dataDir = join(place, 'data')
    env = environmentAt({ dataDir } as Parameters<typeof environmentAt>[0])
  })
  afterEach(() => rmSync(place, { recursive: true }))

  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
  const filesIn = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  const modesIn = (folder: string) => Object.fromEntries(filesIn(folder).map((file) => [file, modeOf(file)]))
  const expectPrivate = (folder: string, least: number) => {
    const modes = modesIn(folder)
    expect(modes).toEqual(Object.fromEntries(Object.keys(modes).map((file) => [file, '600'])))
    expect(Object.keys(modes).length).toBeGreaterThanOrEqual(least)
  }
  const openFolder = () => {
    mkdirSync(dataDir)
    chmodSync(dataDir, 0o755)
  }
  const succeed = async (...args: string[]) => expect(await mindgate(env, args)).toMatchObject({ code: 0 })
  const memories = async () => {
    const service = await openService(loadConfig({ ...env, RATE_LIMIT: '0' }), createLog('silent'))
    const { partner, customerId } = await makeMemoryFixture(service)
    await run(service, partner.partnerId, 'memory_remember', { customerId, content: 'Dana lives in Porto.' })
    await service.close()
    return customerId
  }

  it('are its owner’s in a folder that was there before, which keeps its mode', async () => {
    openFolder()
    const running = await startService({ ...env, PUBLIC_URL: 'http://localhost' })
    await succeed('partner', 'create', '--name', 'Acme', '--email', 'ada@example.com')
    // The database, its two companions, and the key.
    expectPrivate(dataDir, 4)
    await running.stop()
    expect(modeOf(dataDir)).toBe('755')
  })

  it('are so in a folder that is made, too, which is closed', async () => {
    await succeed('partner', 'create', '--name', 'Acme', '--email', 'ada@example.com')
    expectPrivate(dataDir, 2)
    expect(modeOf(dataDir)).toBe('700')
  })

  it('are closed at the start where an earlier one left them open', async () => {
    openFolder()
    const service = await openService(loadConfig(env), createLog('silent'))
    await makeMemoryFixture(service)
    for (const file of filesIn(dataDir)) chmodSync(file, 0o644)
    await succeed('partner', 'list')
    expectPrivate(dataDir, 4)
    await service.close()
  })

  it('are so where they are backed up, restored, set aside or exported', async () => {
    openFolder()
    const customerId = await memories()
    const file = join(place, 'backup.db')
    const exported = join(place, 'memories.jsonl')
    writeFileSync(`${exported}.part`, 'left behind')
    await succeed('backup', '--to', file, '--with-secret-key')
    for (const kept of filesIn(dataDir)) chmodSync(kept, 0o644)
    writeFileSync(join(dataDir, 'secret.key'), 'another key\n')
    await succeed('restore', '--from', file, '--force')
    await succeed('memory', 'export', '--customer', customerId, '--file', exported)
    rmSync(`${exported}.part`)
    expect(readFileSync(exported, 'utf8')).toContain('Dana lives in Porto.')
    // Database and key, both set aside as well, and outside of the folder backup, key and export.
    expectPrivate(place, 7)
  })
})
