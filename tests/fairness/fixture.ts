// One built service as a process, somebody who attacks it, and another partner whose answers are measured meanwhile.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { z } from 'zod'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { openService, type Service } from '../../src/service.ts'
import { type MemoryFixture, makeMemoryFixture } from '../mcp/memory-fixture.ts'
import { call } from '../mcp/messages.ts'
import { type Environment, environmentAt, type RunningService, startService } from '../support/cli.ts'
import { type DatabaseKind, makeTestPlace, type TestPlace } from '../support/databases.ts'

const METRICS_TOKEN = 'a-token-for-the-metrics'
/** The first requests of a process compile what they run. */
const WARM_UP_MS = 3_000
const QUIET_MS = 5_000
const ATTACK_MS = 10_000

/** One request of the bystander, sent again and again; `{number}` in its body is another one each time. */
export interface Shot {
  name: string
  url: string
  method: 'GET' | 'POST' | 'PATCH'
  headers: Record<string, string>
  body?: string
  /** 200 unless told. */
  expected?: number
}

export interface Figures {
  attack: string
  /** Of the bystander's answers without the attack, in milliseconds. */
  quietP99Ms: number
  /** Of its answers beside the attack. */
  p50Ms: number
  slowestMs: number
  answers: number
  /** What the bystander was refused or lost, with the first words of why. */
  failures: string[]
  /** Most memory that the service's process ever had, in MB. */
  peakMb: number
  /** How late the event loop was, at the 99th percentile, in milliseconds. */
  loopP99Ms: number
}

export interface Fixture<Made> {
  url: string
  place: TestPlace
  env: Environment
  service: RunningService
  attacker: MemoryFixture
  bystander: MemoryFixture
  /** What `make` made. */
  made: Made
  /** What the bystander does unless it is told otherwise: a look, a change, a recall and a memory. */
  shots: Shot[]
  /**
   * Measures the bystander alone, then beside the attack, which runs until its signal fires (10 s unless told) or it has
   * ended, whichever is later.
   */
  measure(
    attack: (signal: AbortSignal) => Promise<void>,
    options?: { name?: string; shots?: Shot[]; attackMs?: number }
  ): Promise<Figures>
  close(): Promise<void>
}

/** Starts the service on a fresh database with two partners; `make` adds what the attack needs. */
export async function openFixture<Made = undefined>(options: {
  kind?: DatabaseKind
  /** For the service's process; its limits by number are off, so that what is behind them is tried. */
  env?: Environment
  make?: (service: Service, fixtures: { attacker: MemoryFixture; bystander: MemoryFixture }) => Promise<Made>
}): Promise<Fixture<Made | undefined>> {
  const place = await makeTestPlace(options.kind ?? 'sqlite')
  const env = environmentAt(place, {
    METRICS_TOKEN,
    LOG_LEVEL: 'warn',
    RATE_LIMIT: '0',
    MEMORY_RATE_LIMIT: '0',
    CREDITS_INITIAL: '100000000',
    SSH_ALLOW_PRIVATE: '1',
    ...options.env
  })
  const prepared = await openService(loadConfig(env), createLog('silent'))
  const attacker = await makeMemoryFixture(prepared)
  const bystander = await makeMemoryFixture(prepared)
  const made = await options.make?.(prepared, { attacker, bystander })
  await prepared.close()

  preferred(process, 0)
  const service = await startService(env)
  const { url } = service
  const program = fork(join(import.meta.dirname, 'bystander.mjs'), { serialization: 'advanced' })
  preferred(program, constants.priority.PRIORITY_ABOVE_NORMAL)
  preferred(process, constants.priority.PRIORITY_LOW)
  const shots = shotsOf(url, bystander)
  return {
    url,
    place,
    env,
    service,
    attacker,
    bystander,
    made,
    shots,
    async measure(
      attack,
      { name = expect.getState().currentTestName ?? '', shots: aimed = shots, attackMs } = {}
    ) {
      await stretch(program, aimed, () => sleep(WARM_UP_MS))
      const quiet = await stretch(program, aimed, () => sleep(QUIET_MS))
      await loopDelayP99Ms(url)
      let loopP99Ms = 0
      const beside = await stretch(program, aimed, async () => {
        const signal = AbortSignal.timeout(attackMs ?? ATTACK_MS)
        await attack(signal)
        loopP99Ms = await loopDelayP99Ms(url)
      })
      const figures: Figures = {
        attack: name,
        quietP99Ms: percentile(quiet, 0.99),
        p50Ms: percentile(beside, 0.5),
        slowestMs: percentile(beside, 1),
        answers: beside.length,
        failures: beside.flatMap(({ name: shot, outcome, detail }) =>
          outcome === 'answered' ? [] : [`${shot} ${outcome}: ${detail}`]
        ),
        peakMb: peakMbOf(service.pid),
        loopP99Ms: Math.round(loopP99Ms)
      }
      expect(quiet.filter(({ outcome }) => outcome !== 'answered')).toEqual([])
      process.stdout.write(`${JSON.stringify({ ...figures, failures: figures.failures.length })}\n`)
      process.stdout.write(
        `${JSON.stringify(
          [...beside]
            .sort((a, b) => b.ms - a.ms)
            .slice(0, 12)
            .map(({ name: shot, ms }) => `${shot} ${Math.round(ms)}`)
        )}\n`
      )
      return figures
    },
    async close() {
      program.kill()
      await service.stop()
      await place.remove()
    }
  }
}

/** What nobody else may notice of an attack (quiet is the same machine a moment before). */
export function expectUnnoticed(figures: Figures): void {
  const { quietP99Ms, slowestMs, failures, peakMb, loopP99Ms } = figures
  expect(failures).toEqual([])
  expect(slowestMs).toBeLessThan(Math.min(1_000, 20 * quietP99Ms))
  expect(peakMb).toBeLessThan(400)
  expect(loopP99Ms).toBeLessThan(50)
}

function shotsOf(url: string, { partner, customerId, token }: MemoryFixture): Shot[] {
  const customer = `${url}/api/v1/mcp/customers/${customerId}`
  const json = { 'content-type': 'application/json' }
  const key = { authorization: `Bearer ${partner.key}` }
  const tool = (name: string, args: unknown): Shot => ({
    name,
    url: `${url}/api/mcp`,
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
    body: JSON.stringify(call(`internal_memory_${name}`, args))
  })
  return [
    { name: 'get', url: customer, method: 'GET', headers: key },
    {
      name: 'change',
      url: customer,
      method: 'PATCH',
      headers: { ...key, ...json },
      body: JSON.stringify({ lastName: 'Lovelace {number}' })
    },
    tool('recall', {}),
    tool('remember', { content: 'Imogen took call {number} this morning.' })
  ]
}

const Answers = z.array(
  z.object({ name: z.string(), ms: z.number(), outcome: z.string(), detail: z.string().optional() })
)
type Answers = z.output<typeof Answers>

async function stretch(program: ChildProcess, shots: Shot[], work: () => Promise<unknown>): Promise<Answers> {
  program.send({ begin: shots })
  await work()
  const told = once(program, 'message')
  program.send({ end: true })
  const [answers] = await told
  return Answers.parse(answers)
}

/**
 * The bystander's clock is the measure: it comes before whoever loads the machine. Whoever attacks has machines of their
 * own; here, where they share ours, they come last. Linux asks each thread for itself; only root may say so.
 */
function preferred({ pid }: { pid?: number | undefined }, priority: number): void {
  if (pid === undefined || process.getuid?.() !== 0) return
  for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), priority)
}

function percentile(answers: Answers, part: number): number {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b)
  return Math.round((sorted[Math.ceil(sorted.length * part) - 1] ?? 0) * 10) / 10
}

/** Since it was last asked. */
async function loopDelayP99Ms(url: string): Promise<number> {
  return 1_000 * (await metric(url, 'nodejs_eventloop_lag_p99_seconds'))
}

async function metric(url: string, name: string): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(await answer.text()) ?? []
  return Number(value)
}

/** The most memory that the process ever had. */
function peakMbOf(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1_000)
}
