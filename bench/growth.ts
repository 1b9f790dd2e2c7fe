// `npm run bench:growth`: whether what a partner reads takes longer the more customers it has.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadConfig } from '../src/config.ts'
import { execute } from '../src/execute.ts'
import { createLog } from '../src/log.ts'
import { operations } from '../src/operations.ts'
import { openService, type Service } from '../src/service.ts'
import { growTo, NEEDLE } from './growth-rows.ts'
import { freshDatabase, query } from './postgres.ts'

const HELP = `npm run bench:growth -- [options]

  --sizes <n,n,…>   customers of the partner (1000,10000,100000)
  --rounds <n>      how often each read is measured; the quickest counts (51)
  --postgres <url>  a role that may create databases, to measure PostgreSQL as well
  --burst           all of it came within minutes, as from an import
  --json            answer with one line of JSON
`
const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000' },
    rounds: { type: 'string', default: '51' },
    postgres: { type: 'string' },
    burst: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false }
  }
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit()
}

const GOAL = 3
const PER_PAGE = 20
const WARM_UP = 5
const sizes = values.sizes.split(',').map(Number)

/** What is asked where there are so many customers; `last` is the number of the last page. */
const readsOf = (last: number, targetId: string): Record<string, [operation: string, input: object][]> => ({
  dashboard: [['dashboard_get', {}]],
  'customers page': [
    ['customer_find', {}],
    ['customer_labels', {}]
  ],
  'middle page': [['customer_list', { page: Math.ceil(last / 2) }]],
  'last page': [['customer_list', { page: last }]],
  'updatedSince, nothing new': [['customer_list', { updatedSince: '2100-01-01T00:00:00Z' }]],
  'search, one': [['customer_list', { search: NEEDLE }]],
  'search, nobody': [['customer_list', { search: 'xylophone' }]],
  'blocked customers': [['customer_list', { credentialStatus: 'suspended' }]],
  'customers on trial': [['customer_find', { isOnTrial: true }]],
  'audit log': [['audit_list', {}]],
  'audit by target': [['audit_list', { targetId }]],
  'audit by action': [['audit_list', { action: 'customer_update' }]],
  'audit, last page': [['audit_list', { page: last }]],
  mails: [['mail_list', {}]],
  'mails that failed': [['mail_list', { status: 'failed' }]],
  'mails, last page': [['mail_list', { page: last }]],
  tokens: [['customer_token_list_all', {}]],
  'tokens, last page': [['customer_token_list_all', { page: last }]],
  agents: [['voice_agent_list', {}]],
  'agents, last page': [['voice_agent_list', { page: last }]],
  servers: [['instance_list', {}]],
  'servers, last page': [['instance_list', { page: last }]],
  statements: [['statement_list', {}]],
  'statements, last page': [['statement_list', { page: last }]],
  'open statements': [['statement_list', { status: 'draft' }]],
  calls: [['usage_list', {}]],
  'calls, deep page': [['usage_list', { page: Math.ceil(Math.min(last, 500) / 2) }]]
})

type Measured = Record<string, number>

/** Milliseconds of each read. */
async function measure(size: number, databaseUrl: string | undefined): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'mindgate-bench-'))
  const env = { DATA_DIR: folder, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) }
  const service = await openService(loadConfig(env), createLog('silent'))
  try {
    const { partnerId, targetId } = await growTo(service, size, values.burst)
    // What autovacuum would do soon after.
    if (databaseUrl) await query(databaseUrl, 'vacuum analyze')
    const reads = Object.entries(readsOf(Math.ceil(size / PER_PAGE), targetId))
    const figures: Measured = {}
    for (const [name, calls] of reads) figures[name] = await quickestOf(service, partnerId, calls)
    return figures
  } finally {
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The quickest, since others' work on the machine only adds. */
async function quickestOf(service: Service, partnerId: string, calls: [string, object][]): Promise<number> {
  const caller = { partnerId, actor: 'bench', scopes: new Set(operations.map(({ scope }) => scope)) }
  const times: number[] = []
  for (let round = -WARM_UP; round < Number(values.rounds); round += 1) {
    const startedAt = performance.now()
    for (const [name, input] of calls) {
      const operation = operations.find((candidate) => candidate.name === name)
      if (!operation) throw new Error(`There is no operation ${name}.`)
      await execute(operation, service, { caller, requestId: 'bench' }, input)
    }
    if (round >= 0) times.push(performance.now() - startedAt)
  }
  return Math.min(...times)
}

/** Does `work` with a fresh database of the server. */
async function withDatabase<T>(url: string, work: (databaseUrl: string) => Promise<T>): Promise<T> {
  const fresh = await freshDatabase(url)
  try {
    return await work(fresh.url)
  } finally {
    await fresh.drop()
  }
}

const results: Record<string, Measured[]> = { sqlite: [] }
for (const size of sizes) results.sqlite?.push(await measure(size, undefined))
if (values.postgres !== undefined) {
  results.postgres = []
  for (const size of sizes)
    results.postgres.push(await withDatabase(values.postgres, (databaseUrl) => measure(size, databaseUrl)))
}
if (values.json) process.stdout.write(`${JSON.stringify({ sizes, results })}\n`)
else for (const [kind, measured] of Object.entries(results)) print(kind, measured)

function print(kind: string, measured: Measured[]): void {
  const row = (name: string, cells: string[]) =>
    `${name.padEnd(28)}${cells.map((cell) => cell.padStart(10)).join('')}`
  const lines = Object.keys(measured[0] ?? {}).map((name) => {
    const times = measured.map((figures) => figures[name] ?? Number.NaN)
    const ratio = (times.at(-1) ?? Number.NaN) / (times[0] ?? Number.NaN)
    return row(name, [...times.map((ms) => ms.toFixed(2)), ratio.toFixed(1), ratio > GOAL ? 'grows' : ''])
  })
  process.stdout.write(
    [`${kind}, ms`, row('', [...sizes.map(String), `≤ ${GOAL}`]), ...lines, '', ''].join('\n')
  )
}
