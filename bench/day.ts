// `npm run bench:load`: a mixed day of many customers, how much of it one build takes and how fast it answers at half of
// that, beside an older build in turns.
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type RunningBuild, startBuilds } from './day-builds.ts'
import { type Build, loadClosed, loadOpen, type Stretch } from './day-load.ts'
import { reportDay, type SideFigures } from './day-report.ts'
import { requestsOf } from './day-requests.ts'
import { openTemplate, type Template } from './day-seed.ts'
import { quantile } from './memory-figures.ts'
import { pinClient, root } from './processes.ts'

const HELP = `npm run bench:load -- [options]

  --before <folder>    a built checkout to compare with, in turns, on its own copy of the same database
  --db <url>           also on PostgreSQL: any database whose role may create others beside it
  --only <text>        only settings whose name contains it: sqlite; postgres; 2 processes; 4 processes
  --seed <folder>      keep the filled databases there, and use those that are there (on PostgreSQL: beside --db)
  --customers <n>      (10000)
  --memories <n>       about so many, most customers some 40 and one in a hundred some 400 (436000)
  --rounds <n>         how often each side has its turn (3)
  --seconds <n>        how long a turn is; at half of the capacity twice as long (10)
  --minutes <n>        at half of the capacity one turn of so many minutes, with the memory every half minute
  --rate <n>           requests a second in place of half of the capacity
  --connections <n>    at once, where requests follow answers (16)
  --quick              40 customers, 4,000 memories, one round of 3 seconds
  --profile <folder>   write CPU profiles of ours there
  --json               answer with one line of JSON
  --help               this text

A database made by a newer build is refused by an older one: fill it with the older one's bench, and the newer one brings
its copy up to date.
`

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    db: { type: 'string' },
    only: { type: 'string', default: '' },
    seed: { type: 'string' },
    customers: { type: 'string' },
    memories: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    minutes: { type: 'string' },
    rate: { type: 'string' },
    connections: { type: 'string', default: '16' },
    quick: { type: 'boolean', default: false },
    profile: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false }
  }
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit()
}

const usual = values.quick
  ? { customers: 40, memories: 4_000, rounds: 1, seconds: 3 }
  : { customers: 10_000, memories: 436_000, rounds: 3, seconds: 10 }
const size = {
  customers: Number(values.customers ?? usual.customers),
  memories: Number(values.memories ?? usual.memories)
}
const rounds = Number(values.rounds ?? usual.rounds)
const seconds = Number(values.seconds ?? usual.seconds)
const connections = Number(values.connections)

const SETTINGS = [
  ...(values.db
    ? [1, 2, 4].map((processes) => ({
        name: `postgres, ${processes} ${processes === 1 ? 'process' : 'processes'}`,
        databaseUrl: values.db,
        processes
      }))
    : []),
  // Last: what is started once the client keeps to its core would be bound to it, too.
  { name: 'sqlite, 1 process', databaseUrl: undefined, processes: 1 }
].filter(({ name }) => name.includes(values.only))

let streams = 0

const built = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-needed'], {
  stdio: 'inherit'
})
if (built.status !== 0) process.exit(built.status ?? 1)

for (const databaseUrl of new Set(SETTINGS.map((setting) => setting.databaseUrl))) {
  const template = await openTemplate(values.seed, size, databaseUrl)
  try {
    for (const setting of SETTINGS.filter((one) => one.databaseUrl === databaseUrl)) {
      const sides = await measure(template, setting)
      const { memories, customers } = template.tenants
      const frame = { setting: setting.name, customers: customers.length, memories, rounds, connections }
      if (values.json) process.stdout.write(`${JSON.stringify({ ...frame, sides })}\n`)
      else process.stdout.write(reportDay(frame, sides))
      if (sides.some(({ failures }) => failures.length > 0)) process.exitCode = 1
    }
  } finally {
    await template.remove()
  }
}

async function measure(template: Template, setting: (typeof SETTINGS)[number]): Promise<SideFigures[]> {
  const builds: RunningBuild[] = []
  try {
    const profileFolder = values.profile
    builds.push(await startBuilds(template, { ...setting, side: 'ours', folder: root, profileFolder }))
    if (values.before) {
      const folder = resolve(values.before)
      builds.push(
        await startBuilds(template, { ...setting, side: 'before', folder, profileFolder: undefined })
      )
    }
    // Where the database is the server's, client and server have a core each.
    if (!setting.databaseUrl) pinClient()
    const told = (what: string) =>
      process.stderr.isTTY && process.stderr.write(`${setting.name}: ${what} …\n`)
    told('warming up')
    await inTurns(builds, 1, ({ build, stream }) =>
      loadClosed(build, requestsOf(template.tenants, stream), { seconds, connections })
    )
    told('as fast as it answers')
    const closed = await inTurns(builds, rounds, ({ build, stream }) =>
      loadClosed(build, requestsOf(template.tenants, stream), { seconds, connections })
    )
    const rates = closed.map((stretches) =>
      values.rate ? Number(values.rate) : median(stretches.map(rateOf)) / 2
    )
    told('at half of that')
    const turn = values.minutes
      ? { rounds: 1, seconds: Number(values.minutes) * 60 }
      : { rounds, seconds: 2 * seconds }
    const open = await inTurns(builds, turn.rounds, ({ build, stream, index }) =>
      loadOpen(build, requestsOf(template.tenants, stream), {
        ...{ seconds: turn.seconds, perSecond: rates[index] ?? 1, seed: stream }
      })
    )
    return builds.map(({ side }, index) => figuresOf(side, closed[index] ?? [], open[index] ?? []))
  } finally {
    for (const build of builds) await build.stop()
  }
}

/** A B A B: both get the same requests, in each round others. The stretches of each build. */
async function inTurns(
  builds: readonly RunningBuild[],
  times: number,
  work: (turn: { build: Build; stream: number; index: number }) => Promise<Stretch>
): Promise<Stretch[][]> {
  const stretches: Stretch[][] = builds.map(() => [])
  for (let round = 0; round < times; round += 1) {
    streams += 1
    for (const [index, build] of builds.entries()) {
      stretches[index]?.push(await work({ build, stream: streams, index }))
    }
  }
  return stretches
}

function figuresOf(
  side: RunningBuild['side'],
  closed: readonly Stretch[],
  open: readonly Stretch[]
): SideFigures {
  const latenciesOf = (kind: keyof Stretch['latencies']) => {
    const sorted = open.flatMap(({ latencies }) => latencies[kind]).sort((a, b) => a - b)
    return {
      count: sorted.length,
      p50: quantile(sorted, 0.5),
      p99: quantile(sorted, 0.99),
      max: sorted.at(-1) ?? 0
    }
  }
  const cpuOf = (stretches: readonly Stretch[]) => ({
    requestsPerSecond: median(stretches.map(rateOf)),
    serverMs: median(stretches.flatMap(({ serverMs }) => serverMs ?? [])),
    databaseMs: median(stretches.flatMap(({ databaseMs }) => databaseMs ?? []))
  })
  return {
    side,
    capacity: cpuOf(closed),
    half: cpuOf(open),
    latencies: {
      recall: latenciesOf('recall'),
      remember: latenciesOf('remember'),
      ask: latenciesOf('ask'),
      REST: latenciesOf('REST')
    },
    rssMb: open.flatMap(({ rss }) => rss.map((bytes) => Math.round(bytes / 2 ** 20))),
    failures: [...closed, ...open].flatMap(({ failures }) => failures)
  }
}

function rateOf({ requests, seconds: took }: Stretch): number {
  return requests / took
}

/** Not a number where there is none. */
function median(figures: readonly number[]): number {
  return figures.length === 0
    ? Number.NaN
    : quantile(
        [...figures].sort((a, b) => a - b),
        0.5
      )
}
