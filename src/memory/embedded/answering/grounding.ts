// Whether an answer's numbers, days, hours and names stand in the items that it cites: what a model makes up or mixes up
// is mostly one of these. Looked up in any usual spelling; what only a reader could tell is let pass, see docs/memory.md.
import { isTitle } from '../attributes/attribute.ts'
import { datesIn } from '../dates.ts'
import { toldLines } from '../facts/told-lines.ts'
import { fold, normalise } from '../fold.ts'
import { LATIN_LANGUAGES, languageTold } from '../language.ts'
import { FORMS } from '../time/forms.ts'
import { wordList } from '../word-lists.ts'
import { beginningsOf, numberForms } from '../words.ts'

/** An item as the model was shown it, and the memory behind it. */
export interface Given {
  text: string
  content: string
}

/** A part of an answer, and the items that it cites. */
export interface Claim {
  text: string
  cited: readonly Given[]
}

/** What stands in no item that is cited for it. @param given all that the model was shown */
export function unfoundedIn(claims: readonly Claim[], given: readonly Given[], question: string): string[] {
  const cited = [...new Set(claims.flatMap((claim) => claim.cited))]
  const told = new Map(
    cited.map((item) => [item, new Set(figuresOf(item.text).flatMap(({ tells }) => tells))])
  )
  const figures = claims.flatMap((claim) => {
    const isTold = (key: string): boolean =>
      // So many items: a count of the model's own.
      (/^[1-9]$/.test(key) && Number(key) <= claim.cited.length) ||
      claim.cited.some((item) => told.get(item)?.has(key))
    const wrong = figuresOf(claim.text).filter(({ keys }) => keys.length > 0 && !keys.some(isTold))
    return wrong.map(({ said }) => said)
  })
  const answer = claims.map(({ text }) => text).join('\n')
  return [...new Set([...figures, ...unfoundedNames(answer, cited, given, question)])]
}

// Numbers, days and hours: of each part of the answer, in what that part cites.

interface Figure {
  said: string
  /** It is founded where any of these is told; without any it need not be. */
  keys: readonly string[]
  tells: readonly string[]
}

/** Written with its day and month in figures; other days are read as dates from where they stand. */
const NUMERIC_DAY = /\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}([./])\d{1,2}\1\d{4}\b/g
/** Telephone and account numbers: of these only the digits count, and their beginning may be left out. */
const LONG_NUMBER = /\+?\d(?:[ ()/-]{0,2}\d){6,40}/g
const SHORTEST_LONG = 7
const GROUPED = /(?<![\d.,])\d{1,3}(?:[ '’]\d{3}){1,5}(?![\d.,])/g
const NUMBER = /\d{1,40}(?:[.,/]\d{1,40}){0,9}/g
/** `5 pm`, `5:30 p.m.`, `17:30`, `17h30`, `17.30 Uhr`, `17 Uhr`, `17時`, `5点`. */
const TIME =
  /(?<![\d.,:])(\d{1,2})(?:([:.h])([0-5]\d))?(?![\d:])(?: ?(?:([ap])\.?m\b|(uhr|h|[時点])(?![\p{L}\d])))?/giu
const MANY_DATES = { length: Number.POSITIVE_INFINITY, dates: 200 }

function figuresOf(text: string): Figure[] {
  const figures: Figure[] = []
  const add = (said: string, keys: readonly string[], tells = keys) => figures.push({ said, keys, tells })
  const plain = normalise(text)
  const { dates, words: dateWords } = datesIn(plain, MANY_DATES)
  for (const { year, month, day } of dates) {
    const parts = [year, month === undefined ? undefined : month + 1, day]
    const said = parts.filter((part) => part !== undefined).join('-')
    if (year !== undefined) add(said, [String(year)])
    if (month === undefined) continue
    add(said, [dayKey(month + 1, day)], [dayKey(month + 1, day), dayKey(month + 1)])
    if (year === undefined || day === undefined) continue
    add(said, [], [weekdayKey(new Date(Date.UTC(year, month, day)).getUTCDay())])
  }
  const rest = plain
    .replace(NUMERIC_DAY, ' ')
    .replace(GROUPED, (grouped) => grouped.replace(/\D/g, ''))
    .replace(LONG_NUMBER, (long) => {
      const digits = long.replace(/\D/g, '').replace(/^0+/, '')
      const ends = [...digits]
        .map((_, at) => digits.slice(at))
        .filter(({ length }) => length >= SHORTEST_LONG)
      add(digits, [digits], ends)
      return ' '
    })
    .replace(TIME, (said, hour, mark, minute, half, unit) => {
      if (!half && !unit && mark !== ':') return said
      const times = timeKeys(hour, minute, half)
      add(said, times, [...times, String(Number(hour)), String(Number(hour) % 12)])
      return ' '
    })
  for (const number of rest.match(NUMBER) ?? []) {
    const form = numberForms(number)?.[0] ?? number
    const parts = number.split(/[.,/]/)
    const [first = 0, second = 0] = parts.map(Number)
    const isOfDate = parts.every((part) => dateWords.has(part))
    // `4.5.` may be a day, and `17` and `10.30` an hour.
    const keys = isOfDate ? [] : [form, dayKey(first, second), dayKey(second, first)]
    add(number, keys, [form, ...timeKeys(...parts)])
  }
  for (const word of wordsIn(text)) {
    const weekday = WEEKDAYS.get(word)
    if (weekday !== undefined) add(word, [weekdayKey(weekday)])
    const number = NUMBER_WORDS.findIndex((words) => words.test(word)) + 1
    if (number > 0) add(word, [], [String(number)])
  }
  return figures
}

const dayKey = (month: number, day?: number): string => `day ${month}-${day ?? ''}`
const weekdayKey = (weekday: number): string => `weekday ${weekday}`
const wordsIn = (text: string): string[] => fold(text).match(/[\p{L}\p{M}]+/gu) ?? []

/** The minute of the day; two where its half isn't told. */
function timeKeys(hour = '', minute = '0', half?: string): string[] {
  if (Number(hour) > 24) return []
  const at = (Number(hour) % 24) * 60 + Number(minute)
  const early = at % 720
  if (half) return [`at ${early + (/p/i.test(half) ? 720 : 0)}`]
  return Number(hour) > 12 || Number(hour) === 0 ? [`at ${at}`] : [`at ${early}`, `at ${early + 720}`]
}

const WORD_LANGUAGES = [...LATIN_LANGUAGES, 'ru', 'ar'] as const

/** The weekdays' names, folded, each with its number. */
const WEEKDAYS = new Map(
  WORD_LANGUAGES.flatMap((locale) => {
    const { format } = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
    // The first of 1970 was a Thursday.
    return Array.from({ length: 7 }, (_, day) => [fold(format(Date.UTC(1970, 0, 4 + day))), day] as const)
  })
)

/** Of each number from one to twelve the words, folded. */
const NUMBER_WORDS = Array.from({ length: 12 }, (_, at) => {
  const words = WORD_LANGUAGES.flatMap((language) => wordList(FORMS[language].numbers)[at] ?? [])
  return new RegExp(`^(?:${fold(words.join('|'))})$`)
})

// Names: of the whole answer, in all that it cites. A word is taken for one where it is written large within a sentence,
// or at the start of one and the question or an item has it so. German writes any noun large, so there no word is.

function unfoundedNames(
  answer: string,
  cited: readonly Given[],
  given: readonly Given[],
  question: string
): string[] {
  const language = languageTold(`${question} ${answer}`)
  if (language === 'de') return []
  const formsOf = (word: string) => (language === 'en' ? [word, word.replace(/s$/, '')] : beginningsOf(word))
  const known = new Set(cited.flatMap(({ text }) => wordsIn(text)).flatMap(formsOf))
  const isKnown = (word: string): boolean => formsOf(word).some((form) => known.has(form))
  const contents = cited.map(({ content }) => content.slice(0, READ_LENGTH)).join('\n')
  const scripts = SCRIPTS.filter((script) => script.test(contents))
  const dateWords = datesIn(answer, MANY_DATES).words
  const isOther = (word: string): boolean =>
    WEEKDAYS.has(word) || dateWords.has(word) || !scripts.some((script) => script.test(word))
  const asked = namesIn(question).slice(0, MAX_ASKED)
  const within = [...given.flatMap(({ text }) => namesIn(text)), ...asked].flatMap(({ within }) => within)
  const names = new Set([...given.flatMap(speakersOf).flatMap(wordsIn), ...within])
  const claimed = namesIn(answer).flatMap(({ words, within }) => [
    ...words.filter((word) => names.has(word)),
    ...within
  ])
  const pairs = namesIn(contents).flatMap(({ words }) => words.slice(1).map((word, at) => [words[at], word]))
  return [...new Set(claimed)].filter((word) => !isKnown(word) && !isOther(word) && !isOfAsked(word))

  /** What only the question names is whom the items are about, unless they name somebody else. */
  function isOfAsked(word: string): boolean {
    const own = asked.find(({ words }) => words.includes(word))?.words
    if (!own) return false
    if (!own.some(isKnown)) return cited.every((item) => speakersOf(item).length === 0)
    const at = own.indexOf(word)
    return !pairs.some(([a, b]) => (a === own[at - 1] && b !== word) || (b === own[at + 1] && a !== word))
  }
}

/** Who speaks in it by name. */
const speakersOf = ({ content }: Given): string[] =>
  [...toldLines(content.slice(0, READ_LENGTH))].flatMap(({ speaker }) => speaker?.name || [])

const SENTENCE_START = /(?:^|[.!?…:;。！？\n][\p{Pf}\p{Pe}"']*|[-*•–—\p{Ps}\p{Pi}"]|\d[.)])\s*$/u
const LOOKED_BACK = 8
/** Of a memory; much more than is shown of it. */
const READ_LENGTH = 4_000
const MAX_ASKED = 16

const LARGE = String.raw`\p{Lu}(?:[\p{L}\p{M}]{2,40}|\p{Ll})(?![\p{L}\p{M}])`
const NAMES = new RegExp(String.raw`(?<![\p{L}\p{M}])${LARGE}(?: ${LARGE}){0,5}`, 'gu')

/** Words written large, one behind the other, and those of them that don't begin a sentence; no titles. */
function namesIn(text: string): { words: string[]; within: string[] }[] {
  const normal = normalise(text)
  return [...normal.matchAll(NAMES)].map(({ 0: name, index }) => {
    const isStart = SENTENCE_START.test(normal.slice(Math.max(0, index - LOOKED_BACK), index))
    const all = name.split(' ').map(fold)
    const [words, within] = [all, all.slice(isStart ? 1 : 0)].map((some) =>
      some.filter((word) => !isTitle(word))
    )
    return { words: words ?? [], within: within ?? [] }
  })
}

const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]
