// Which passages answer, the one first that holds: or none.
import { isOf } from '../attributes/attribute.ts'
import { dayOf } from '../dates.ts'
import { newerFirst } from '../search.ts'
import type { Asked } from './asked.ts'
import type { Reading } from './readings.ts'

/** How near to the best a passage must come for its being newer to count. */
const NEAR = 1.2

interface Chosen {
  /** In the order in which they are to be told; none where nothing is known. */
  passages: readonly Reading[]
  /** Those that a newer one has taken the place of. */
  earlier: ReadonlySet<Reading>
}

const NOTHING: Chosen = { passages: [], earlier: new Set() }

export function choose(readings: readonly Reading[], asked: Asked): Chosen {
  const ofThem = asked.names.length === 0 ? readings : readings.filter(({ person }) => person >= 1)
  const named = asked.isHistory
    ? []
    : ofThem.filter(
        ({ namesThings, isChange, person }) => namesThings || (asked.isStill && isChange && person >= 1.2)
      )
  const pool = named.length > 0 ? named : ofThem
  if (pool.length === 0) return NOTHING
  if (asked.isOpen) {
    const isOfThings = asked.things.length > 0 && named.length > 0
    if (!asked.period && asked.names.length === 0 && !isOfThings) return NOTHING
    return { ...NOTHING, passages: [...pool].sort(asked.period ? oldestFirst : newestFirst) }
  }
  if (!isAnswered(pool, asked) || isOfOthers(readings, pool, asked)) {
    // Of a time everything is told, by whatever words.
    const isAbout =
      asked.names.length > 0 || asked.things.length > 0 || pool.some(({ coverage }) => coverage > 0)
    const all = isAbout && pool.some(({ hit }) => isWithin(hit, asked)) ? [...pool].sort(oldestFirst) : []
    return { ...NOTHING, passages: all }
  }
  const scored = pool.map((reading, rank) => ({ reading, score: scoreOf(reading, asked, rank) }))
  scored.sort((a, b) => b.score - a.score)
  const [best] = scored
  const first = scored
    .filter(
      ({ reading, score }) =>
        best &&
        (takesItsPlace(reading, best.reading, asked) ||
          (score >= best.score - NEAR && saysAsMuch(reading, best.reading, asked)))
    )
    .map(({ reading }) => reading)
    .sort(asked.isHistory ? oldestFirst : newestFirst)
  const [lead] = first
  if (!lead) return NOTHING
  const isReplaced = !asked.isHistory && (asked.attributes.length > 0 || lead.isChange)
  // Behind what holds the others stand as the search ranks them; of a talk, what was answered, too.
  const isOfTalk = ({ author, turn }: Reading['hit']): boolean => author !== null && turn > 0
  const others = readings.filter(
    (reading) =>
      reading !== lead &&
      (pool.includes(reading) ||
        (asked.attributes.length === 0 && covers(reading) > 0 && isOfTalk(reading.hit)))
  )
  return { passages: [lead, ...others], earlier: new Set(isReplaced ? first.slice(1) : []) }
}

const AS_MUCH = 0.8

/** Whether it tells what is asked for as changed, whatever else it says. */
function takesItsPlace(
  reading: Reading,
  best: Reading,
  { names, isWhen, isHistory, isStill }: Asked
): boolean {
  if (isHistory || (names.length > 0 && reading.person < 1.2)) return false
  if (isStill && names.length > 0 && reading.isChange) return true
  const asksWhether = isStill || isWhen
  if (
    asksWhether &&
    reading.isCancelled &&
    covers(reading) > 0 &&
    covers(reading) >= covers(best) * AS_MUCH_CHANGED
  )
    return true
  return (
    reading.isChange &&
    best.mostTold > 0 &&
    (reading.mostTold === 1 || (reading.mostTold >= 0.7 && covers(reading) > 0))
  )
}

/** Whether it says as much of what is asked for: only then it counts that it is newer. What changes says less. */
function saysAsMuch(reading: Reading, best: Reading, { primary, isWhen, counted }: Asked): boolean {
  if (isWhen && best.hasCue && !reading.hasCue) return false
  const isTold = reading.mostTold > 0 && reading.mostTold >= Math.min(best.mostTold, 0.7)
  if (primary.some(isOf('synonymous')) || primary.some(isOf('needed'))) {
    if (!isTold && best.mostTold > 0) return false
  }
  const isCounted = counted !== undefined && reading.isCounted && best.isCounted
  return covers(reading) >= covers(best) * (reading.isChange || isCounted ? AS_MUCH_CHANGED : AS_MUCH)
}

const AS_MUCH_CHANGED = 0.6

const HALF = 0.5

const covers = ({ coverage, inSentence }: Reading): number => coverage + inSentence

const isWithin = ({ occurredAt }: Reading['hit'], { period }: Asked): boolean => {
  const day = dayOf(occurredAt)
  return period !== undefined && day >= period.first && day <= period.last
}

const newestFirst = (a: Reading, b: Reading): number => newerFirst(a.hit, b.hit)
const oldestFirst = (a: Reading, b: Reading): number => newerFirst(b.hit, a.hit)

function scoreOf(reading: Reading, { primary, wantsName, counted }: Asked, rank: number): number {
  const { hit, person, mostTold, coverage, inSentence, hasCue, hasName, isChange, isCounted, asks } = reading
  return (
    1.2 * Math.min(person, 1.8) +
    2.5 * coverage +
    1.5 * inSentence +
    (primary.some(isOf('synonymous')) ? 3 : 1) * mostTold +
    (hasCue ? 0.6 : 0) +
    (wantsName && hasName ? 0.6 : 0) +
    (counted && isCounted ? 0.8 : 0) +
    (isChange ? 0.5 : 0) +
    3 * hit.meaning -
    (asks ? 1 : 0) -
    rank / 40
  )
}

/** Whatever its words, what is so near to the question in meaning speaks of it. */
const ENOUGH_MEANING = 0.3
/** Whether others' passages tell far more of it than theirs do: then it is the others' story. */
function isOfOthers(
  readings: readonly Reading[],
  pool: readonly Reading[],
  { names, attributes }: Asked
): boolean {
  if (names.length === 0 || attributes.length > 0) return false
  const best = Math.max(0, ...pool.map(covers))
  const ofOthers = Math.max(0, ...readings.filter(({ person }) => person < 0).map(covers))
  return ofOthers > MUCH_MORE * best && best < 1
}

const MUCH_MORE = 2

const LEAST_COVERAGE = 0.3

/** Whether what is asked for stands in any of them; of somebody else it isn't looked for. */
function isAnswered(readings: readonly Reading[], asked: Asked): boolean {
  const pool = readings.filter(({ isQuestion }) => !isQuestion)
  const { attributes, primary, counted, content, isStill, wantsName } = asked
  if (counted && !pool.some(({ isCounted }) => isCounted)) return false
  if (wantsName && !pool.some(({ hasName }) => hasName)) return false
  const isSaidOtherwise = ({ isLiteral, coverage }: Reading): boolean =>
    isLiteral || (coverage >= HALF && !primary.some(isOf('valued')))
  // Whatever became of it, it is told as a change.
  if (isStill && pool.some(({ isChange, person }) => isChange && person >= 1.2)) return true
  if (primary.some(isOf('needed')) && !pool.some(isSaidOtherwise)) {
    const isNamed = pool.some(({ isSaidAnywhere }) => isSaidAnywhere) && primary.some(isOf('byValue'))
    return primary.some((attribute) => {
      const least = isOf('valued')(attribute) ? 0.5 : 0.4
      return pool.some(
        ({ told, coverage }) => (told.get(attribute) ?? 0) > least && (!isNamed || coverage > 0)
      )
    })
  }
  if (attributes.length > 0) {
    if (pool.some(({ mostTold }) => mostTold > 0)) return true
    if (content.length === 0) return false
  }
  if (content.length === 0 || pool.some(({ hit }) => hit.meaning >= ENOUGH_MEANING)) return true
  const least = asked.names.length > 0 ? 0.1 : LEAST_COVERAGE
  if (pool.some(({ coverage, hasName }) => coverage >= least && (!wantsName || hasName))) return true
  // The Mind has none of its words, of anybody: theirs may tell it by others.
  return !wantsName && pool.some(({ isSaidAnywhere, person }) => !isSaidAnywhere && person >= 1.5)
}
