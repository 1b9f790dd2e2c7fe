// Builds dist/: compiles (types are `npm run check`'s), removes what has no source any more, bundles the widget, and makes the CLI executable.
// --if-needed builds only when a source is newer than dist/; --is-current only tells whether none is, as exit code.
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { bundleWidget } from './bundle-widget.mjs'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const cli = join(dist, 'servers', 'cli.js')
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')

const [flag] = process.argv.slice(2)
if (flag === '--is-current') process.exit(isCurrent() ? 0 : 1)
// npx links the folder into its cache at each start, and would have it built over the dist that serves.
if (flag === '--prepare' && process.env.npm_command === 'exec') process.exit(0)
if (flag !== '--if-needed' || !isCurrent()) await buildIfPossible()

async function buildIfPossible() {
  if (existsSync(compiler)) return build()
  if (existsSync(cli)) return console.log('TypeScript is not installed here: dist/ stays as it is.')
  console.error('TypeScript is needed once to build dist/. Run: npm ci --include=dev')
  process.exit(1)
}

async function build() {
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit'
  })
  if (status !== 0) process.exit(status ?? 1)
  removeStale()
  copyScripts()
  await bundleWidget()
  chmodSync(cli, 0o755)
}

function isCurrent() {
  const builtAt = existsSync(cli) ? statSync(cli).mtimeMs : 0
  return ['schemas', 'src', 'servers'].every((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .every((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs <= builtAt)
  )
}

/** What a deleted or renamed source left behind would still be imported, by tests as by people. */
function removeStale() {
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const source = join(root, relative(dist, file))
    const module = source.replace(/\.js(\.map)?$/, '')
    const hasSource = [source, `${module}.ts`, `${module}.tsx`, `${module}.js`].some((path) =>
      existsSync(path)
    )
    if (entry.isFile() && !hasSource) rmSync(file)
  }
}

/** What browsers get as it is, and what customers' servers get. */
function copyScripts() {
  copyFiles('servers', '.js')
  copyFiles('src', '.sh')
}

function copyFiles(folder, ending) {
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(ending)) continue
    const file = join(entry.parentPath, entry.name)
    const copy = join(dist, relative(root, file))
    mkdirSync(dirname(copy), { recursive: true })
    copyFileSync(file, copy)
  }
}
