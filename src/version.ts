// The version of the package, read once. The sources and what is built of them lie at different depths.
import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

const candidates = ['../package.json', '../../package.json'].map((path) => new URL(path, import.meta.url))
const file = candidates.find((candidate) => existsSync(candidate))
if (!file) throw new Error('The package.json of Mindgate is missing')

export const VERSION: string = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(file, 'utf8'))).version
