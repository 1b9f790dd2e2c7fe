// The documented ways in: `npx mindgate` takes the built command as it lies there, and builds nothing; whoever doesn't own
// the folder, where npx won't start it, runs the command itself.
import { execFile, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const NOBODY = 65_534

/** Somebody who can't write there, if we may be somebody else. */
const other = { uid: NOBODY, gid: NOBODY }
const mayBeOther = process.getuid?.() === 0 && spawnSync(process.execPath, ['--version'], other).status === 0

describe('npx in a clone', () => {
  let place: string
  let clone: string
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'mindgate-npx-'))
    clone = join(place, 'clone')
    for (const folder of ['node_modules', 'dist/servers', 'schemas', 'src', 'servers', 'locales'])
      mkdirSync(join(clone, folder), { recursive: true })
    for (const part of ['package.json', 'package-lock.json', 'scripts'])
      cpSync(join(root, part), join(clone, part), { recursive: true })
    // What there is after `npm ci` without what builds.
    const command = join(clone, 'dist/servers/cli.js')
    writeFileSync(command, '#!/usr/bin/env node\nconsole.log(process.argv.at(-1), process.argv.length)\n')
    for (const path of [place, command]) chmodSync(path, 0o755)
    const { status } = spawnSync(process.execPath, [join(clone, 'scripts/build.mjs')])
    expect(status).toBe(0)
  })
  afterAll(() => rmSync(place, { recursive: true }))

  /** Every file with what would tell that it was touched. */
  const listing = () =>
    readdirSync(clone, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((path) => {
        const { mode, size, mtimeMs, ino } = lstatSync(join(clone, path))
        return { path, mode, size, mtimeMs, ino }
      })

  const run = (command: string, args: string[], home: string, user: Partial<typeof other> = {}) =>
    promisify(execFile)(command, [...args, '--version'], {
      cwd: clone,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: home,
        npm_config_cache: join(home, 'cache'),
        // Whatever asks for a package fails.
        npm_config_registry: 'http://127.0.0.1:9/',
        npm_config_fetch_retries: '0',
        npm_config_update_notifier: 'false'
      },
      ...user
    })

  it('runs by npx what is built, and leaves everything as it is', async () => {
    const before = listing()
    expect((await run('npx', ['mindgate'], join(place, 'home'))).stdout).toBe('--version 3\n')
    expect(listing()).toEqual(before)
  })

  it.runIf(mayBeOther)('runs for somebody else, too', async () => {
    const before = listing()
    expect((await run('dist/servers/cli.js', [], place, other)).stdout).toBe('--version 3\n')
    expect(listing()).toEqual(before)
  })

  it('has one command, however often it is built', () => {
    const before = listing()
    expect(spawnSync(process.execPath, [join(clone, 'scripts/build.mjs'), '--if-needed']).status).toBe(0)
    expect(listing()).toEqual(before)
  })
})
