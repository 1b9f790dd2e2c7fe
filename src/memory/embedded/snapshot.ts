// What changed in a Mind, what is coming up in it, and what it was told last.
import { sql } from 'kysely'
import { DAY_MS } from '../../clock.ts'
import { splitAuthor } from './author.ts'
import { isMonthName } from './dates.ts'
import { ENDED_TIER } from './facts/fact.ts'
import { changesSince, type FactHead, headsAsJson, headsToShow, labelled } from './facts/heads.ts'
import { partsOf } from './facts/sentences.ts'
import { fold } from './fold.ts'
import type { Language } from './language.ts'
import {
  asJson,
  compiledOnce,
  ELLIPSIS,
  fitLines,
  type OpenedMemory,
  type ReadHandle,
  type Slot,
  shorten,
  toOneLine,
  written
} from './port.ts'
import { memoriesOf } from './search-store.ts'
import { isoClock, timesIn, toldDay } from './time/times.ts'

const MAX_SNAPSHOT_LENGTH = 2_000

/** So that a Mind where much changed shows what is next and what was told last, too. */
const MAX_CHANGES_LENGTH = 1_100
const MAX_COMING_LENGTH = 900

const CHANGES_WITHIN_MS = 30 * DAY_MS

const NEWEST = 8

/** What holds and what lies ahead: of what profile and snapshot are made, by one statement. */
export async function readHolding(db: ReadHandle, mindKey: number, nowIso: string) {
  const [read] = await holding(db, mindKey, toldDay(nowIso))
  const ahead: Told[] = JSON.parse(read?.ahead ?? '[]')
  return { heads: await headsToShow(db, mindKey, read?.heads ?? '[]'), ahead }
}

const holding = compiledOnce((db, mindKey: Slot<number>, day: Slot<number>) =>
  written(
    db,
    sql<{ heads: string; ahead: string }>`
      select ${headsAsJson(db, mindKey)} as "heads", ${aheadAsJson(db, mindKey, day)} as "ahead"`
  )
)

/** @param newest its memories, newest first: all, or more than are shown */
export async function readSnapshot(
  db: ReadHandle,
  mindKey: number,
  nowIso: string,
  holding: Awaited<ReturnType<typeof readHolding>>,
  newest: readonly OpenedMemory[]
): Promise<string> {
  const since = new Date(Date.parse(nowIso) - CHANGES_WITHIN_MS).toISOString()
  const { heads, isCut } = changesSince(holding.heads, since)
  const changes = [...heads.map(changeLine), ...(isCut ? [ELLIPSIS] : [])]
  const coming = await comingUp(db, mindKey, toldDay(nowIso), holding.ahead)
  const openings = newest
    .filter(({ supersededBy }) => supersededBy === null)
    .slice(0, NEWEST)
    .map(({ id, opening, occurredAt }) => `${isoDayOf(occurredAt)} ${opening} (${id})`)
  const sections = [
    fitLines(headed('Changed in the last 30 days:', changes), MAX_CHANGES_LENGTH),
    fitLines(headed('Coming up:', coming), MAX_COMING_LENGTH),
    ...headed('Told last:', openings)
  ]
  return fitLines(sections.filter(Boolean), MAX_SNAPSHOT_LENGTH)
}

/** What was corrected is no news, and comes no more. */
const held = (db: ReadHandle, mindKey: Slot<number>) =>
  memoriesOf(db, mindKey).where('supersededBy', 'is', null)

const headed = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [heading, ...lines]

/** `2026-05-03 Dana Reyes, Place: Lisbon, before: Porto (mem_…)` */
function changeLine(head: FactHead): string {
  const { value, headTier, replaced, memoryId } = head
  const change =
    headTier === ENDED_TIER
      ? `no longer ${labelled(head, replaced ?? value)}`
      : `${labelled(head, value)}${replaced === null ? '' : `, before: ${replaced}`}`
  return `${isoDayOf(head.occurredAt)} ${head.subject || 'The customer'}, ${change} (${memoryId})`
}

const isoDayOf = (at: string): string => at.slice(0, 10)

// What is coming up: appointments and promises that nothing told later has cancelled, moved or told anew.

const MAX_COMING = 8
/** More are read than shown, since some are cancelled. */
const COMING_READ = 10
const LATER_READ = 30
const READ_LENGTH = 600
const MAX_SENTENCE = 140

const COLUMNS = ['id', 'seq', 'author', 'language', 'ahead', 'occurredAt'] as const

const beginning = sql<string>`substr("content", 1, ${sql.lit(READ_LENGTH)})`.as('text')

const aheadAsJson = (db: ReadHandle, mindKey: Slot<number>, day: Slot<number>) =>
  asJson(
    db,
    held(db, mindKey)
      .where('ahead', '>=', day)
      .select([...COLUMNS, beginning])
      .orderBy('ahead')
      .orderBy('seq')
      .limit(COMING_READ),
    [...COLUMNS, 'text']
  )

const toldAfter = compiledOnce((db, mindKey: Slot<number>, seq: Slot<number>) =>
  held(db, mindKey)
    .where('seq', '>', seq)
    .select([...COLUMNS, beginning])
    .orderBy('seq', 'desc')
    .limit(LATER_READ)
)

type Told = Awaited<ReturnType<typeof toldAfter>>[number]

async function comingUp(db: ReadHandle, mindKey: number, today: number, ahead: readonly Told[]) {
  if (ahead.length === 0) return []
  const told = await toldAfter(db, mindKey, Math.min(...ahead.map(({ seq }) => seq)))
  const later = told.filter(({ text, ahead }) => ahead !== null || CHANGES.test(text)).map(readEvent)
  return ahead
    .flatMap((told) => {
      const next = nextTime(told, today)
      if (!next) return []
      const event = readEvent(told)
      return later.some((other) => replaces(other, event)) ? [] : [{ ...told, ...next }]
    })
    .sort((a, b) => a.day - b.day || a.minute - b.minute || a.seq - b.seq)
    .slice(0, MAX_COMING)
    .map(({ id, when, sentence }) => `${when} ${sentence} (${id})`)
}

/** The soonest day from today on that it speaks of, with what it says of it. */
function nextTime({ text, language, occurredAt }: Told, today: number) {
  const [next] = timesIn(text, occurredAt, language as Language)
    .filter(({ first, last }) => first === last && first >= today)
    .sort((a, b) => a.first - b.first)
  if (!next) return undefined
  const day = new Date(next.first * DAY_MS).toISOString().slice(0, 10)
  const when = next.minute === undefined ? day : `${day} ${isoClock(next.minute)}`
  return { day: next.first, minute: next.minute ?? -1, when, sentence: sentenceAt(text, next.index) }
}

function sentenceAt(text: string, index: number): string {
  const { author } = splitAuthor(text)
  let end = 0
  const sentence = [...partsOf(text)].find((part) => {
    end += part.length
    return end > index
  })
  const line = toOneLine((sentence ?? '').toWellFormed())
  const isOpening = end === sentence?.length
  return shorten(author === null || isOpening ? line : `${toOneLine(author)}: ${line}`, MAX_SENTENCE)
}

/** That something was cancelled, moved or won't be. */
const CHANGES =
  /(?<!\p{L})(?:cancel|call(?:ed|s)? off|resched|postpon|moved? (?:it|to|the|from)|changed? (?:it|to|the)|no longer|won['’]t|instead|absag|abgesagt|sagt\S* .{0,40} ab(?!\p{L})|storn|verschob|verschieb|verleg|statt|anul|aplaz|pospo|reprogram|cambi(?:a|ó|ar)|ya no|en lugar|annul|report(?:e|é|er)|décal|déplac|plutôt que|desmarc|adia|remarc|mud(?:ou|ar)|em vez|disdi|rimand|spost|annull|invece|afgezegd|annuleer|verplaats|verzet|отмен|перен[её]с|перенос|вместо)|ألغ|إلغاء|تأجيل|أجل|نقل|キャンセル|取り?消|変更|延期|中止|取消|改到|改为|推迟/iu

/** Names by their capitals, first words of sentences left out. */
const NAMES = /(?<=[\p{L},] )\p{Lu}\p{L}+/gu

type Event = ReturnType<typeof readEvent>

/** Whom and what a memory is about, the days that it names left out: by its spelling alone, since Recall waits for it. */
function readEvent({ seq, author, ahead, text, language }: Told) {
  const isDay = (word: string): boolean => isMonthName(word) || WEEKDAY.test(word)
  const wordsAt = (pattern: RegExp): Set<string> =>
    new Set((text.match(pattern) ?? []).map(fold).filter((word) => !isDay(word)))
  return {
    seq,
    author,
    ahead,
    language,
    names: wordsAt(NAMES),
    words: wordsAt(WORDS),
    isChange: CHANGES.test(text)
  }
}

const WORDS = /[\p{Script=Han}\p{Script=Katakana}]{2}|\p{L}{4,}/gu
const WEEKDAY =
  /day$|tag$|woch$|feira$|^(?:lunes|martes|miercoles|jueves|viernes|lundi|mardi|mercredi|jeudi|vendredi|samedi)$/

/** Whether what was told later, of the same person, takes the place of it: cancels it, or tells the same event anew. */
function replaces(later: Event, told: Event): boolean {
  if (later.seq <= told.seq) return false
  const isByThem = told.author !== null && told.author === later.author
  const isOfSame = isByThem || [...told.names].some((name) => later.names.has(name))
  const shared = [...told.words].filter((word) => later.words.has(word)).length
  // German writes every noun as others write names.
  const isSure = isOfSame && told.language !== 'de'
  return shared >= (isSure ? 2 : 4) + (later.isChange ? 0 : 1)
}
