// Bundles the service with its packages: to find, open and link two thousand files took most of the time of a start.
// What `import()` names is a file of its own, and isn't read before.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

const COMMAND = 'servers/cli.ts'
/** They have files that aren't JavaScript, or look for their own. */
const APART = ['@napi-rs/image', '@node-rs/argon2', 'better-sqlite3', 'pg-native', 'pino', 'piscina', 'ssh2']

/** The paths of what was built. */
export async function bundleService() {
  const { build } = await import('esbuild')
  const builds = [COMMAND, ...programs()].map((source) =>
    build({
      absWorkingDir: root,
      entryPoints: [source],
      outdir: join(dist, dirname(source)),
      bundle: true,
      splitting: source === COMMAND,
      chunkNames: '[name]-[hash]',
      format: 'esm',
      platform: 'node',
      // Of Node's it thinks that they lack some of what patterns can say, and would compile each anew at every use.
      target: 'es2023',
      // The text stays in the memory. Names and lines stay, too: they are what the trace of an error tells.
      minifyWhitespace: true,
      lineLimit: 160,
      external: APART,
      metafile: true,
      // Packages that aren't modules expect it.
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"
      },
      plugins: [{ name: 'own places', setup: (bundler) => keepPlaces(bundler, join(dist, dirname(source))) }]
    })
  )
  const outputs = (await Promise.all(builds)).flatMap(({ metafile }) => Object.keys(metafile.outputs))
  return new Set(outputs.map((path) => join(root, path)))
}

/** What threads and other processes run: modules that another one names as a file. Each is built whole. */
function programs() {
  const named = /new URL\('([^']+)\.js', import\.meta\.url\)/g
  const files = ['src', 'servers'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file))
  )
  const beside = files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(named)].map(([, name]) =>
        join(dirname(file), `${name}.ts`)
      )
    )
  // The widget is for browsers, and built for them.
  return [...new Set(beside)].filter((file) => files.includes(file) && !file.includes('widget'))
}

/** A module finds what lies beside it where it would lie by itself, and not beside the bundle. */
function keepPlaces(bundler, folder) {
  bundler.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8')
    if (!text.includes('import.meta.url')) return undefined
    const place = JSON.stringify(relative(folder, join(dist, relative(root, path))))
    const contents = text.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`)
    return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
  })
}
