// What a process loads before it is ready. Whatever it may never use is loaded with its first use: that is memory and time
// of every start.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { environmentAt } from '../support/cli.ts'
import { makeTestPlace } from '../support/databases.ts'

const root = join(import.meta.dirname, '../..')

/** Models, SSH, mails but for reading addresses, threads, figures, passwords and pictures; and what of ours uses them. */
const LATER =
  /node_modules\/(?:openai|ssh2|nodemailer(?!.*addressparser)|piscina|prom-client|@node-rs\/argon2|@napi-rs\/image)\/|servers\/metrics\.ts|ssh\/sign-in\.ts/

/** Notes the address of each module that is resolved. */
const hooksTo = (file: string): string => `
  import { appendFileSync } from 'node:fs'
  export async function resolve(specifier, context, next) {
    const resolved = await next(specifier, context)
    appendFileSync(${JSON.stringify(file)}, resolved.url + '\\n')
    return resolved
  }`

it('is nothing that it may never use', async () => {
  const place = await makeTestPlace('sqlite')
  const loaded = join(place.dataDir, 'loaded.txt')
  const register = join(place.dataDir, 'register.mjs')
  writeFileSync(
    register,
    `import { register } from 'node:module'\nregister(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooksTo(loaded))}`)})\n`
  )
  const args = ['--import', 'tsx', '--import', register, 'servers/cli.ts', 'serve']
  const service = spawn(process.execPath, args, {
    cwd: root,
    env: environmentAt(place, { METRICS_TOKEN: 'of nobody who asks for them' }),
    stdio: ['ignore', 'pipe', 'ignore']
  })
  const ended = once(service, 'exit')
  await Promise.race([once(createInterface({ input: service.stdout }), 'line'), ended])
  service.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)

  const modules = readFileSync(loaded, 'utf8').split('\n')
  expect(modules.filter((url) => url.endsWith('/servers/main.ts'))).not.toEqual([])
  expect(modules.filter((url) => LATER.test(url))).toEqual([])
  await place.remove()
})
