// The days that a question is about: everything told or happening then.
import { DAY_MS } from '../../../clock.ts'
import { fold } from '../fold.ts'
import { type Language, languageTold, latinLanguagesOf } from '../language.ts'
import { wordsOf } from '../words.ts'
import { monthNamesOf, spanOf, wordsIn, yearOf } from './readers.ts'
import { hasYear, type Time, timesIn, toldDay } from './times.ts'

export interface Period {
  first: number
  last: number
  /** The question's words that tell it, folded, which a search needn't look for. */
  words: string[]
}

/**
 * None where a question names several times, none, or only where one begins or ends (`since May`).
 * A question is short: where its language doesn't tell, those that it may be in are tried as well.
 */
export function periodAsked(
  question: string,
  nowIso: string,
  language: Language = languageTold(question)
): Period | undefined {
  for (const likely of new Set([language, ...latinLanguagesOf(question)])) {
    const period = periodIn(question, nowIso, likely)
    if (period) return period
  }
  return undefined
}

function periodIn(question: string, nowIso: string, language: Language): Period | undefined {
  const text = withPlainDigits(question)
  const now = toldDay(nowIso)
  const range = rangeIn(text, now, language)
  if (range) return periodOf(text, range)
  const times = timesIn(text, nowIso, language)
  const [time, second, third] = times
  if (!time || third) return undefined
  if (second) {
    const between = text.slice(time.index + time.length, second.index)
    return isLink(between, language)
      ? periodOf(text, { ...time, last: second.last, length: second.index + second.length - time.index })
      : undefined
  }
  if (isOpen(text, time)) return undefined
  return periodOf(text, lacksYear(time) ? latest(time, text, now) : time)
}

type Days = Pick<Period, 'first' | 'last'>
type Found = Days & { index: number; length: number }

function periodOf(text: string, { first, last, index, length }: Found): Period | undefined {
  const words = [...wordsOf(text.slice(index, index + length))].map((word) => fold(word.text))
  return last < first ? undefined : { first, last, words: [...new Set(words)] }
}

/** Arabic and Persian digits by those of Europe, place by place. */
const withPlainDigits = (text: string): string =>
  text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[０-９]/g, (digit) => String(digit.charCodeAt(0) - 0xff10))

/** A month or a day by its name; what is counted from now is neither. */
const lacksYear = ({ words, isRelative, first, last }: Time): boolean =>
  !hasYear(words) && (isRelative ? first === last : last > first)

const FUTURE =
  /(?<!\p{L})(?:will|shall|going to|upcoming|planned|werden|wird|geplant|habrá|será|vamos a|sera|aura|haverá|vai|ci sarà|zal|zullen|будет|будут|سوف|سيكون)(?!\p{L})|予定|将|将要/iu

/** Of days without a year, those that are so far ahead are the ones of the year before. */
const MOST_DAYS_AHEAD = 92

/** Without a year, a month isn't ahead and days aren't far ahead, unless the question looks ahead. */
function latest(time: Time, text: string, now: number): Found {
  const isMonth = time.last > time.first
  const looksAhead = FUTURE.test(text)
  const isTooLate = !looksAhead && time.first > now + (isMonth ? 0 : MOST_DAYS_AHEAD)
  const shift = isMonth && looksAhead && time.last < now ? 1 : isTooLate ? -1 : 0
  const date = new Date(time.first * DAY_MS)
  const year = date.getUTCFullYear() + shift
  const [first, last] = spanOf(
    { year, month: date.getUTCMonth(), day: isMonth ? undefined : date.getUTCDate() },
    year
  )
  return { ...time, first, last }
}

/** What stands between the two ends of a period. */
const LINKS =
  "and|to|until|till|through|thru|und|bis(?: zum)?|y(?: el| hasta el)?|al|hasta(?: el)?|et(?: le)?|au|e(?: o| il| l['’])?|ao|até(?: o| ao)?|a|en|tot(?: en met)?|и|по|до|و|إلى|حتى|から|～|〜|至|到|-|–|—"

const isLink = (between: string, language: Language): boolean =>
  between.length < 20 &&
  wordsIn(language, `^\\s*(?:${LINKS})\\s*(?:the|den|dem|le|el|o|il)?\\s*$`).test(between)

const OPEN =
  /(?:^|[^\p{L}])(?:before|after|since|until|till|by|from|vor|nach|seit|bis|ab|antes del?|después del?|desde(?: el)?|hasta(?: el)?|a partir del?|avant|après|depuis|jusqu['’](?:en|à|au)|dès|à partir de|antes d[eo]|depois d[eo]|até|prima di|dopo|da|dal|fino a|voor|na|sinds|tot|vanaf|до|после|с|قبل|بعد|منذ|حتى)[ ]?(?:the |the end of |le |l['’]|den |dem |el |la |o |a )?$/iu
const OPENS =
  /^(?:since|until|by|from|before|after|seit|bis|ab|vom|von|desde|hasta|depuis|jusqu|dès|até|da|dal|fino|entro|sinds|tot|vanaf|с|до|за|منذ|حتى) /iu
const OPEN_BEHIND = /^(?:の)?(?:以前|以降|以来|以後|まで|から|より前|之前|之后|之後|以后|前|后)/u

/** Only where it begins or where it ends is told. */
function isOpen(text: string, { index, length, words, isRelative }: Time): boolean {
  if (OPEN.test(text.slice(Math.max(0, index - 24), index))) return true
  return (!isRelative && OPENS.test(words)) || OPEN_BEHIND.test(text.slice(index + length))
}

/** `between 4 and 10 November`, `from October 1 to 10, 2026`, `10月1日から10日`: two days of which one lacks its month. */
function rangeIn(text: string, now: number, language: Language): Found | undefined {
  const names = monthNamesOf(language)
  const match = rangePattern(language).exec(text)
  if (!match) return undefined
  const { d1, d2, m1, m2, y1, y2, D1, D2, M1, M2, Y } = match.groups ?? {}
  const monthOf = (name: string | undefined): number | undefined =>
    name === undefined ? undefined : (names.get(name.toLowerCase()) ?? Number(name) - 1)
  const month = monthOf(m2 ?? M2) ?? monthOf(m1 ?? M1)
  const told = y2 ?? Y ?? y1
  const found = (year: number): Days => ({
    first: spanOf(
      { year: y1 ? Number(y1) : year, month: monthOf(m1 ?? M1) ?? month, day: Number(d1 ?? D1) },
      year
    )[0],
    last: spanOf({ year, month, day: Number(d2 ?? D2) }, year)[1]
  })
  const year = yearOf(now)
  const years = told === undefined ? [year + 1, year, year - 1] : [Number(told)]
  const days = years.map(found).find(({ first }) => told !== undefined || first <= now + MOST_DAYS_AHEAD)
  return days && { ...days, index: match.index, length: match[0].length }
}

const ranges = new Map<Language, RegExp>()

function rangePattern(language: Language): RegExp {
  const known = ranges.get(language)
  if (known) return known
  const day = (name: string): string => `(?<${name}>[12][0-9]|3[01]|0?[1-9])`
  const year = (name: string): string => `(?<${name}>(?:19|20)[0-9]{2})`
  const names = [...monthNamesOf(language).keys()].join('|')
  const month = (name: string): string => `(?<${name}>${names})`
  const ordinal = '(?:st|nd|rd|th|er|º|°|\\.)?'
  const before =
    '(?:(?:between|from|zwischen|vom|von|entre|desde|del|du|de|tra|fra|dal|tussen|van|между|с|بين|من) )?(?:the |dem |den |el |le |o |il )?'
  const link = ` ?(?:${LINKS}) ?(?:the |dem |den |el |le |o |il )?`
  const dayFirst = `${before}${day('d1')}${ordinal}(?: (?:de |of )?${month('m1')}(?:,? (?:de |del )?${year('y1')})?)?${link}${day('d2')}${ordinal} (?:de |of )?${month('m2')}(?:,? (?:de |del )?${year('y2')})?`
  const monthFirst = `${before}${month('M1')} ${day('D1')}${ordinal}${link}(?:${month('M2')} )?${day('D2')}${ordinal}(?:,? ${year('Y')})?`
  const unspaced = `(?:${year('y1')}年)?(?<m1>1[0-2]|0?[1-9])月${day('d1')}[日号]?(?:から|～|〜|至|到|-|–|和|と)(?:${year('y2')}年)?(?:(?<m2>1[0-2]|0?[1-9])月)?${day('d2')}[日号]?(?:まで)?(?:の?間|之间|之間)?`
  const isUnspaced = language === 'ja' || language === 'zh'
  const pattern = wordsIn(language, isUnspaced ? unspaced : `${dayFirst}|${monthFirst}`)
  ranges.set(language, pattern)
  return pattern
}
