// kill -9 in the middle of consolidations, over and over on the same Minds: what is known in the end is what it would be
// without.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { openService, type Service } from '../../src/service.ts'
import { byRules, type Rules, shownIn } from '../memory/consolidation/fixture.ts'
import { tellMind } from '../memory/told-mind.ts'
import { LLM_KEY, type LlmStandIn, startLlm } from '../support/ai/llm.ts'
import type { LlmRequest } from '../support/ai/llm-faults.ts'
import { type DatabaseKind, makeTestPlace } from '../support/databases.ts'
import { type Bundle, bundle } from './bundle.ts'

const MINDS = 2
const MEMORIES = 130
const PLACES = ['Porto', 'Lisbon', 'Porto', 'Rome', 'Rome', 'Berlin']

let program: Bundle
const running = new Set<ChildProcess>()
beforeAll(async () => {
  program = await bundle(new URL('./consolidating-service.ts', import.meta.url).pathname)
})
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  program.remove()
})

const texts = Array.from({ length: MEMORIES }, (_, index) => {
  const day = new Date(Date.UTC(2026, 0, 1 + ((index * 7) % 90))).toISOString()
  const text =
    index % 11 === 10 ? 'I gave up the flat.' : `The flat in ${PLACES[index % PLACES.length]} is mine.`
  return { content: `Dana: ${text} That was number ${index}.`, occurredAt: day }
})

/** What follows from a request alone: so a batch that is done twice comes out the same. */
function answer(request: LlmRequest) {
  const place = shownIn(request).facts.find(({ kind }) => kind === 'place')?.value
  const rules: Record<string, Rules[string]> = {
    'gave up': [{ op: 'END', quote: 'I gave up the flat', fact: place ?? 'f9' }],
    'number 1': [
      { op: 'ADD', quote: 'That was number', subject: 'Dana', kind: 'event', value: 'that was number' }
    ]
  }
  for (const name of new Set(PLACES)) {
    const quote = `The flat in ${name} is mine`
    rules[`in ${name}`] =
      place === undefined
        ? [{ op: 'ADD', quote, subject: 'Dana', kind: 'place', value: name }]
        : [{ op: place === name ? 'NOOP' : 'SUPERSEDE', quote, fact: place, value: name }]
  }
  return byRules(rules)(request)
}

interface Fixture {
  service: Service
  llm: LlmStandIn
  env: Record<string, string>
  mindKeys: number[]
  remove(): Promise<void>
}

async function prepare(kind: DatabaseKind): Promise<Fixture> {
  const place = await makeTestPlace(kind)
  const llm = await startLlm()
  llm.on('consolidation', answer)
  const env = {
    ...{ DATA_DIR: place.dataDir, LLM_URL: llm.url, LLM_KEY, LLM_MODEL: 'stand-in', CONSOLIDATE_AFTER: '1' },
    ...{ LLM_INPUT_PRICE: '2', LOG_LEVEL: 'silent' },
    ...(place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {})
  }
  const service = await openService(loadConfig(env), createLog('silent'))
  const mindKeys: number[] = []
  for (let mind = 0; mind < MINDS; mind += 1) mindKeys.push((await tellMind(service, texts)).mindKey)
  return {
    ...{ service, llm, env, mindKeys },
    async remove() {
      await service.close()
      await llm.close()
      await place.remove()
    }
  }
}

/** A process, loaded and waiting for where it is to die. */
function load({ env }: Fixture) {
  const child = spawn(process.execPath, [program.file], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'inherit']
  })
  running.add(child)
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = once(child, 'exit').then(() => {
    running.delete(child)
    return { signal: child.signalCode, said: said.trim() }
  })
  return { open: (point: string) => child.stdin.end(`${point}\n`), kill: () => child.kill('SIGKILL'), ended }
}

const factsOf = ({ service }: Fixture, mindKey: number) =>
  service.database.read
    .selectFrom('fact')
    .where('mindKey', '=', mindKey)
    .select(['seq', 'part', 'slot', 'value', 'isRetraction', 'occurredAt', 'headTier', 'replaced', 'origin'])
    .orderBy('seq')
    .orderBy('part')
    .execute()

const jobsOf = ({ service }: Fixture) =>
  service.database.read
    .selectFrom('mindJob')
    .select(['watermark', 'waiting', 'attempts', 'leaseOwner'])
    .orderBy('mindKey')
    .execute()

/** The facts that two Minds come to when nobody is killed, whatever the database. */
export async function undisturbedFacts(): Promise<unknown> {
  const undisturbed = await prepare('sqlite')
  const calm = load(undisturbed)
  calm.open('never')
  expect(await calm.ended).toEqual({ signal: null, said: 'done' })
  const facts = await factsOf(undisturbed, undisturbed.mindKeys[0] ?? 0)
  expect(facts.filter(({ origin }) => origin === 'model').length).toBeGreaterThan(MEMORIES / 2)
  await undisturbed.remove()
  return facts
}

/** @param kills where each process dies, and how often it passes there before */
export async function expectFacts(expected: unknown, kind: DatabaseKind, kills: readonly string[]) {
  const disturbed = await prepare(kind)
  let next = load(disturbed)
  for (const kill of kills) {
    const dying = next
    next = load(disturbed)
    if (kill.startsWith('asked')) await killWhileAsked(disturbed, dying)
    else dying.open(kill)
    expect([kill, await dying.ended]).toEqual([kill, { signal: 'SIGKILL', said: '' }])
  }
  next.open('never')
  expect(await next.ended).toEqual({ signal: null, said: 'done' })

  for (const mindKey of disturbed.mindKeys) expect(await factsOf(disturbed, mindKey)).toEqual(expected)
  const job = { watermark: MEMORIES, waiting: 0, attempts: 0, leaseOwner: null }
  expect(await jobsOf(disturbed)).toEqual(Array.from({ length: MINDS }, () => job))
  await disturbed.remove()
}

/** Kills it while the gateway has its request and has not answered. */
async function killWhileAsked({ llm }: Fixture, dying: ReturnType<typeof load>) {
  const before = llm.requests.length
  llm.behave('waits')
  dying.open('asked,0')
  await vi.waitFor(() => expect(llm.requests.length).toBeGreaterThan(before), { timeout: 20_000 })
  dying.kill()
  llm.behave('good')
  llm.release()
}
