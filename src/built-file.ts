import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url).href

/**
 * A program of ours that Node is to run by itself: beside the file that names it where that is built; run from the
 * sources, where it was built to.
 * @throws Error when it isn't built
 */
export function builtFile(beside: URL): string {
  const places = [beside, new URL(`dist/${beside.href.slice(root.length)}`, root)]
  const place = places.find((candidate) => existsSync(candidate))
  if (!place) throw new Error('Mindgate isn’t built. Run: npm run build')
  return fileURLToPath(place)
}
