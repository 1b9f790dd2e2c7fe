// `npm run bench:memory-scale`: what a search costs in a Mind among very many, and what it costs with that Mind alone.
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { searchMind } from '../src/memory/embedded/search.ts'
import { recall } from '../src/memory/recall.ts'
import { type CrowdMind, makeMinds, questionOf, randomFrom, tellMinds } from './memory-crowd.ts'
import { quantile } from './memory-figures.ts'
import { type MemoryFixture, openMemoryFixture } from './memory-fixture.ts'

const HELP = `npm run bench:memory-scale -- [options]

  --memories <n>   memories in all (1000000)
  --minds <n>      Minds: one with 20,000 memories, the others alike (1000)
  --db <url>       store them in this empty PostgreSQL database, where they stay, instead of a fresh SQLite file
  --alone-db <url> with --db: another empty database, for the Mind that stands alone; without it there is no ratio
  --json           answer with one line of JSON
  --help           this text

Memories are written as the engine writes them, 500 a transaction. One of the small Minds is also told to a database of
its own, and both are asked the same questions in turns.
`

const LARGE_MIND = 20_000
const CALLS = 500
const LIMIT = 10

const { values } = parseArgs({
  options: {
    memories: { type: 'string', default: '1000000' },
    minds: { type: 'string', default: '1000' },
    db: { type: 'string' },
    'alone-db': { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false }
  }
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit()
}

/** How long calls took, in milliseconds. */
interface Latency {
  p50Ms: number
  p95Ms: number
}

/** Two kinds of database say nothing about each other. */
const isComparable = (values.db === undefined) === (values['alone-db'] === undefined)

const fixture = await openMemoryFixture(values.db)
const lonely = await openMemoryFixture(values['alone-db'])
try {
  const sizes = sizesOf(countOf('memories', values.memories), countOf('minds', values.minds))
  const minds = await makeMinds(fixture, sizes)
  const [large, ...others] = minds
  const small = others[Math.floor(others.length / 2)]
  if (!large || !small) throw new Error('--minds must be at least 2.')
  const startedAt = performance.now()
  await tellMinds(fixture, minds)
  const tookSeconds = (performance.now() - startedAt) / 1_000
  const [alone] = await makeMinds(lonely, [small.size])
  if (!alone) throw new Error('The Mind that stands alone was not made.')
  await tellMinds(lonely, [alone], small.key)
  const memories = sizes.reduce((sum, size) => sum + size, 0)
  report({
    memories,
    minds: sizes.length,
    insertsPerSecond: Math.round(memories / tookSeconds),
    diskMb: Math.round((await diskBytes(fixture)) / 2 ** 20),
    small: { memories: small.size, ...(await measure(fixture, () => small)) },
    large: { memories: large.size, ...(await measure(fixture, () => large)) },
    any: await measure(fixture, (random) => others[Math.floor(random() * others.length)] ?? small),
    ratioToAlone: isComparable ? await ratioToAlone(small, alone) : null
  })
} finally {
  await fixture.close()
  await lonely.close()
}

/** One large Mind, where it fits, and the rest in equal parts. */
function sizesOf(memories: number, minds: number): number[] {
  const large = Math.min(LARGE_MIND, Math.ceil(memories / 2))
  const each = Math.max(1, Math.floor((memories - large) / Math.max(minds - 1, 1)))
  return [large, ...Array.from({ length: minds - 1 }, () => each)]
}

/** Searches and recalls of the Minds that `choose` picks. */
async function measure(
  { service }: MemoryFixture,
  choose: (random: () => number) => CrowdMind
): Promise<{ search: Latency; recall: Latency }> {
  const { database, memoryEngine } = service
  const random = randomFrom(7)
  const search = await timed(() =>
    searchMind(database.read, choose(random).key, questionOf(random), { limit: LIMIT })
  )
  const recalled = await timed(() => recall(database.read, memoryEngine, { key: choose(random).key, id: '' }))
  return { search, recall: recalled }
}

/** The second half of the calls; the first warms up. */
async function timed(call: () => Promise<unknown>): Promise<Latency> {
  const times: number[] = []
  for (let index = 0; index < CALLS; index += 1) times.push(await timeOf(call))
  const counted = times.slice(CALLS / 2).sort((a, b) => a - b)
  return { p50Ms: quantile(counted, 0.5), p95Ms: quantile(counted, 0.95) }
}

async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await call()
  return performance.now() - startedAt
}

/** How much longer the same searches take among all the others, one here and one there; medians and all together. */
async function ratioToAlone(among: CrowdMind, alone: CrowdMind): Promise<{ median: number; total: number }> {
  const random = randomFrom(11)
  const times: { among: number[]; alone: number[] } = { among: [], alone: [] }
  for (let index = 0; index < 2 * CALLS; index += 1) {
    const question = questionOf(random)
    const asked = async ({ service }: MemoryFixture, { key }: CrowdMind): Promise<number> =>
      timeOf(() => searchMind(service.database.read, key, question, { limit: LIMIT }))
    const first = await asked(fixture, among)
    const second = await asked(lonely, alone)
    if (index < CALLS) continue
    times.among.push(first)
    times.alone.push(second)
  }
  const median = (list: readonly number[]): number =>
    quantile(
      [...list].sort((a, b) => a - b),
      0.5
    )
  const sum = (list: readonly number[]): number => list.reduce((total, time) => total + time, 0)
  const rounded = (ratio: number): number => Math.round(ratio * 100) / 100
  return {
    median: rounded(median(times.among) / median(times.alone)),
    total: rounded(sum(times.among) / sum(times.alone))
  }
}

/** Of the database without SQLite's journal, which holds up to 40 MB whatever was written. */
async function diskBytes({ service: { database } }: MemoryFixture): Promise<number> {
  const bytes = {
    sqlite: sql<{ bytes: number }>`select page_count * page_size as "bytes"
      from pragma_page_count(), pragma_page_size()`,
    postgres: sql<{ bytes: number }>`select pg_database_size(current_database()) as "bytes"`
  }
  const { rows } = await bytes[database.kind].execute(database.read)
  return Number(rows[0]?.bytes)
}

interface Report {
  memories: number
  minds: number
  insertsPerSecond: number
  diskMb: number
  small: { memories: number; search: Latency; recall: Latency }
  large: { memories: number; search: Latency; recall: Latency }
  /** A Mind picked anew for each call. */
  any: { search: Latency; recall: Latency }
  ratioToAlone: { median: number; total: number } | null
}

function report(figures: Report): void {
  if (values.json) {
    process.stdout.write(`${JSON.stringify(figures)}\n`)
    return
  }
  const { small, large, any, ratioToAlone: ratio } = figures
  const latency = ({ p50Ms, p95Ms }: Latency): string =>
    `p50 ${p50Ms.toFixed(2)} ms, p95 ${p95Ms.toFixed(2)} ms`
  const both = ({ search, recall }: { search: Latency; recall: Latency }): string =>
    `search ${latency(search)}; recall ${latency(recall)}`
  process.stdout.write(
    [
      `${figures.memories} memories in ${figures.minds} Minds. Node ${process.version}, ${cpus()[0]?.model ?? 'unknown'}.`,
      '',
      `written            ${figures.insertsPerSecond} memories/s, ${figures.diskMb} MB`,
      `Mind of ${String(small.memories).padEnd(10)} ${both(small)}`,
      `Mind of ${String(large.memories).padEnd(10)} ${both(large)}`,
      `another each time  ${both(any)}`,
      ...(ratio
        ? [`against alone      ${ratio.median.toFixed(2)} by the medians, ${ratio.total.toFixed(2)} in all`]
        : []),
      ''
    ].join('\n')
  )
}

/** @throws Error unless the text spells a number from 2 to 10 million */
function countOf(name: string, text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 2 && count <= 10_000_000) return count
  throw new Error(`--${name} must be a whole number from 2 to 10000000.`)
}
