// `npm run bench:consolidation`: what recall and remember take while memories are consolidated in the same process, and
// what they take without; and the tokens that a memory takes alone and among others.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { now } from '../src/clock.ts'
import { execute } from '../src/execute.ts'
import { openModels } from '../src/llm/open.ts'
import { usageTotals } from '../src/llm/usage.ts'
import { createConsolidation } from '../src/memory/embedded/consolidation/consolidate.ts'
import { startMindWork } from '../src/memory/jobs/worker.ts'
import { recallOperation, rememberOperation } from '../src/memory/operations.ts'
import { type CrowdMind, makeMinds, randomFrom, tellMinds } from './memory-crowd.ts'
import { quantile } from './memory-figures.ts'
import { type MemoryFixture, openMemoryFixture } from './memory-fixture.ts'

const HELP = `npm run bench:consolidation -- [options]

  --minds <n>       Minds, all with memories that wait (1000)
  --memories <n>    memories of each (20)
  --concurrency <n> LLM_CONCURRENCY (2)
  --answer-ms <n>   how long the model takes for an answer (1000)
  --blocks <n>      blocks of calls with consolidation, and as many without, in turns (12)
  --db <url>        this empty PostgreSQL database instead of a fresh SQLite file
  --json            answer with one line of JSON
  --help            this text

The consolidation runs in the process that is measured, as in the service; the model is a process of its own. In each
block with it, everything in every Mind waits to be consolidated, over and over.
`

/** Of each kind, in one block. */
const CALLS = 150
const CONSOLIDATED_AT_ONCE_MS = 100
const TOKEN_MINDS = 4
/** What they say is more than a model is shown of what is known. */
const TOKEN_MEMORIES = 80

const { values } = parseArgs({
  options: {
    minds: { type: 'string', default: '1000' },
    memories: { type: 'string', default: '20' },
    concurrency: { type: 'string', default: '2' },
    'answer-ms': { type: 'string', default: '1000' },
    blocks: { type: 'string', default: '12' },
    db: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false }
  }
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit()
}

/** Milliseconds of each call. */
interface Times {
  recall: number[]
  remember: number[]
}

const model = spawn(
  process.execPath,
  ['--import', 'tsx', join(import.meta.dirname, 'consolidation-model.ts')],
  {
    env: { PATH: process.env.PATH ?? '', ANSWER_MS: values['answer-ms'] },
    stdio: ['ignore', 'pipe', 'inherit']
  }
)
process.once('exit', () => model.kill('SIGKILL'))
const [ready]: unknown[] = await once(createInterface({ input: model.stdout }), 'line')
const { url } = z.object({ url: z.url() }).parse(JSON.parse(String(ready)))
const fixture = await openMemoryFixture(values.db, {
  ...{ LLM_URL: url, LLM_MODEL: 'bench', LLM_CONCURRENCY: values.concurrency, CONSOLIDATE_AFTER: '20' }
})
try {
  const tokens = await tokensByBatch(fixture)
  const minds = await makeMinds(
    fixture,
    Array.from({ length: Number(values.minds) }, () => Number(values.memories))
  )
  await tellMinds(fixture, minds)
  const ids = await idsOf(fixture, minds)
  const random = randomFrom(5)
  await measure(fixture, ids, random)
  const times = { beside: noTimes(), without: noTimes() }
  let batches = 0
  let besideMs = 0
  let longestStallMs = 0
  for (let block = 0; block < Number(values.blocks); block += 1) {
    // Before either, so that none begins with what the other left to be written.
    await letAllWait(fixture)
    add(times.without, await measure(fixture, ids, random))
    await letAllWait(fixture)
    const callsBefore = await batchesOf(fixture)
    const stop = startConsolidation(fixture)
    await runningSince(fixture, callsBefore)
    const startedAt = performance.now()
    const loop = monitorEventLoopDelay({ resolution: 1 })
    loop.enable()
    add(times.beside, await measure(fixture, ids, random))
    loop.disable()
    longestStallMs = Math.max(longestStallMs, loop.max / 1e6)
    besideMs += performance.now() - startedAt
    batches += (await batchesOf(fixture)) - callsBefore
    await stop()
  }
  report(times, tokens, { batches, seconds: besideMs / 1_000, longestStallMs })
} finally {
  await fixture.close()
  model.kill()
}

function noTimes(): Times {
  return { recall: [], remember: [] }
}

function add(to: Times, { recall, remember }: Times): void {
  to.recall.push(...recall)
  to.remember.push(...remember)
}

async function idsOf({ service }: MemoryFixture, minds: readonly CrowdMind[]): Promise<string[]> {
  const rows = await service.database.read.selectFrom('mind').select(['key', 'id']).execute()
  const known = new Set(minds.map(({ key }) => key))
  return rows.flatMap(({ key, id }) => (known.has(key) ? [id] : []))
}

/** A recall and a remember, each of a Mind picked anew, one after the other. */
async function measure(
  { service, caller, customerId }: MemoryFixture,
  ids: readonly string[],
  random: () => number
): Promise<Times> {
  const times = noTimes()
  const call = { caller, requestId: 'bench' }
  const anyMind = () => ids[Math.floor(random() * ids.length)]
  for (let index = 0; index < CALLS; index += 1) {
    // As with requests: each begins in a turn of the event loop of its own.
    await new Promise((resolve) => setImmediate(resolve))
    const recalled = { customerId, mindId: anyMind() }
    times.recall.push(await timeOf(() => execute(recallOperation, service, call, recalled)))
    await new Promise((resolve) => setImmediate(resolve))
    const content = `Ada: I told them ${random()} times that I live in Lisbon and prefer calls after six.`
    const told = { customerId, mindId: anyMind(), content }
    times.remember.push(await timeOf(() => execute(rememberOperation, service, call, told)))
  }
  return times
}

async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await call()
  return performance.now() - startedAt
}

/** What a memory takes, in and out, of a Mind that knows much: alone, and among 20. */
async function tokensByBatch(on: MemoryFixture) {
  const minds = await makeMinds(
    on,
    Array.from({ length: TOKEN_MINDS }, () => TOKEN_MEMORIES)
  )
  await tellMinds(on, minds)
  const ids = await idsOf(on, minds)
  const perMemory = async (count: number) => {
    for (const mindId of ids) {
      for (let index = 0; index < count; index += 1) {
        const content = `Ada: On day ${index} of ${count} we met in Lisbon and I asked for a call after six.`
        const told = { customerId: on.customerId, mindId, content }
        await execute(rememberOperation, on.service, { caller: on.caller, requestId: 'bench' }, told)
      }
    }
    const before = await tokensTaken(on)
    await consolidateAll(on)
    const after = await tokensTaken(on)
    const each = (key: keyof typeof after) => Math.round((after[key] - before[key]) / count / ids.length)
    return { input: each('input'), output: each('output') }
  }
  await consolidateAll(on)
  return { among20: await perMemory(20), alone: await perMemory(1) }
}

async function tokensTaken({ service }: MemoryFixture) {
  const totals = await usageTotals(service.database.read)
  const sum = (key: 'inputTokens' | 'outputTokens') =>
    totals.reduce((all, usage) => all + Number(usage[key]), 0)
  return { input: sum('inputTokens'), output: sum('outputTokens') }
}

/** Without waiting for others to come. */
async function consolidateAll(on: MemoryFixture): Promise<void> {
  const { database } = on.service
  await database.transaction((tx) =>
    tx.updateTable('mindJob').set({ dueAt: now() }).where('waiting', '>', 0).execute()
  )
  const stop = startConsolidation(on)
  const waiting = database.read.selectFrom('mindJob').where('waiting', '>', 0).select('mindKey').limit(1)
  while (await waiting.executeTakeFirst())
    await new Promise((resolve) => setTimeout(resolve, CONSOLIDATED_AT_ONCE_MS))
  await stop()
}

/** Begins every Mind anew. */
async function letAllWait({ service }: MemoryFixture): Promise<void> {
  await service.database.transaction((tx) =>
    tx.updateTable('mindJob').set({ watermark: 0, attempts: 0, waitingSince: now(), dueAt: now() }).execute()
  )
}

function startConsolidation({ service: { database, config, log } }: MemoryFixture): () => Promise<void> {
  const { model: opened } = openModels(config.models)
  if (!opened) throw new Error('No model is configured')
  const work = createConsolidation({ database, model: opened, log, settings: config.models })
  const worker = startMindWork({ database, log }, work)
  return () => worker.stop()
}

/** Batches done so far: of each one call is recorded. */
async function batchesOf({ service }: MemoryFixture): Promise<number> {
  const { calls } = await service.database.read
    .selectFrom('modelUsage')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('calls'), eb.val(0)).as('calls'))
    .executeTakeFirstOrThrow()
  return Number(calls)
}

async function runningSince(on: MemoryFixture, before: number): Promise<void> {
  while ((await batchesOf(on)) === before)
    await new Promise((resolve) => setTimeout(resolve, CONSOLIDATED_AT_ONCE_MS))
}

interface Run {
  batches: number
  seconds: number
  longestStallMs: number
}

type Tokens = Awaited<ReturnType<typeof tokensByBatch>>

function report({ beside, without }: { beside: Times; without: Times }, tokens: Tokens, run: Run): void {
  const figuresOf = (name: keyof Times) => {
    const sorted = (list: readonly number[]) => [...list].sort((a, b) => a - b)
    const [a, b] = [sorted(beside[name]), sorted(without[name])]
    return {
      ratio: Math.round((quantile(a, 0.5) / quantile(b, 0.5)) * 100) / 100,
      beside: { p50Ms: quantile(a, 0.5), p95Ms: quantile(a, 0.95) },
      without: { p50Ms: quantile(b, 0.5), p95Ms: quantile(b, 0.95) }
    }
  }
  const figures = { recall: figuresOf('recall'), remember: figuresOf('remember') }
  const batchesPerSecond = Math.round((run.batches / run.seconds) * 10) / 10
  const longestStallMs = Math.round(run.longestStallMs * 10) / 10
  if (values.json) {
    process.stdout.write(`${JSON.stringify({ ...figures, batchesPerSecond, longestStallMs, tokens })}\n`)
    return
  }
  const { alone, among20 } = tokens
  const overhead = ((alone.input + alone.output) / (among20.input + among20.output)).toFixed(1)
  const line = (name: keyof Times) => {
    const { ratio, beside: a, without: b } = figures[name]
    return `${name.padEnd(9)} ${ratio.toFixed(2)} by the medians: ${a.p50Ms.toFixed(2)} ms beside it, ${b.p50Ms.toFixed(2)} ms without; p95 ${a.p95Ms.toFixed(2)} and ${b.p95Ms.toFixed(2)} ms`
  }
  process.stdout.write(
    [
      `${values.minds} Minds; ${batchesPerSecond} batches of 20 memories a second beside it. Node ${process.version}, ${cpus()[0]?.model ?? 'unknown'}.`,
      '',
      line('recall'),
      line('remember'),
      `longest stall of the event loop: ${longestStallMs} ms`,
      `tokens of a memory, in + out: ${alone.input} + ${alone.output} alone, ${among20.input} + ${among20.output} among 20; ${overhead} times as many`,
      ''
    ].join('\n')
  )
}
