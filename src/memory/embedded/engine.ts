// The engine in our own tables. It works without a model and without a network; with a model it knows and answers more.
import type { ThreadPool } from '../../threads/pool.ts'
import type { MemoryEngine } from '../engine.ts'
import { forgetFailures } from '../jobs/failures.ts'
import { type MindQueue, queueMemory } from '../jobs/queue.ts'
import { answerFromPassages } from './answer.ts'
import { answerWithModel } from './answering/answer-with-model.ts'
import type { Answering } from './answering/asking.ts'
import { type OpenSearcher, openSearch } from './embeddings/searcher.ts'
import { deleteVectorOf } from './embeddings/store.ts'
import { fewHeads } from './facts/heads.ts'
import { deleteFactsOf, insertFacts } from './facts/store.ts'
import { readProfile, readSnapshot } from './profile.ts'
import { readMemory } from './read-memory.ts'
import { createSearchQueue } from './search-queue.ts'
import { deleteMemory, insertMemory } from './store.ts'

/** To read a shorter text takes a millisecond or two, about as long as to hand it to a thread. */
const LONG_TEXT = 1_000
const READ_MEMORY = new URL('./read-memory.js', import.meta.url)

interface EngineParts {
  /** Work for which a stored memory waits. */
  queues: readonly MindQueue[]
  /** Who reads long texts; where nobody waits for the event loop, it does so itself. */
  threads?: ThreadPool | undefined
  /** How memories are found; by their words alone, if left out. */
  openSearcher?: OpenSearcher
  /** Who answers questions; without one, the passages do by themselves. */
  answering?: Answering | undefined
  /** Where local work on questions waits for its turn. */
  searches?: ReturnType<typeof createSearchQueue>
}

export const createEmbeddedEngine = ({
  queues,
  threads,
  openSearcher = openSearch(),
  answering,
  searches = createSearchQueue()
}: EngineParts): MemoryEngine => ({
  works: queues.map(({ kind }) => kind),
  async prepare(told, tenant) {
    const { content, occurredAt } = told
    const isForThread = threads !== undefined && content.length > LONG_TEXT
    const { analysed, facts } = isForThread
      ? await threads.run(tenant, { work: readMemory, file: READ_MEMORY }, told)
      : readMemory(told)
    return async (tx, { mindKey, seq, id, contentHash, createdAt }) => {
      const memory = { seq, id, content, contentHash, occurredAt, createdAt }
      await insertMemory(tx, mindKey, memory, analysed)
      await insertFacts(tx, mindKey, memory, facts)
      for (const queue of queues) await queueMemory(tx, queue, mindKey)
    }
  },
  async recall(db, mindKey, at, newest) {
    const heads = await fewHeads(db, mindKey)
    return {
      profile: await readProfile(db, mindKey, heads),
      snapshot: await readSnapshot(db, mindKey, at, heads, newest),
      degraded: false
    }
  },
  async ask(db, { key: mindKey, ...owner }, question, signal) {
    const { text, level } = question
    const searcher = openSearcher(db, mindKey, signal, searches(owner, signal))
    if (answering) return answerWithModel(answering, { db, mindKey, question, searcher, signal })
    const answered = await answerFromPassages(db, mindKey, text, level, signal, searcher)
    return { ...answered, model: null, degraded: searcher.isDegraded(), usage: searcher.usage() }
  },
  async forget(tx, mindKey, seq) {
    await deleteFactsOf(tx, mindKey, seq)
    await deleteVectorOf(tx, mindKey, seq)
    await forgetFailures(tx, mindKey, seq)
    await deleteMemory(tx, mindKey, seq)
  },
  forgetMind: async () => undefined
})

/** The engine by itself: no model, and nothing that waits. */
export const embeddedEngine: MemoryEngine = createEmbeddedEngine({ queues: [] })
