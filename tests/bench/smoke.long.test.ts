// Every bench runs to its end and prints its figures. How good those are is not a test's to say.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, inject, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

const CONVERSATION = {
  id: 'smoke',
  memories: [
    { id: 'm1', occurredAt: '2026-03-01T10:00:00.000Z', content: 'Ada: my sister Grace moved to Lisbon.' },
    { id: 'm2', occurredAt: '2026-03-02T10:00:00.000Z', content: 'Ada: the boiler was mended on Monday.' }
  ],
  questions: [{ question: 'Where does Grace live?', category: 1, evidence: ['m1'], answer: 'Lisbon' }]
}

const folder = mkdtempSync(join(tmpdir(), 'mindgate-bench-'))
const conversations = join(folder, 'conversations.jsonl')
writeFileSync(conversations, `${JSON.stringify(CONVERSATION)}\n`)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const small: Record<string, readonly string[]> = {
  rest: ['--rounds', '1', '--seconds', '3'],
  mcp: ['--rounds', '1', '--seconds', '3'],
  memory: ['--answers', '--data', conversations],
  'memory-scale': ['--memories', '2000', '--minds', '5'],
  consolidation: ['--minds', '3', '--memories', '5', '--answer-ms', '20', '--blocks', '2'],
  chat: ['--rounds', '2'],
  day: ['--quick', '--db', inject('postgresUrl')],
  growth: ['--sizes', '50,100', '--rounds', '2']
}

it.each(Object.entries(small))('bench:%s prints its figures', { timeout: 660_000 }, async (name, options) => {
  const tsx = join(root, 'node_modules/.bin/tsx')
  const { stdout } = await run(tsx, [join(root, `bench/${name}.ts`), ...options, '--json'], {
    cwd: root,
    timeout: 600_000
  })
  const figures: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  expect(figures).toBeTypeOf('object')
  expect(JSON.stringify(figures)).toMatch(/:\d/)
})
