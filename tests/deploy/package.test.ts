// What `npm pack` makes runs where there is nothing else of ours. Here its packages are links to those that are installed;
// package.long.test.ts has them installed.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { VERSION } from '../../src/version.ts'
import { startService } from '../support/cli.ts'
import { kitFile, makeFolder, manifest, root } from './support/kit.ts'
import { packInto } from './support/package.ts'

describe('the npm package', () => {
  const { path: place, remove } = makeFolder()
  const installed = join(place, 'node_modules/mindgate')
  let files: string[]
  beforeAll(async () => {
    const archive = await packInto(place)
    mkdirSync(installed, { recursive: true })
    execFileSync('tar', ['xzf', archive, '-C', installed, '--strip-components=1'])
    files = execFileSync('tar', ['tzf', archive], { encoding: 'utf8' }).trim().split('\n')
    for (const name of Object.keys(manifest.dependencies)) {
      const link = join(place, 'node_modules', name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(root, 'node_modules', name), link)
    }
  })
  afterAll(remove)

  it('serves from there until SIGTERM', async () => {
    const env = { PATH: process.env.PATH ?? '', DATA_DIR: join(place, 'data'), PORT: '0' }
    const service = await startService(env, join(installed, 'dist/servers/cli.js'))
    onTestFinished(async () => void (await service.stop('SIGKILL')))
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
    // Pages need the languages, the chat its script.
    for (const page of ['/console/sign-in', '/widget.es.js', '/api/v1/mcp/openapi.json'])
      expect((await fetch(`${service.url}${page}`)).status).toBe(200)
    expect(await service.stop()).toBe(0)
  })

  it('has what is built, the unit and what is read, and no source', () => {
    const kinds = new Set(files.map((file) => file.replace(/^package\/(dist\/).*/, '$1')))
    expect([...kinds].sort()).toEqual([
      'dist/',
      'package/CHANGELOG.md',
      'package/LICENSE',
      'package/README.md',
      'package/deploy/mindgate.service',
      'package/package.json'
    ])
    expect(files.filter((file) => /\.(ts|tsx|map)$/.test(file))).toEqual([])
  })

  it('is never published by accident', () => {
    expect(manifest.private).toBe(true)
  })

  it('has the version that the command and the newest release in the changelog tell', () => {
    expect(VERSION).toBe(manifest.version)
    const [, newest] = /^## (\d\S*)/m.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')) ?? []
    expect(newest).toBe(manifest.version)
    for (const file of ['compose.sqlite.yml', 'compose.postgres.yml'])
      expect(kitFile(file)).toContain(`image: mindgate:${manifest.version}\n`)
  })
})
