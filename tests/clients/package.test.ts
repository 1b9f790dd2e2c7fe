// The client as others get it: packed, with its own dependencies and nothing else, and as its README says.
import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const client = join(root, 'clients/typescript')

const EXAMPLES = readFileSync(join(client, 'README.md'), 'utf8')
  .split(/^#+ /m)
  .flatMap((section) => {
    const code = /^```ts\n(.*?)^```/ms.exec(section)?.[1]
    return code ? { title: section.slice(0, section.indexOf('\n')), code } : []
  })

describe('the TypeScript client’s package', () => {
  let server: TestServer
  let place: string

  beforeAll(async () => {
    server = await startTestServer('sqlite')
    for (let made = 0; made < 3; made += 1) {
      await server.api('POST', '/customers', { key: server.partner.key, body: { email: uniqueEmail() } })
    }
    place = mkdtempSync(join(tmpdir(), 'mindgate-client-'))
    await unpack()
  })
  afterAll(async () => {
    rmSync(place, { recursive: true, force: true })
    await server.close()
  })

  async function unpack() {
    await run('npm', ['pack', '--pack-destination', place], { cwd: client })
    const tarball = readdirSync(place).find((name) => name.endsWith('.tgz')) ?? ''
    await run('tar', ['-xzf', tarball], { cwd: place })
    const { dependencies } = JSON.parse(readFileSync(join(place, 'package/package.json'), 'utf8'))
    mkdirSync(join(place, 'node_modules/@mindgate'), { recursive: true })
    cpSync(join(place, 'package'), join(place, 'node_modules/@mindgate/client'), { recursive: true })
    for (const name of [...Object.keys(dependencies), '@types/node']) {
      mkdirSync(dirname(join(place, 'node_modules', name)), { recursive: true })
      symlinkSync(join(root, 'node_modules', name), join(place, 'node_modules', name))
    }
    writeFileSync(join(place, 'package.json'), '{ "type": "module" }')
    EXAMPLES.forEach(({ code }, at) => {
      writeFileSync(join(place, `example-${at}.ts`), code)
    })
  }

  it('has what it needs, and nothing more', () => {
    const files = readdirSync(join(place, 'package'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
    expect(files).toEqual(
      expect.arrayContaining([
        'package.json',
        'README.md',
        'LICENSE',
        'index.js',
        'index.d.ts',
        'openapi.d.ts'
      ])
    )
    expect(
      files.filter((name) => !/\.(?:js|d\.ts)$|^(?:package\.json|README\.md|LICENSE)$/.test(name))
    ).toEqual([])
  })

  it.each([
    ['its own TypeScript', 'clients/typescript/node_modules/typescript'],
    ['the newest', 'node_modules/typescript']
  ])('type-checks the README’s examples with %s', async (_, compiler) => {
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node']
    const files = EXAMPLES.map((_example, at) => `example-${at}.ts`)
    const compiled = await run(process.execPath, [join(root, compiler, 'bin/tsc'), ...options, ...files], {
      cwd: place
    }).catch(({ stdout }: { stdout: string }) => ({ stdout }))
    expect(compiled.stdout).toBe('')
  })

  it.each(EXAMPLES.map(({ title }, at) => ({ title, at })))(
    'runs the README’s example $title',
    async ({ at }) => {
      const env = {
        PATH: process.env.PATH,
        MINDGATE_URL: server.url,
        MINDGATE_KEY: server.partner.key,
        WEBHOOK_SECRET: 'whsec_c2VjcmV0'
      }
      const { stderr } = await run(process.execPath, [`example-${at}.js`], { cwd: place, env })
      expect(stderr).toBe('')
    }
  )
})
