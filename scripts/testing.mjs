// What both test commands share: a build that is checked, and a run whose counts are read from its closing line.
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export const root = join(import.meta.dirname, '..')

/** Written by tests/support/closing-line.ts, and by both commands. */
const CLOSING_LINE = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/

/** Builds and checks; without that no test says anything. */
export function buildAndCheck() {
  for (const script of ['build.mjs', 'check.mjs']) {
    const { status } = spawnSync(process.execPath, [join(import.meta.dirname, script)], { stdio: 'inherit' })
    if (status !== 0) giveUp(`scripts/${script} failed; no test was run.`)
  }
}

/** Runs vitest in this folder. */
export function runVitest(args) {
  return runCounted(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args])
}

/** Runs a command, shows what it prints but for its closing line, and resolves to the counts in that one. */
export async function runCounted(command, args, { cwd = root, env = process.env } = {}) {
  const hasColour = process.stdout.isTTY && !process.env.NO_COLOR
  const child = spawn(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: hasColour ? { ...env, FORCE_COLOR: '1' } : env
  })
  const exited = new Promise((resolve) => {
    child.once('error', () => resolve(1))
    child.once('close', resolve)
  })
  let counts
  for await (const line of createInterface({ input: child.stdout })) {
    const found = CLOSING_LINE.exec(line)
    if (found) counts = found.slice(1).map((count) => Number(count ?? 0))
    else console.log(line)
  }
  const code = (await exited) ?? 1
  const [passed, failed, skipped] = counts ?? [0, 1, 0]
  // An error outside of any test fails the run, too.
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, skipped }
}

/** Says the closing line of the sum, last of all, and sets the exit code by it. */
export function close(results) {
  const sum = (name) => results.reduce((total, counts) => total + counts[name], 0)
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''
  console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`)
  process.exitCode = sum('failed') > 0 ? 1 : 0
}

export function giveUp(reason) {
  console.error(`\n${reason}\n`)
  console.log('0 passed, 1 failed')
  process.exit(1)
}
