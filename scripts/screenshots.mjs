// Photographs every page of the portal and the console: npm run screenshots -- --out DIR [--only part-of-a-name]
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { takeScreenshots } from '../tests/e2e/support/screenshots.ts'

const { values } = parseArgs({ options: { out: { type: 'string' }, only: { type: 'string' } } })
if (!values.out) {
  console.error('Say where to: npm run screenshots -- --out screenshots')
  process.exit(2)
}
const files = await takeScreenshots(resolve(values.out), values.only)
console.log(`${files.length} pictures are in ${values.out}`)
