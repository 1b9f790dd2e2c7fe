// A service whose language model is a server of ours that answers by rules, and a customer who tells it things.
import { z } from 'zod'
import { now } from '../../../src/clock.ts'
import { openModels } from '../../../src/llm/open.ts'
import { createConsolidation } from '../../../src/memory/embedded/consolidation/consolidate.ts'
import type { MindJob } from '../../../src/memory/jobs/store.ts'
import { type MindWorker, startMindWork } from '../../../src/memory/jobs/worker.ts'
import { LLM_KEY, type LlmStandIn, startLlm } from '../../support/ai/llm.ts'
import type { LlmRequest } from '../../support/ai/llm-faults.ts'
import type { DatabaseKind } from '../../support/databases.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { type MemoryCaller, makeMemoryCaller } from '../caller.ts'

const Memory = z.object({ id: z.string(), day: z.string(), author: z.string().nullable(), text: z.string() })
const Fact = z.object({ id: z.string(), subject: z.string(), kind: z.string(), value: z.string() })

/** What a model is shown. */
interface Shown {
  memories: z.output<typeof Memory>[]
  facts: z.output<typeof Fact>[]
}

export interface Operation {
  op: 'ADD' | 'SUPERSEDE' | 'NOOP' | 'END'
  memory: string
  quote: string
  fact?: string | null
  subject?: string
  kind?: string | null
  topic?: string
  value?: string
  date?: string
}

export interface ConsolidationFixture {
  test: TestService
  llm: LlmStandIn
  /** A new customer of the service, with an empty Mind. */
  newMind(): Promise<ConsolidatedMind>
  /** Starts one more worker; the caller drains it, and it is stopped with the fixture. */
  startWorker(settings?: { timeoutMs: number }): MindWorker
  close(): Promise<void>
}

export interface ConsolidatedMind {
  caller: MemoryCaller
  /** Tells it a text on a day; the memory's id. */
  tell(content: string, day?: string): Promise<string>
  forget(memoryId: string): Promise<void>
  /** The profile's lines, each memory's id replaced by its place in the telling, from 0. */
  profile(): Promise<string[]>
  job(): Promise<MindJob>
  /** Lets the next attempt be due now. */
  makeDue(): Promise<void>
}

export async function openFixture(
  kind: DatabaseKind,
  env: Record<string, string> = {}
): Promise<ConsolidationFixture> {
  const llm = await startLlm()
  const test = await openTestService(kind, {
    ...{ LLM_URL: llm.url, LLM_KEY, LLM_MODEL: 'stand-in', CONSOLIDATE_AFTER: '1', MEMORY_RATE_LIMIT: '0' },
    ...{ CREDIT_PRICE_REMEMBER: '0', LLM_INPUT_PRICE: '2', LLM_OUTPUT_PRICE: '10' },
    ...env
  })
  const workers: MindWorker[] = []
  return {
    test,
    llm,
    newMind: async () => consolidatedMind(test, await makeMemoryCaller(test.service)),
    startWorker(changed) {
      const { database, config, log } = test.service
      const settings = { ...config.models, ...changed }
      const { model } = openModels(settings)
      if (!model) throw new Error('The fixture has no model')
      const work = createConsolidation({ database, model, log, settings, paceMs: 0 })
      const worker = startMindWork({ database, log, lookMs: 60_000 }, work)
      workers.push(worker)
      return worker
    },
    async close() {
      llm.behave('good')
      llm.release()
      await Promise.all(workers.map((worker) => worker.stop()))
      await test.close()
      await llm.close()
    }
  }
}

function consolidatedMind({ service }: TestService, caller: MemoryCaller): ConsolidatedMind {
  const told: string[] = []
  const { read } = service.database
  const job = () =>
    read
      .selectFrom('mindJob')
      .innerJoin('mind', 'mind.key', 'mindKey')
      .where('customerId', '=', caller.customerId)
      .where('kind', '=', 'consolidate')
      .selectAll('mindJob')
      .executeTakeFirstOrThrow()
  return {
    caller,
    job,
    async tell(content, day = '2026-05-01') {
      const { memoryId } = await caller.call('remember', { content, occurredAt: `${day}T10:00:00.000Z` })
      told.push(String(memoryId))
      return String(memoryId)
    },
    async forget(memoryId) {
      await caller.call('forget', { memoryId })
    },
    async profile() {
      const { profile } = await caller.call('recall')
      return String(profile)
        .split('\n')
        .filter(Boolean)
        .map((line) => line.replace(/mem_\w+/, (id) => `#${told.indexOf(id)}`))
    },
    async makeDue() {
      const { mindKey } = await job()
      await service.database.transaction((tx) =>
        tx.updateTable('mindJob').set({ dueAt: now() }).where('mindKey', '=', mindKey).execute()
      )
    }
  }
}

/** What a request to the model shows. */
export function shownIn({ user }: Pick<LlmRequest, 'user'>): Shown {
  const lines = user.split('\n')
  const read = <T>(label: string, shape: z.ZodType<T>) =>
    lines.filter((line) => line.startsWith(`{"id":"${label}`)).map((line) => shape.parse(JSON.parse(line)))
  return { memories: read('m', Memory), facts: read('f', Fact) }
}

/** For each memory that has the text, what is to be answered; `fact` names the known fact by its value. */
export type Rules = Readonly<Record<string, readonly Omit<Operation, 'memory'>[]>>

/** An answer by rules. */
export const byRules =
  (rules: Rules) =>
  (request: LlmRequest): { operations: Operation[] } => {
    const { memories, facts } = shownIn(request)
    const operations = memories.flatMap(({ id, text }) =>
      Object.entries(rules)
        .filter(([part]) => text.includes(part))
        .flatMap(([, given]) =>
          given.map((operation) => ({
            ...operation,
            memory: id,
            fact: facts.find(({ value }) => value === operation.fact)?.id ?? operation.fact ?? null
          }))
        )
    )
    return { operations }
  }

// A conversation's facts: of an answer to “Is e-mail fine?”, and of an agent's confirmation.

export const MAIL: Omit<Operation, 'memory'> = {
  ...{ op: 'ADD', quote: 'Yes', subject: 'Dana', kind: 'preference', topic: 'contact', value: 'e-mail' }
}
export const BOOKED: Omit<Operation, 'memory'> = {
  ...{ op: 'ADD', quote: 'You are booked for Monday 24 August at 10:15', subject: 'customer', kind: 'event' },
  ...{ value: 'booked for 2026-08-24 at 10:15', date: '2026-08-24' }
}
export const CONFIRMS = 'Agent: You are booked for Monday 24 August at 10:15 with Dr. Castellanos.'
