// Types, style and floors, unused code, languages: all at once, and silent about what is well.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const tool = (path) => join(root, 'node_modules', ...path.split('/'))

const checks = {
  // One checker: several instantiate most types again, each for itself (measured: 26 s of CPU with four, 13 with one).
  types: [tool('typescript/bin/tsc'), '-p', 'tsconfig.json', '--checkers', '1', ...kept('types')],
  'types of the widget': [tool('typescript/bin/tsc'), '-p', 'servers/portal/widget/browser/tsconfig.json'],
  'style and floors': [tool('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '--colors=off'],
  'unused code': [
    ...[tool('knip/bin/knip.js'), '--no-progress', '--cache'],
    ...['--cache-location', tool('.cache/mindgate-check/knip')]
  ],
  languages: [join(root, 'scripts/check-locales.mjs')]
}

/** What was found the last time, so that only what has changed since is looked at again. */
function kept(name) {
  return ['--incremental', '--tsBuildInfoFile', tool(`.cache/mindgate-check/${name}.tsbuildinfo`)]
}

const startedAt = performance.now()
const results = await Promise.all(Object.entries(checks).map(([name, command]) => run(name, command)))
const failed = results.filter(({ code }) => code !== 0)
for (const { name, output } of failed) console.error(`✗ ${name}\n\n${output.trim()}\n`)
if (failed.length > 0) process.exit(1)
console.log(`Checked ${Object.keys(checks).join(', ')} in ${seconds(performance.now() - startedAt)}.`)

function run(name, command) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    child.once('error', (error) => resolve({ name, code: 1, output: error.message }))
    child.once('close', (code) => resolve({ name, code, output }))
  })
}

function seconds(ms) {
  return `${(ms / 1_000).toFixed(1)} s`
}
