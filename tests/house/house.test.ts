// `npm run check` keeps the house in order: each rule is shown a file that breaks it, in a copy of the house's settings.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

const root = join(import.meta.dirname, '../..')
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')

const use = (path: string) => `import { thing } from '${path}'\n\nexport const use = () => thing()\n`
const lines = (count: number) =>
  `${Array.from({ length: count }, (_, i) => `export const v${i} = ${i}`).join('\n')}\n`

const UP_A_FLOOR = 'lint/style/noRestrictedImports'

/** What breaks a rule: where, with what content, and which rule. */
const BROKEN: [path: string, content: string, rule: string][] = [
  ['src/customers/up-1.ts', use('../../servers/main.ts'), UP_A_FLOOR],
  ['src/up-2.ts', use('../servers/rest/routes.ts'), UP_A_FLOOR],
  ['src/up-3.ts', use('hono'), UP_A_FLOOR],
  ['src/up-4.ts', use('@hono/node-server'), UP_A_FLOOR],
  ['src/up-5.ts', use('@modelcontextprotocol/server'), UP_A_FLOOR],
  ['src/up-6.ts', "export const use = () => import('../servers/main.ts')\n", UP_A_FLOOR],
  ['schemas/up-1.ts', use('../src/clock.ts'), UP_A_FLOOR],
  ['schemas/up-2.ts', use('../servers/main.ts'), UP_A_FLOOR],
  ['schemas/up-3.ts', use('kysely'), UP_A_FLOOR],
  ['src/long.ts', lines(301), 'lint/style/noExcessiveLinesPerFile']
]

const SOUND: [path: string, content: string][] = [
  ['servers/rest/down-1.ts', use('../../src/clock.ts')],
  ['servers/down-2.ts', use('hono')],
  ['src/customers/down-3.ts', use('../../schemas/customer.ts')],
  ['src/down-1.ts', use('./clock.ts')],
  ['schemas/down-1.ts', use('./primitives.ts')],
  ['schemas/down-2.ts', use('zod')],
  ['src/just-fits.ts', lines(300)]
]

const Report = z.object({
  diagnostics: z.array(
    z.object({
      category: z.string(),
      severity: z.string(),
      location: z.object({ path: z.union([z.string(), z.object({ file: z.string() })]).nullish() })
    })
  )
})

describe('the check', () => {
  let copy: string
  let exitCode: number | null
  let broken: { rule: string; path: string }[]

  beforeAll(async () => {
    copy = mkdtempSync(join(tmpdir(), 'mindgate-house-'))
    for (const file of ['biome.json', '.gitignore']) cpSync(join(root, file), join(copy, file))
    for (const [path, content] of [...BROKEN, ...SOUND]) {
      mkdirSync(dirname(join(copy, path)), { recursive: true })
      writeFileSync(join(copy, path), content)
    }
    const { code, stdout } = await lint(copy)
    exitCode = code
    broken = Report.parse(JSON.parse(stdout)).diagnostics.map(({ category, location: { path } }) => ({
      rule: category,
      path: (typeof path === 'string' ? path : path?.file) ?? ''
    }))
  })
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  it('fails when anything is broken', () => {
    expect(exitCode).toBe(1)
  })

  it.each(BROKEN)('finds what is wrong with %s', (path, _, rule) => {
    expect(broken.filter((one) => one.path.endsWith(path)).map((one) => one.rule)).toContain(rule)
  })

  it.each(SOUND)('finds nothing wrong with %s', (path) => {
    expect(broken.filter((one) => one.path.endsWith(path))).toEqual([])
  })
})

function lint(folder: string): Promise<{ code: number | null; stdout: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [biome, 'lint', '--error-on-warnings', '--reporter=json', '--max-diagnostics=none'],
      { cwd: folder, maxBuffer: 16 * 1024 * 1024 },
      (_, stdout) => resolve({ code: child.exitCode, stdout })
    )
  })
}
