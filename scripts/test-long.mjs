// What the gate leaves out: the long tests, and the gate itself on the newest Node LTS. docs/testing.md says why.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildAndCheck, close, root, runCounted, runVitest } from './testing.mjs'

/** To be raised when a newer line becomes LTS (https://github.com/nodejs/release). */
const NEWEST_LTS = '26'

buildAndCheck()
const args = process.argv.slice(2)
const LONG = ['--config', 'vitest.long.config.ts']
/** They measure how long answers take: one after the other, and nothing else beside them. */
const FAIRNESS = 'tests/fairness'
const alone = ['--no-file-parallelism']
const results = []
// Arguments choose among the long tests.
if (args.length > 0) {
  const isMeasured = args.some((arg) => arg.includes(FAIRNESS))
  results.push(await runVitest([...LONG, ...(isMeasured ? alone : []), ...args]))
} else {
  results.push(await runVitest([...LONG, '--exclude', `${FAIRNESS}/**`]))
  results.push(await runVitest([...LONG, ...alone, FAIRNESS]))
  results.push(await gateOnNewestLts())
}
close(results)

/** A copy of what is here, installed and tested by that Node. */
async function gateOnNewestLts() {
  const folder = mkdtempSync(join(tmpdir(), 'mindgate-node-'))
  try {
    // What the package `node` stands for here; it has the headers that better-sqlite3 is compiled against, too.
    const name = `node-${process.platform}-${process.arch}`
    npm(folder, [
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--no-fund',
      '--no-audit',
      `${name}@${NEWEST_LTS}`
    ])
    const node = join(folder, 'node_modules', name)
    const env = { ...process.env, PATH: `${join(node, 'bin')}:${process.env.PATH}`, npm_config_nodedir: node }
    const copy = join(folder, 'mindgate')
    copySources(copy)
    npm(copy, ['ci', '--no-fund', '--no-audit'], env)
    console.log(`\nThe gate on Node ${NEWEST_LTS}`)
    return await runCounted(join(node, 'bin', 'node'), ['scripts/test.mjs'], { cwd: copy, env })
  } catch (error) {
    console.error(`\nThe gate on Node ${NEWEST_LTS}: ${error.message}`)
    return { passed: 0, failed: 1, skipped: 0 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function npm(cwd, args, env = process.env) {
  const { status } = spawnSync('npm', args, { cwd, env, stdio: 'inherit' })
  if (status !== 0) throw new Error(`npm ${args[0]} ended with ${status}`)
}

function copySources(target) {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8'
  })
  if (listed.status !== 0) throw new Error('git can’t list the sources')
  for (const file of listed.stdout.split('\0').filter((name) => name && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(target, file)), { recursive: true })
    cpSync(join(root, file), join(target, file))
  }
}
