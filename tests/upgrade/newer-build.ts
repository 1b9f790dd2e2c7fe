// A build of tomorrow: these sources with one more migration, which adds what today's processes know nothing of.
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../deploy/support/kit.ts'

const PARTS = [
  'schemas',
  'src',
  'servers',
  'scripts',
  'locales',
  'package.json',
  'package-lock.json',
  'tsconfig.json'
]

const MIGRATION = `import * as t from './statements.ts'
export const up = t.running([
  ...t.added('customer', ...t.textOrNull('tomorrow'), '"isLate" integer not null default 0'),
  t.table('tomorrow', t.owned, t.goesWith('partner')),
  t.index('customerTomorrow', 'customer', 'partnerId', 'tomorrow')
])
`

/** The command of the build, and how to be rid of it. */
export async function buildNewer(): Promise<{ command: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'mindgate-newer-'))
  for (const part of PARTS) cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'src/database/migrations/900-tomorrow.ts'), MIGRATION)
  const file = join(folder, 'src/database/migrate.ts')
  const list = /^export const migrations?\b.*?\n\}|^const migrations\b.*?\n\}/ms
  const text = readFileSync(file, 'utf8')
  const known = list.exec(text)?.[0]
  if (!known) throw new Error('migrate.ts has no list of migrations')
  const longer = known.replace(/\n\}$/, ",\n  '900-tomorrow': { up: tomorrow }\n}")
  writeFileSync(
    file,
    `import { up as tomorrow } from './migrations/900-tomorrow.ts'\n${text.replace(known, longer)}`
  )
  await promisify(execFile)(process.execPath, [join(folder, 'scripts/build.mjs')], { cwd: folder })
  return {
    command: join(folder, 'dist/servers/cli.js'),
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}
