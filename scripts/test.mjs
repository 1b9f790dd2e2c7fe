// The one test command: is the machine ready, does it build, is it clean, does it work. Arguments go to vitest:
// npm test -- tests/cli
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { buildAndCheck, close, giveUp, root, runVitest } from './testing.mjs'

const require = createRequire(import.meta.url)

const problem = nodeProblem() ?? sqliteProblem()
if (problem) giveUp(problem)
buildAndCheck()
close([await runVitest(process.argv.slice(2))])

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
