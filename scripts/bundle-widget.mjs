// Bundles <mindgate-chat> into one script for browsers: dist/servers/portal/widget/browser/mindgate-chat.js
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const folder = join('servers', 'portal', 'widget', 'browser')
const source = join(root, folder, 'mindgate-chat.ts')
const bundle = join(root, 'dist', folder, 'mindgate-chat.js')

/** The path of the bundle. Whoever reads it meanwhile has the old one or the new one, never half of one. */
export async function bundleWidget() {
  const { build, transform } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    minify: true,
    write: false,
    // A classic script runs from another host too, where a module would need that host's consent.
    format: 'iife',
    target: ['es2022', 'chrome123', 'firefox121', 'safari17.5'],
    legalComments: 'inline',
    charset: 'utf8',
    plugins: [{ name: 'tight templates', setup: (bundler) => tightenTemplates(bundler, transform) }]
  })
  mkdirSync(dirname(bundle), { recursive: true })
  const unfinished = `${bundle}.${process.pid}`
  writeFileSync(unfinished, outputFiles[0].contents)
  renameSync(unfinished, bundle)
  return bundle
}

/** Templates of HTML and CSS are written to be read: once the code has no line breaks of its own, theirs can go. */
function tightenTemplates(bundler, transform) {
  bundler.onLoad({ filter: /widget[\\/]browser[\\/].*\.ts$/ }, async ({ path }) => {
    const { code } = await transform(readFileSync(path, 'utf8'), {
      loader: 'ts',
      minify: true,
      charset: 'utf8'
    })
    const tight = code.trim().replaceAll(/\n\s*/g, ' ')
    const isStyles = /[\\/]styles[\\/]/.test(path)
    return {
      contents: isStyles ? tight.replaceAll(/ ?([{};]) /g, '$1').replaceAll(/([{;][\w-]+): /g, '$1:') : tight,
      loader: 'js'
    }
  })
}
