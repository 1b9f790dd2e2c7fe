// The engine in our own tables. It works without a model and without a network; with a model it knows and answers more.
import { answerFromPassages } from './answer.ts'
import { type Answering, answerWithModel } from './answering/answer-with-model.ts'
import { type OpenSearcher, openSearch, type ShareOf } from './embeddings/searcher.ts'
import { deleteVectorOf } from './embeddings/store.ts'
import { deleteFactsOf, insertFacts, markFactsOf } from './facts/store.ts'
import { findMemories } from './find-memories.ts'
import type { MemoryEngine, ThreadPool, WriteHandle } from './port.ts'
import { profileOf } from './profile.ts'
import { readMemory } from './read-memory.ts'
import { readHolding, readSnapshot } from './snapshot.ts'
import { deleteMemory, insertMemory, passOnCorrected, setSuperseded } from './store.ts'

/** To read a shorter text takes a millisecond or two, about as long as to hand it to a thread. */
const LONG_TEXT = 1_000
const READ_MEMORY = new URL('./read-memory.js', import.meta.url)

export interface EngineParts extends Pick<MemoryEngine, 'works'> {
  /** What else is to be done when a memory is stored, and when one is forgotten. */
  stored(tx: WriteHandle, mindKey: number): Promise<void>
  forgotten(tx: WriteHandle, mindKey: number, seq: number): Promise<void>
  shareOf: ShareOf
  /** Who reads long texts; where nobody waits for the event loop, it does so itself. */
  threads?: ThreadPool | undefined
  /** How memories are found; by their words alone, if left out. */
  openSearcher?: OpenSearcher
  /** Who answers questions; without one, the passages do by themselves. */
  answering?: Answering | undefined
}

export const createEngine = ({
  works,
  stored,
  forgotten,
  shareOf,
  threads,
  openSearcher = openSearch(),
  answering
}: EngineParts): MemoryEngine => ({
  works,
  async prepare(told, tenant) {
    const { content, occurredAt } = told
    const isForThread = threads !== undefined && content.length > LONG_TEXT
    const { analysed, facts } = isForThread
      ? await threads.run<typeof readMemory>(tenant, { name: 'readMemory', file: READ_MEMORY }, told)
      : readMemory(told)
    return async (tx, { mindKey, seq, id, contentHash, createdAt }) => {
      const memory = { seq, id, content, contentHash, occurredAt, createdAt }
      await insertMemory(tx, mindKey, memory, analysed)
      await insertFacts(tx, mindKey, memory, facts)
      await stored(tx, mindKey)
    }
  },
  async recall(db, mindKey, at, newest) {
    const holding = await readHolding(db, mindKey, at)
    return {
      profile: profileOf(holding.heads),
      snapshot: await readSnapshot(db, mindKey, at, holding, newest),
      degraded: false
    }
  },
  async ask(db, { key: mindKey, ...owner }, question, signal) {
    const searcher = openSearcher(db, mindKey, signal, shareOf(owner, signal))
    if (answering) return answerWithModel(answering, { db, mindKey, question, searcher, signal })
    const { text, level } = question
    const answered = await answerFromPassages(db, mindKey, text, level, signal, searcher)
    return { ...answered, model: null, degraded: searcher.isDegraded(), usage: searcher.usage() }
  },
  async search(db, { key: mindKey, ...owner }, wanted, signal) {
    const searcher = openSearcher(db, mindKey, signal, shareOf(owner, signal))
    const found = await findMemories(db, mindKey, wanted, searcher, signal)
    return { ...found, degraded: searcher.isDegraded(), usage: searcher.usage() }
  },
  async forget(tx, mindKey, seq) {
    await deleteFactsOf(tx, mindKey, seq)
    await deleteVectorOf(tx, mindKey, seq)
    await forgotten(tx, mindKey, seq)
    const corrected = await passOnCorrected(tx, mindKey, seq)
    await deleteMemory(tx, mindKey, seq)
    for (const one of corrected) await markFactsOf(tx, mindKey, one)
  },
  async supersede(tx, mindKey, seq, by) {
    await setSuperseded(tx, mindKey, seq, by)
    await markFactsOf(tx, mindKey, seq)
  },
  forgetMind: async () => undefined
})
