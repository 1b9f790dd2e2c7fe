// The one small script of the pages; all of them work without it.
import { readFileSync } from 'node:fs'
import { versionOf } from './version.ts'

export const SCRIPT = readFileSync(new URL('./browser.js', import.meta.url), 'utf8')

export const SCRIPT_PATH = `/assets/portal-${versionOf(SCRIPT)}.js`
