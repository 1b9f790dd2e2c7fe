// Honcho as the engine: profile, snapshot and answers are its own. Memories are kept here first, just as without it, so
// that a recall works while it is down, and that nothing is lost when it is switched off.
import type { ReasoningLevel } from '../../../schemas/mind.ts'
import type { ReadHandle } from '../../database/database.ts'
import { ServiceError } from '../../errors.ts'
import { createBreaker } from '../../net/breaker.ts'
import { UpstreamError } from '../../net/fetch-json.ts'
import { type MemoryEngine, NOTHING_FOUND } from '../engine.ts'
import { fitLines, shorten, toOneLine } from '../one-line.ts'
import { causeOf, type Honcho, wordsFor } from './api.ts'
import { awaitsRemoval } from './removals.ts'

/** A recall stands before a conversation. */
const RECALL_DEADLINE_MS = 3_000
const PAUSE_MS = 15_000
const MAX_FAILURES = 2
const LONGEST_STATE = 2_000
const LONGEST_LINE = 400
/** An answer is meant to be read by a model, and clients cut off what is over 25,000 tokens. */
const LONGEST_ANSWER = 16_000
/** Where Honcho is down or limits us and says nothing of when to try again. */
const RETRY_AFTER_S = 5

const LEVELS: Record<ReasoningLevel, string> = { standard: 'low', enhanced: 'high', deep: 'max' }

/** @param local keeps the memories; its own answers are for a recall without Honcho */
export function createHonchoEngine(local: MemoryEngine, honcho: Honcho): MemoryEngine {
  const breaker = createBreaker({
    failuresInARow: MAX_FAILURES,
    pause: { firstMs: PAUSE_MS, longestMs: PAUSE_MS },
    read: (error) =>
      error instanceof UpstreamError
        ? { isOutage: true, retryAfterSeconds: error.retryAfterSeconds }
        : undefined,
    refusal: () => new UpstreamError('unreachable')
  })
  return {
    ...local,
    async recall(db, mindKey, at, newest) {
      const own = await local.recall(db, mindKey, at, newest)
      const mindId = await filledMindId(db, mindKey)
      if (!mindId) return own
      if (await awaitsRemoval(db, mindId, honcho.url)) return { ...own, degraded: true }
      const mind = honcho.mind(mindId, { timeoutMs: RECALL_DEADLINE_MS })
      const asked = breaker.run(() => Promise.all([mind.card(), mind.representation()]))
      const seen = await asked.catch(orUnseen)
      if (!seen) return { ...own, degraded: true }
      const [card, representation] = seen
      return {
        // Honcho knows nothing until it has thought about what it was told.
        profile: fittingLines(card) || own.profile,
        snapshot: fittingLines(representation.split('\n')) || own.snapshot,
        degraded: false
      }
    },
    async ask(db, { key: mindKey }, { text, level }, signal) {
      const mindId = await filledMindId(db, mindKey)
      if (mindId && (await awaitsRemoval(db, mindId, honcho.url))) throw forgetting()
      const told = mindId
        ? await honcho.mind(mindId, { signal }).chat(text, LEVELS[level]).catch(refuse)
        : null
      const answer = shorten(told?.trim().toWellFormed() ?? '', LONGEST_ANSWER)
      // Honcho names no memories: what it stood on can't be cited honestly.
      return {
        ...{ answer: answer || NOTHING_FOUND, found: answer !== '' },
        ...{ sources: [], model: 'honcho', degraded: false, usage: [] }
      }
    }
  }
}

function orUnseen(error: unknown): undefined {
  if (!(error instanceof UpstreamError)) throw error
}

/** An empty Mind is answered from here: what Honcho may still conclude from what was forgotten is nobody's any more. */
async function filledMindId(db: ReadHandle, mindKey: number) {
  const filled = db.selectFrom('mind').where('key', '=', mindKey).where('memoryCount', '>', 0)
  return (await filled.select('id').executeTakeFirst())?.id
}

/** What was forgotten here may still be told there: until it is deleted, Honcho isn't asked. */
function forgetting() {
  const message = 'A memory is being forgotten. Try again shortly; recall still works.'
  return new ServiceError('memory_unavailable', message, { retryAfterSeconds: RETRY_AFTER_S })
}

const fittingLines = (lines: readonly string[]): string =>
  fitLines(lines.map((line) => shorten(toOneLine(line), LONGEST_LINE)).filter(Boolean), LONGEST_STATE)

function refuse(error: unknown): never {
  if (!(error instanceof UpstreamError)) throw error
  const retryAfterSeconds = error.retryAfterSeconds ?? RETRY_AFTER_S
  const options = { retryAfterSeconds, cause: causeOf(error) ?? new Error(wordsFor(error)) }
  if (error.status === 429) {
    const wait = `${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}`
    const message = `The memory is asked too often for the moment. Try again in ${wait}.`
    throw new ServiceError('memory_rate_limited', message, options)
  }
  const message = 'The memory can’t answer for the moment. Try again shortly; recall still works.'
  throw new ServiceError('memory_unavailable', message, options)
}
