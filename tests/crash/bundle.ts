// A program of ours as one file with its packages: it starts in half of the time, and these tests start many.
import { mkdirSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { nanoid } from 'nanoid'

export interface Bundle {
  file: string
  remove(): void
}

const COMPILED = ['better-sqlite3', '@node-rs/*', '@napi-rs/*', 'ssh2', 'pg-native']

/** Bundles all but compiled packages, which are found as ever, since the file lies below the project. */
export async function bundle(entry: string): Promise<Bundle> {
  const folder = join(import.meta.dirname, '../../node_modules/.cache/mindgate-tests', nanoid())
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'program.mjs')
  await build({
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: COMPILED,
    // What the packages that are CommonJS expect.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"
    },
    logLevel: 'error',
    plugins: [ownPlaces]
  })
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Each source reads what lies beside it, wherever the bundle is. */
const ownPlaces: Plugin = {
  name: 'own-places',
  setup({ onLoad }) {
    onLoad({ filter: /\/(?:src|servers|schemas|tests|scripts)\/.*\.(?:tsx?|mjs)$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const contents = source
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(join(path, '..')))
      const loader = path.endsWith('.tsx') ? 'tsx' : path.endsWith('.ts') ? 'ts' : 'js'
      return { contents, loader }
    })
  }
}
