// Whether an answer's numbers, days, hours and names stand in the items that it cites: what a model makes up or mixes up
// is mostly one of these. Looked up in any usual spelling; what only a reader could tell is let pass, see docs/memory.md.
import { splitAuthor } from '../author.ts'
import { datesIn, type PartialDate } from '../dates.ts'
import { toldLines } from '../facts/told-lines.ts'
import { fold, normalise } from '../fold.ts'
import { LATIN_LANGUAGES, languageOf, latinLanguagesOf } from '../language.ts'
import { wordFamilies, wordSet } from '../word-lists.ts'
import { isForm, numberForms } from '../words.ts'

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
  const read = new Map(claims.flatMap(({ cited }) => cited).map((item) => [item, figuresOf(item.text)]))
  const figures = claims.flatMap(({ text, cited }) =>
    unfoundedFigures(
      figuresOf(text),
      cited.flatMap((item) => read.get(item) ?? [])
    )
  )
  const words = new Set([...read.values()].flatMap((item) => [...item.words]))
  return [...new Set([...figures, ...unfoundedNames(claims, words, given, question)])]
}

// Numbers, days and hours: of each part of the answer, in what that part cites.

function unfoundedFigures(claimed: Figures, cited: readonly Figures[]): string[] {
  const dates = cited.flatMap((item) => item.dates)
  const longs = cited.flatMap((item) => item.longs)
  const numbers = new Set(cited.flatMap((item) => item.known))
  const years = new Set(dates.flatMap(({ year }) => year ?? []))
  const clock = new Set(cited.flatMap(({ times }) => times.flatMap(({ minutes }) => minutes)))
  const hours = [...numbers].filter((number) => Number(number) <= 24)
  const late = new Set([...clock, ...hours.flatMap((hour) => minutesOf(hour, '0'))])

  const isDate = ({ year, month, day }: PartialDate): boolean =>
    (month === undefined && numbers.has(String(year))) ||
    dates.some(
      (date) =>
        (year === undefined ||
          year === date.year ||
          (date.year === undefined && [year - 1, year, year + 1].some((near) => years.has(near)))) &&
        (month === undefined || month === date.month) &&
        (day === undefined || day === date.day)
    )
  const isDay = (day: string, month: string): boolean =>
    dates.some((date) => date.day === Number(day) && date.month === Number(month) - 1)
  /** `17`, `10.30`, `4.5.`: an hour or a day that isn't written as one. */
  const isPart = (number: string): boolean => {
    const [first = '', second, ...more] = number.split(/[.,/]/)
    if (more.length > 0) return false
    if (Number(first) <= 24 && minutesOf(first, second ?? '0').some((at) => clock.has(at))) return true
    return second !== undefined && (isDay(first, second) || isDay(second, first))
  }
  const isNumber = (number: string): boolean =>
    numbers.has(formOf(number)) ||
    number.split(/[.,/]/).every((part) => claimed.dateWords.has(part)) ||
    // So many items: a count of the model's own.
    (/^\d$/.test(number) && Number(number) <= cited.length) ||
    isPart(number)
  const weekdays = new Set(dates.flatMap((date) => weekdaysOf(date, [...years].slice(0, MAX_YEARS))))
  return [
    ...claimed.dates.filter((date) => !isDate(date)).map(spelled),
    ...claimed.times.filter(({ minutes }) => !minutes.some((at) => late.has(at))).map(({ said }) => said),
    ...claimed.longs.filter((long) => !numbers.has(long) && !longs.some((one) => one.endsWith(long))),
    ...claimed.numbers.filter((number) => !isNumber(number)),
    ...[...claimed.words].filter((word) => {
      const weekday = WEEKDAYS.get(word)
      return weekday !== undefined && !cited.some(({ words }) => words.has(word)) && !weekdays.has(weekday)
    })
  ]
}

/** Written with its day and month in figures; other days are read as dates from where they stand. */
const NUMERIC_DAY = /\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}([./])\d{1,2}\1\d{4}\b/g
/** Telephone and account numbers: of these only the digits count, and their beginning may be left out. */
const LONG_NUMBER = /\+?\d(?:[ ()/-]{0,2}\d){6,}/g
const GROUPED = /(?<![\d.,])\d{1,3}(?: \d{3})+(?![\d.,])/g
const NUMBER = /\d+(?:[.,/]\d+)*/g
const ORDINAL = /(\d)(?:st|nd|rd|th|ers?|[eè]re|e|º|ª)(?![\p{L}\p{N}])/giu
/** `5 pm`, `5:30 p.m.`, `17:30`, `17h30`, `17.30 Uhr`, `17 Uhr`, `17時`, `5点`. */
const TIME =
  /(?<![\d.,:])(\d{1,2})(?:([:.h])([0-5]\d))?(?![\d:])(?: ?(?:([ap])\.?m\b|(uhr|h|[時点])(?![\p{L}\d])))?/giu

function figuresOf(text: string) {
  const plain = normalise(text)
    .replace(/['’](?=\d{3}(?!\d))/g, ',')
    .replace(ORDINAL, '$1')
  const words = fold(text).match(/[\p{L}\p{M}]+/gu) ?? []
  const longs: string[] = []
  const times: { said: string; minutes: number[] }[] = []
  const rest = plain
    .replace(NUMERIC_DAY, ' ')
    .replace(GROUPED, (grouped) => grouped.replaceAll(' ', ''))
    .replace(LONG_NUMBER, (long) => {
      longs.push(long.replace(/\D/g, '').replace(/^0+/, ''))
      return ' '
    })
    .replace(TIME, (said, hour, mark, minute, half, unit) => {
      if (!half && !unit && mark !== ':') return said
      times.push({ said, minutes: minutesOf(hour, minute ?? '0', half) })
      return ' '
    })
  const numbers = rest.match(NUMBER) ?? []
  const known = [...numbers.map(formOf), ...words.flatMap((word) => NUMBER_WORDS.get(word) ?? [])]
  const { dates, words: dateWords } = datesIn(plain, ALL_DATES)
  return { dates, dateWords, longs, times, numbers, known, words: new Set(words) }
}

const formOf = (number: string): string => numberForms(number)?.[0] ?? number

/** Of the day; twice where its half isn't told. */
function minutesOf(hour: string, minute: string, half?: string): number[] {
  const at = (Number(hour) % 24) * 60 + Number(minute)
  if (half) return [(at % 720) + (/p/i.test(half) ? 720 : 0)]
  return Number(hour) > 12 || Number(hour) === 0 ? [at] : [at % 720, (at % 720) + 720]
}

type Figures = ReturnType<typeof figuresOf>

const ALL_DATES = { length: Number.POSITIVE_INFINITY, dates: Number.POSITIVE_INFINITY }

const spelled = ({ year, month, day }: PartialDate): string =>
  [year, month === undefined ? undefined : month + 1, day].filter((part) => part !== undefined).join('-')

/** The weekdays' names, folded, each with its number. */
const WEEKDAYS = new Map(
  [...LATIN_LANGUAGES, 'ru', 'ar'].flatMap((locale) => {
    const { format } = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
    // The first of 1970 was a Thursday.
    return Array.from({ length: 7 }, (_, day) => [fold(format(Date.UTC(1970, 0, 4 + day))), day] as const)
  })
)

const MAX_YEARS = 3

/** @param years in which a day may be that lacks its own */
const weekdaysOf = ({ year, month, day }: PartialDate, years: readonly number[]): number[] =>
  month === undefined || day === undefined
    ? []
    : (year === undefined ? years : [year]).map((known) => new Date(Date.UTC(known, month, day)).getUTCDay())

/** Each family stands for its place: cardinals and ordinals up to twelve. */
const NUMBER_WORDS = new Map(
  wordFamilies(`zero null cero nul ноль
|one first uno una primero primera un une premier premiere eins ein eine einen einer erste ersten um uma primeiro primeira primo prima een eerste один одна одно первый первая واحد واحدة
|two twice second dos segundo segunda deux deuxieme zwei zweite zweiten dois duas due secondo seconda twee tweede два две второй вторая اثنان اثنين
|three third tres tercero tercera trois troisieme drei dritte dritten terceiro terceira tre terzo terza drie derde три третий третья ثلاثة ثلاث
|four fourth cuatro cuarto cuarta quatre quatrieme vier vierte vierten quatro quarto quarta quattro vierde четыре четвертый أربعة أربع
|five fifth cinco quinto quinta cinq cinquieme funf funfte funften cinque vijf vijfde пять пятый خمسة خمس
|six sixth seis sexto sexta sixieme sechs sechste sechsten sei sesto sesta zes zesde шесть шестой ستة ست
|seven seventh siete septimo septima sept septieme sieben siebte siebten sete setimo setima sette settimo settima zeven zevende семь седьмой سبعة سبع
|eight eighth ocho octavo octava huit huitieme acht achte achten oito oitavo oitava otto ottavo ottava achtste восемь восьмой ثمانية ثمان
|nine ninth nueve noveno novena neuf neuvieme neun neunte neunten nove nono nona negen negende девять девятый تسعة تسع
|ten tenth diez decimo decima dix dixieme zehn zehnte zehnten dez dieci tien tiende десять десятый عشرة عشر
|eleven eleventh once onze elf elfte undici elfde одиннадцать
|twelve twelfth doce douze douzieme zwolf zwolfte doze dodici twaalf двенадцать`).flatMap((words, number) =>
    words.map((word) => [fold(word), String(number)] as const)
  )
)

// Names: of the whole answer, in all that it cites. A word is taken for one where it is written large within a sentence,
// or at the start of one and the question or an item has it so. German writes any noun large, so there no word is.

const TITLES = wordSet('mr mrs ms miss dr prof sr sra srta senor senora m mme mlle monsieur madame ai')

function unfoundedNames(
  claims: readonly Claim[],
  known: ReadonlySet<string>,
  given: readonly Given[],
  question: string
): string[] {
  const answer = claims.map(({ text }) => text).join('\n')
  const both = `${question} ${answer}`
  const language = languageOf(both, latinLanguagesOf(both))
  if (language === 'de') return []
  const cited = [...new Set(claims.flatMap((claim) => claim.cited))]
  const contents = cited.map(({ content }) => content.slice(0, READ_LENGTH)).join('\n')
  const isKnown = (word: string): boolean =>
    known.has(word) ||
    known.has(word.replace(/s$/, '')) ||
    (language !== 'en' && [...known].some((other) => isForm(word, other)))
  const dateWords = datesIn(answer, ALL_DATES).words
  const asked = namesIn(question)
  const scripts = SCRIPTS.filter((script) => script.test(contents))
  const authors = given.flatMap(({ content }) => namesIn(splitAuthor(content).author ?? ''))
  const named = [...given.flatMap(({ text }) => namesIn(text)), ...asked].flatMap(withinSentence)
  const names = new Set([...authors.flatMap(({ words }) => words), ...named])
  const isLenient = (word: string): boolean =>
    TITLES.has(word) ||
    WEEKDAYS.has(word) ||
    dateWords.has(word) ||
    !scripts.some((script) => script.test(word))
  const others = namesIn(contents)
  const claimed = namesIn(answer).flatMap((name) => [
    ...name.words.filter((word) => names.has(word)),
    ...withinSentence(name)
  ])
  return claimed.filter((word) => !isKnown(word) && !isLenient(word) && !isOfAsked(word))

  /** What only the question names is whom the items are about, unless they name somebody else. */
  function isOfAsked(word: string): boolean {
    const own = asked.find(({ words }) => words.includes(word))?.words
    if (!own) return false
    const at = own.indexOf(word)
    const [before, after] = [own[at - 1], own[at + 1]].map((part) =>
      part && isKnown(part) ? part : undefined
    )
    if (!before && !after) return !cited.some(({ content }) => hasNamedSpeaker(content))
    return !others.some(({ words }) =>
      words.some((other, index) => {
        const [previous = word, next = word] = [words[index - 1], words[index + 1]]
        return (
          (other === before && next !== word) ||
          (other === after && previous !== word && !TITLES.has(previous))
        )
      })
    )
  }
}

function hasNamedSpeaker(content: string): boolean {
  for (const { speaker } of toldLines(content.slice(0, READ_LENGTH)))
    if (speaker && speaker.name !== '') return true
  return false
}

const SENTENCE_START = /(?:^|[.!?…:;。！？\n][\p{Pf}\p{Pe}"']*|[-*•–—\p{Ps}\p{Pi}"]|\d[.)])\s*$/u
const LOOKED_BACK = 8
/** Of a memory; much more than is shown of it. */
const READ_LENGTH = 4_000

interface Name {
  /** Written large, one behind the other. */
  words: string[]
  isStart: boolean
}

const LARGE = String.raw`\p{Lu}(?:[\p{L}\p{M}]{2,}|\p{Ll})(?![\p{L}\p{M}])`
const NAMES = new RegExp(String.raw`(?<![\p{L}\p{M}])${LARGE}(?: ${LARGE})*`, 'gu')

function namesIn(text: string): Name[] {
  const normal = normalise(text)
  return [...normal.matchAll(NAMES)].map(({ 0: name, index }) => ({
    words: name.split(' ').map(fold),
    isStart: SENTENCE_START.test(normal.slice(Math.max(0, index - LOOKED_BACK), index))
  }))
}

const withinSentence = ({ words, isStart }: Name): string[] => words.slice(isStart ? 1 : 0)

const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]
