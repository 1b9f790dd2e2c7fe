// Photographs every page of the portal and the console:
// npm run screenshots -- --out DIR [--only part-of-a-name] [--language ar]
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { takeScreenshots } from '../tests/e2e/support/screenshots.ts'

const text = { type: 'string' }
const { values } = parseArgs({ options: { out: text, only: text, language: text } })
if (!values.out) {
  console.error('Say where to: npm run screenshots -- --out screenshots')
  process.exit(2)
}
const files = await takeScreenshots(resolve(values.out), values.only, values.language)
console.log(`${files.length} pictures are in ${values.out}`)
