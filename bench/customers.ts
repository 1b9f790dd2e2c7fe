// `npm run bench:customers`: what the console's list takes of the server with very many customers, beside plain SQL.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Sqlite from 'better-sqlite3'
import { loadConfig } from '../src/config.ts'
import { execute } from '../src/execute.ts'
import { createLog } from '../src/log.ts'
import { operations } from '../src/operations.ts'
import { openService } from '../src/service.ts'
import { growTo, NEEDLE } from './growth-rows.ts'

const HELP = `npm run bench:customers -- [options]

  --size <n>    customers of the partner (10000)
  --rounds <n>  how often each read is measured (200)
  --json        answer with one line of JSON
`
const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '200' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false }
  }
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit()
}

const size = Number(values.size)
const GOAL_MS = 50
const MIDDLE = Math.ceil(size / 40)
const LARGE = { limit: 100 }

/** What the page asks for beside the labels of its filters. */
const READS: Record<string, [operation: string, input: object]> = {
  'newest first': ['customer_find', {}],
  'newest first, 100 a page': ['customer_find', LARGE],
  'newest first, in the middle': ['customer_find', { page: MIDDLE }],
  'oldest first, in the middle': ['customer_find', { sort: 'createdAt', page: MIDDLE }],
  'by name': ['customer_find', { sort: 'name', ...LARGE }],
  'by name, in the middle': ['customer_find', { sort: '-name', page: MIDDLE }],
  'by company, in the middle': ['customer_find', { sort: 'companyName', page: MIDDLE }],
  'search, one': ['customer_find', { search: NEEDLE }],
  'search, nearly all': ['customer_find', { search: 'clinic.example', ...LARGE }],
  'search, nearly all, by name': ['customer_find', { search: 'clinic.example', sort: 'name', ...LARGE }],
  'search, two letters': ['customer_find', { search: 'ad', ...LARGE }],
  'a third of them': ['customer_find', { monthlyCallVolume: '0-500', ...LARGE }],
  'a third of them, by company': ['customer_find', { monthlyCallVolume: '0-500', sort: 'companyName' }],
  'blocked, of half a year': [
    'customer_find',
    {
      credentialStatus: 'suspended',
      createdFrom: new Date(Date.now() - 183 * 86_400_000).toISOString().slice(0, 10)
    }
  ],
  'all days, by name': ['customer_find', { createdFrom: '2020-01-01', sort: 'name', ...LARGE }],
  'low on credits': ['customer_find', { need: 'credits', ...LARGE }],
  'a slice of the file': ['customer_export', { search: 'clinic.example' }]
}

const folder = mkdtempSync(join(tmpdir(), 'mindgate-bench-'))
const service = await openService(loadConfig({ DATA_DIR: folder }), createLog('silent'))
try {
  const { partnerId } = await growTo(service, size)
  const caller = { partnerId, actor: 'bench', scopes: new Set(operations.map(({ scope }) => scope)) }
  const labels = () => called('customer_labels', {})
  const called = (name: string, input: object) => {
    const operation = operations.find((candidate) => candidate.name === name)
    if (!operation) throw new Error(`There is no operation ${name}.`)
    return execute(operation, service, { caller, requestId: 'bench' }, input)
  }
  const file = new Sqlite(service.config.databaseLocation, { readonly: true })
  const plain = file.prepare(
    'select * from "customer" where "partnerId" = ? order by "createdAt" desc, "id" desc limit 20'
  )
  const figures: Record<string, { p50: number; p95: number }> = {}
  figures['baseline: the first 20 rows in plain SQL'] = await measured(async () => void plain.all(partnerId))
  for (const [title, [name, input]] of Object.entries(READS))
    figures[title] = await measured(async () => {
      await called(name, input)
      if (name === 'customer_find') await labels()
    })
  file.close()
  if (values.json) process.stdout.write(`${JSON.stringify({ size, figures })}\n`)
  else print(figures)
} finally {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
}

async function measured(read: () => Promise<unknown>) {
  const times: number[] = []
  for (let round = -5; round < Number(values.rounds); round += 1) {
    const before = process.cpuUsage()
    await read()
    const { user, system } = process.cpuUsage(before)
    // Of the processor, since others' work on the machine only adds to the clock's.
    if (round >= 0) times.push((user + system) / 1_000)
  }
  times.sort((one, other) => one - other)
  const at = (part: number) =>
    times[Math.min(Math.floor(times.length * part), times.length - 1)] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95) }
}

function print(figures: Record<string, { p50: number; p95: number }>): void {
  const lines = Object.entries(figures).map(
    ([title, { p50, p95 }]) =>
      `${title.padEnd(42)}${p50.toFixed(2).padStart(9)}${p95.toFixed(2).padStart(9)}${p95 > GOAL_MS ? '  slow' : ''}`
  )
  const head = `${`${size} customers, SQLite, CPU ms`.padEnd(42)}${'p50'.padStart(9)}${'p95'.padStart(9)}`
  process.stdout.write(`${[head, ...lines].join('\n')}\n`)
}
