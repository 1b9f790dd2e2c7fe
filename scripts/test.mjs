// The one test command: is the machine ready, does it build, is it clean, does it work. Arguments go to vitest:
// npm test -- tests/cli
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const root = join(import.meta.dirname, '..')
const require = createRequire(import.meta.url)

/** Written by tests/support/closing-line.ts. */
const CLOSING_LINE = /^\d+ passed, \d+ failed/

const problem = nodeProblem() ?? sqliteProblem()
if (problem) giveUp(problem)
for (const script of ['build.mjs', 'check.mjs']) {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, script)], { stdio: 'inherit' })
  if (status !== 0) giveUp(`scripts/${script} failed; no test was run.`)
}
await runTests(process.argv.slice(2))

function nodeProblem() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const numbers = (version) => version.replace(/^\D+/, '').split('.').map(Number)
  const [major = 0, minor = 0] = numbers(process.versions.node)
  const [leastMajor = 0, leastMinor = 0] = numbers(engines.node)
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined
  return `Node ${engines.node} is needed; this is ${process.versions.node}. See https://nodejs.org`
}

function sqliteProblem() {
  try {
    const Sqlite = require('better-sqlite3')
    new Sqlite(':memory:').close()
    return undefined
  } catch (error) {
    return `better-sqlite3 can’t be loaded: ${error.message.split('\n')[0]}

It is compiled while npm installs it, which takes a C++ compiler, make and python3, and Node’s headers, which
node-gyp downloads (or finds by itself when Node was installed with them).
  Debian, Ubuntu:  apt-get install -y build-essential python3
  macOS:           xcode-select --install
Then build it again:
  npm rebuild better-sqlite3`
  }
}

/** Runs vitest; its closing line comes last whatever is written behind it. */
async function runTests(args) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const hasColour = process.stdout.isTTY && !process.env.NO_COLOR
  const child = spawn(process.execPath, [vitest, 'run', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: hasColour ? { ...process.env, FORCE_COLOR: '1' } : process.env
  })
  const exited = new Promise((resolve) => {
    child.once('close', resolve)
  })
  let closingLine
  for await (const line of createInterface({ input: child.stdout })) {
    if (CLOSING_LINE.test(line)) closingLine = line
    else console.log(line)
  }
  const code = await exited
  if (!closingLine) giveUp('vitest ended without a result.')
  console.log(closingLine)
  process.exitCode = code ?? 1
}

function giveUp(reason) {
  console.error(`\n${reason}\n`)
  console.log('0 passed, 1 failed')
  process.exit(1)
}
