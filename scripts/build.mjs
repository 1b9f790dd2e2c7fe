// Builds dist/: bundles the service (types are `npm run check`'s) and the widget, removes what has no source any more,
// makes the CLI executable, and builds the TypeScript client.
// --if-needed builds only when a source is newer than dist/; --is-current only tells whether none is, as exit code.
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { bundleService } from './bundle-service.mjs'
import { bundleWidget } from './bundle-widget.mjs'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const cli = join(dist, 'servers', 'cli.js')
const bundler = join(root, 'node_modules', 'esbuild')

const [flag] = process.argv.slice(2)
if (flag === '--is-current') process.exit(isCurrent() ? 0 : 1)
// npx links the folder into its cache at each start, and would have it built over the dist that serves.
if (flag === '--prepare' && process.env.npm_command === 'exec') process.exit(0)
if (flag !== '--if-needed' || !isCurrent()) await buildIfPossible()

async function buildIfPossible() {
  if (existsSync(bundler)) return build()
  if (existsSync(cli)) return console.log('esbuild is not installed here: dist/ stays as it is.')
  console.error('esbuild is needed once to build dist/. Run: npm ci --include=dev')
  process.exit(1)
}

async function build() {
  const built = await bundleService()
  copyScripts()
  built.add(await bundleWidget())
  removeOthers(built)
  chmodSync(cli, 0o755)
  // An image may have the service alone.
  const client = join(root, 'clients/typescript')
  if (existsSync(join(client, 'node_modules'))) await import(join(client, 'build.mjs'))
}

function isCurrent() {
  const builtAt = existsSync(cli) ? statSync(cli).mtimeMs : 0
  const isOlder = (file) => statSync(file).mtimeMs <= builtAt
  // Packages are in it, too.
  if (!isOlder(join(root, 'package-lock.json'))) return false
  return ['schemas', 'src', 'servers', 'locales'].every((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .every((entry) => isOlder(join(entry.parentPath, entry.name)))
  )
}

/** What a deleted or renamed source left behind, and the bundle's parts of an earlier build. */
function removeOthers(built) {
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const isCopy = existsSync(join(root, relative(dist, file)))
    if (entry.isFile() && !isCopy && !built.has(file)) rmSync(file)
  }
}

/** What browsers get as it is, what customers' servers get, and what people read. */
function copyScripts() {
  copyFiles('servers', '.js')
  copyFiles('src', '.sh')
  copyFiles('locales', '.json')
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
