// As on a machine that has nothing of ours: the packages come from the registry, and better-sqlite3 brings its binary or is
// compiled, which takes about a minute.
import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { startService } from '../support/cli.ts'
import { makeFolder, manifest } from './support/kit.ts'
import { packInto } from './support/package.ts'

const run = promisify(execFile)

it('the npm package installs into an empty folder, and runs', async () => {
  const { path: place, remove } = makeFolder()
  try {
    const archive = await packInto(place)
    const empty = join(place, 'empty')
    mkdirSync(empty)
    const options = ['--prefer-offline', '--no-fund', '--no-audit']
    await run('npm', ['install', '--prefix', empty, ...options, archive], { cwd: empty })
    const { stdout } = await run('npx', ['mindgate', '--version'], { cwd: empty })
    expect(stdout.trim()).toBe(manifest.version)
    const env = { PATH: process.env.PATH ?? '', DATA_DIR: join(place, 'data'), PORT: '0' }
    const service = await startService(env, join(empty, 'node_modules/.bin/mindgate'))
    onTestFinished(async () => void (await service.stop('SIGKILL')))
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
    expect(await service.stop()).toBe(0)
  } finally {
    remove()
  }
})
