// The engine in our own tables: no model, no network.
import type { MemoryEngine } from '../engine.ts'
import { analyse } from './analyse.ts'
import { answerFromPassages } from './answer.ts'
import { extractFacts } from './facts/extract.ts'
import { fewHeads } from './facts/heads.ts'
import { deleteFactsOf, deleteMindFacts, insertFacts } from './facts/store.ts'
import { readProfile } from './profile.ts'
import { readSnapshot } from './snapshot.ts'
import { deleteMemory, deleteMindRows, insertMemory } from './store.ts'

export const embeddedEngine: MemoryEngine = {
  prepare({ content, occurredAt }) {
    const analysed = analyse(content)
    const facts = extractFacts(content, occurredAt)
    return async (tx, { mindKey, seq, id, contentHash, createdAt }) => {
      const memory = { seq, id, content, contentHash, occurredAt, createdAt }
      await insertMemory(tx, mindKey, memory, analysed)
      await insertFacts(tx, mindKey, memory, facts)
    }
  },
  async recall(db, mindKey, at) {
    const heads = await fewHeads(db, mindKey)
    return {
      profile: await readProfile(db, mindKey, heads),
      snapshot: await readSnapshot(db, mindKey, at, heads),
      degraded: false
    }
  },
  async ask(db, mindKey, { text, level }, signal) {
    const answered = await answerFromPassages(db, mindKey, text, level, signal)
    return { ...answered, model: null, degraded: false }
  },
  async forget(tx, mindKey, seq) {
    await deleteFactsOf(tx, mindKey, seq)
    await deleteMemory(tx, mindKey, seq)
  },
  async forgetMind(tx, mindKey) {
    await deleteMindFacts(tx, mindKey)
    await deleteMindRows(tx, mindKey)
  }
}
