import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { cliFile, environmentAt } from '../support/cli.ts'
import { makeTestPlace } from '../support/databases.ts'

it('serve ends with the npx that started it, which hands no signal on', async () => {
  const place = await makeTestPlace('sqlite')
  // As npx does: a shell of its own between it and the command.
  const shell = spawn('sh', ['-c', '"$0" "$1" serve; exit $?', process.execPath, cliFile], {
    env: { ...environmentAt(place), npm_command: 'exec' },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let log = ''
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const line = await new Promise<string>((resolve) => {
    createInterface({ input: shell.stdout }).once('line', resolve)
  })
  const { url } = z.object({ url: z.string() }).parse(JSON.parse(line))
  expect((await fetch(`${url}/healthz`)).status).toBe(200)

  shell.kill('SIGTERM')
  while (!log.includes('"msg":"stopped"')) await sleep(5)
  await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')
  await place.remove()
})
