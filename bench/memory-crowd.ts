// Very many Minds with made-up memories: words as unevenly frequent as those of people, the same every time.
import { now } from '../src/clock.ts'
import type { WriteHandle } from '../src/database/database.ts'
import { newId } from '../src/ids.ts'
import type { NewMemory, StoreMemory } from '../src/memory/engine.ts'
import type { Owner } from '../src/memory/minds.ts'
import type { MemoryFixture } from './memory-fixture.ts'

export interface CrowdMind {
  key: number
  /** How many memories it is told. */
  size: number
}

/** Memories of one transaction. */
const BATCH = 500

/** New Minds, and nothing in them yet. */
export const makeMinds = (
  { service, caller, customerId }: MemoryFixture,
  sizes: readonly number[]
): Promise<CrowdMind[]> =>
  service.database.transaction(async (tx) => {
    const minds: CrowdMind[] = []
    for (const size of sizes) {
      minds.push(await insertCrowdMind(tx, { partnerId: caller.partnerId, customerId }, size, 0))
    }
    return minds
  })

export async function insertCrowdMind(
  tx: WriteHandle,
  owner: Owner,
  size: number,
  isPrimary: 0 | 1
): Promise<CrowdMind> {
  const { key } = await tx
    .insertInto('mind')
    .values({
      ...{ ...owner, id: newId('mnd'), name: 'Bench', description: null, isPrimary },
      ...{ memoryCount: size, nextSeq: size + 1, createdAt: now(), updatedAt: now() }
    })
    .returning('key')
    .executeTakeFirstOrThrow()
  return { key, size }
}

/**
 * Tells all Minds side by side, as it happens in life: the rows of each come in between those of all others. What a
 * Mind is told follows from its seed, which is its key unless given.
 */
export async function tellMinds(
  { service }: Pick<MemoryFixture, 'service'>,
  minds: readonly CrowdMind[],
  seed?: number,
  telling: (random: () => number, turn: number) => NewMemory = memoryOf
): Promise<void> {
  const told = minds.map(({ key, size }) => ({ key, size, random: randomFrom(seed ?? key), count: 0 }))
  const rounds = Math.min(...minds.map(({ size }) => size))
  let batch: { key: number; seq: number; store: StoreMemory }[] = []
  const flush = async (): Promise<void> => {
    await service.database.transaction(async (tx) => {
      for (const { key: mindKey, seq, store } of batch) {
        const id = newId('mem')
        await store(tx, { mindKey, seq, id, contentHash: id, createdAt: now() })
      }
    })
    batch = []
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const mind of told) {
      for (; mind.count < (mind.size * round) / rounds; mind.count += 1) {
        const store = await service.memoryEngine.prepare(telling(mind.random, mind.count), 'ptn_bench')
        batch.push({ key: mind.key, seq: mind.count + 1, store })
        if (batch.length >= BATCH) await flush()
      }
    }
  }
  await flush()
}

/** Numbers from 0 to 1 that follow from the seed alone. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const SPEAKERS = ['Ada', 'Grace']
const FUNCTION_WORDS = ['the', '', 'and', '', 'was with', '']
const TURNS_OF_A_SESSION = 20
const MINUTE_MS = 60_000
const START = Date.parse('2024-01-01T00:00:00.000Z')

/** One turn of a talk between two people. */
function memoryOf(random: () => number, turn: number): NewMemory {
  const words = Array.from({ length: 6 + Math.floor(random() * 16) }, () => wordOf(random))
  // By its stop words a text is told to be English.
  const text = words
    .map((word, index) => (index % 2 === 0 ? `${FUNCTION_WORDS[index % 6]} ${word}` : word))
    .join(' ')
  const content = `${SPEAKERS[turn % 2]}: ${text}${random() < 0.3 ? '?' : '.'}`
  return { content, occurredAt: timeOfTurn(turn) }
}

/** One session a day. */
export function timeOfTurn(turn: number): string {
  const session = Math.floor(turn / TURNS_OF_A_SESSION)
  const time = START + session * 1_440 * MINUTE_MS + (turn % TURNS_OF_A_SESSION) * MINUTE_MS
  return new Date(time).toISOString()
}

/** What people ask: a handful of words, frequent and rare ones, and who said it. */
export function questionOf(random: () => number): string {
  const words = Array.from({ length: 5 }, () => wordOf(random))
  return `What did ${SPEAKERS[Math.floor(random() * 2)]} say on ${words.join(' ')}?`
}

const VOCABULARY = 20_000
/** So many words that are more frequent still are stop words, and not worth making up. */
const STOP_WORDS = 10
const SYLLABLES =
  'ba be bo da de do fa ga ge ka ke ko la le lo ma me mo na ne no pa pe ra re ro sa se ta te to va'.split(' ')

/** Zipf's law: the n-th most frequent word as often as 1/n. */
export function wordOf(random: () => number): string {
  let word = ''
  const rank = STOP_WORDS * (1 + VOCABULARY / STOP_WORDS) ** random()
  let rest = Math.floor(rank) + SYLLABLES.length
  for (; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) word += SYLLABLES[rest % SYLLABLES.length]
  return word
}
