import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { GO, remoteCommand } from '../../src/instances/ssh/remote-shell.ts'

const folder = mkdtempSync(join(tmpdir(), 'remote-shell-'))
afterEach(() => rmSync(folder, { recursive: true }))

it('stops a script that was told to stop before it led its session', async () => {
  const [late, begun, over] = ['setsid', 'begun', 'over'].map((name) => join(folder, name)) as [
    string,
    string,
    string
  ]
  // As on a busy machine: the sign to stop comes first.
  writeFileSync(late, `#!/bin/sh\nsleep 0.3\nPATH=${process.env.PATH}\nexec setsid "$@"\n`)
  chmodSync(late, 0o755)
  const { command } = remoteCommand(
    `trap 'touch ${over}; exit 1' TERM\ntouch ${begun}\nwhile :; do sleep 0.05; done`,
    0
  )
  const shell = spawn('/bin/sh', ['-c', command], {
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
    stdio: ['pipe', 'ignore', 'ignore']
  })
  shell.stdin.end(GO)
  await vi.waitUntil(() => existsSync(over), { timeout: 10_000 })
  expect(existsSync(begun)).toBe(true)
  await new Promise((resolve) => (shell.exitCode === null ? shell.once('exit', resolve) : resolve(undefined)))
})
