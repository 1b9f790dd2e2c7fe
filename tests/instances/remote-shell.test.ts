import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, it, vi } from 'vitest'
import { GO, remoteCommand } from '../../src/instances/ssh/remote-shell.ts'

const folder = mkdtempSync(join(tmpdir(), 'remote-shell-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Puts a program of that name before the system’s, for the shells of `start`. */
function standIn(name: string, script: string) {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\nPATH=${process.env.PATH}\n${script}`)
  chmodSync(file, 0o755)
  return { remove: () => rmSync(file) }
}

/** `alive` closes once none of its processes is left: each of them has inherited its other end. */
function start(script: string) {
  const shell = spawn('/bin/sh', ['-c', remoteCommand(script, 0).command], {
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
    stdio: ['pipe', 'ignore', 'ignore', 'ignore', 'ignore', 'ignore', 'pipe']
  })
  const { stdin } = shell
  const alive = Array.from(shell.stdio).at(6)
  if (!stdin || !(alive instanceof Readable)) throw new Error('Both are pipes')
  return { stdin, ended: once(shell, 'exit'), allEnded: once(alive.resume(), 'close') }
}

it('stops a script that was told to stop before it led its session', async () => {
  const [begun, over] = [join(folder, 'begun'), join(folder, 'over')]
  // As on a busy machine: the sign to stop comes first.
  const late = standIn('setsid', 'sleep 0.3\nexec setsid "$@"\n')
  const shell = start(`trap 'touch ${over}; exit 1' TERM\ntouch ${begun}\nwhile :; do sleep 0.05; done`)
  shell.stdin.end(GO)
  await vi.waitUntil(() => existsSync(over), { timeout: 10_000 })
  expect(existsSync(begun)).toBe(true)
  await shell.ended
  late.remove()
})

it('is gone at once when the script has ended by itself, instead of looking for it', async () => {
  const slept = join(folder, 'slept')
  const pause = standIn('sleep', `touch ${slept}\nexec sleep "$@"\n`)
  const shell = start('exit 0')
  shell.stdin.write(GO)
  await shell.ended
  shell.stdin.end()
  await shell.allEnded
  expect(existsSync(slept)).toBe(false)
  pause.remove()
})
