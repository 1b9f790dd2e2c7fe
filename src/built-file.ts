import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url).href

/** A program for Node to run: beside its caller, or where sources are built to. @throws Error when it isn't built */
export function builtFile(beside: URL): string {
  const places = [beside, new URL(`dist/${beside.href.slice(root.length)}`, root)]
  const place = places.find((candidate) => existsSync(candidate))
  if (!place) throw new Error('Mindgate isn’t built. Run: npm run build')
  return fileURLToPath(place)
}
