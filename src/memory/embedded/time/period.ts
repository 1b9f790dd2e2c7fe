// The days that a question is about: everything told or happening then.
import { DAY_MS } from '../../../clock.ts'
import { fold } from '../fold.ts'
import { type Language, languageTold, latinLanguagesOf } from '../language.ts'
import { wordsOf } from '../words.ts'
import { dayNumber, wordsIn, yearOf } from './readers.ts'
import { type Time, timesIn, toldDay } from './times.ts'

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
  // In what follows on a bare `from`, chrono sees a clock.
  const times = timesIn(text.replace(/(?<!\p{L})from (?=[0-9])/giu, '     '), nowIso, language)
  const [time, second, third] = times
  if (!time || third) return undefined
  if (second) {
    const between = text.slice(time.index + time.length, second.index)
    if (!isLink(between, language)) return undefined
    const length = second.index + second.length - time.index
    const end = latest(second, text, now)
    const sharesYear = time.lacksYear && !second.lacksYear
    const begin = sharesYear ? yearsOn(time, yearOf(end.last) - yearOf(time.first)) : latest(time, text, now)
    return periodOf(text, { ...begin, last: end.last, length })
  }
  const whole = withBareDay(text, time, language)
  return isOpen(text, whole) ? undefined : periodOf(text, latest(whole, text, now))
}

function periodOf(text: string, { first, last, index, length }: Time): Period | undefined {
  const words = [...wordsOf(text.slice(index, index + length))].map((word) => fold(word.text))
  return last < first ? undefined : { first, last, words: [...new Set(words)] }
}

/** Arabic and wide digits by those of Europe, and apart from an Arabic "and". */
const withPlainDigits = (text: string): string =>
  text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[０-９]/g, (digit) => String(digit.charCodeAt(0) - 0xff10))
    .replace(/ و(?=[0-9])/g, ' و ')

const FUTURE =
  /(?<!\p{L})(?:will|shall|going to|upcoming|planned|werden|wird|geplant|habrá|será|vamos a|sera|aura|haverá|vai|ci sarà|zal|zullen|будет|будут|سوف|سيكون)(?!\p{L})|予定|将|将要/iu

/** Of days without a year, those that are so far ahead are the ones of the year before. */
const MOST_DAYS_AHEAD = 92

/** Without a year, a month isn't ahead and days aren't far ahead, unless the question looks ahead. */
function latest(time: Time, text: string, now: number): Time {
  if (!time.lacksYear) return time
  const isMonth = time.last > time.first && !time.isRange
  const looksAhead = FUTURE.test(text)
  const isTooLate = !looksAhead && time.first > now + (isMonth ? 0 : MOST_DAYS_AHEAD)
  const shift = isMonth && looksAhead && time.last < now ? 1 : isTooLate ? -1 : 0
  return yearsOn(time, shift)
}

function yearsOn(time: Time, years: number): Time {
  const shifted = (day: number): number => {
    const date = new Date(day * DAY_MS)
    return dayNumber(date.getUTCFullYear() + years, date.getUTCMonth(), date.getUTCDate())
  }
  return { ...time, first: shifted(time.first), last: shifted(time.last + 1) - 1 }
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

const ARTICLE = '(?:(?:the|dem|den|el|le|o|il) )'
const BARE = '(?<![-./0-9])([12][0-9]|3[01]|0?[1-9])'
const BARE_BEFORE = `(?:(?:between|from|zwischen|vom|von|entre|desde|del|du|de|tra|fra|dal|tussen|van|между|с|بين|من) )?${ARTICLE}?${BARE}(?:st|nd|rd|th|er|º|°|\\.)? ?(?:${LINKS}) ?${ARTICLE}?$`
const BARE_BEHIND = new RegExp(`^(?:から|～|〜|至|到|-|–|和|と)${BARE}[日号](?:まで)?(?:の?間|之间|之間)?`)

/** `between 4 and 10 November`, `10月1日から10日`: a day beside it that shares its month. */
function withBareDay(text: string, time: Time, language: Language): Time {
  const { index, length, first, last } = time
  if (first !== last || (time.isRelative && !time.lacksYear)) return time
  const before = wordsIn(language, BARE_BEFORE).exec(text.slice(0, index))
  const behind = BARE_BEHIND.exec(text.slice(index + length))
  const shiftTo = (bare: string | undefined): number =>
    bare === undefined ? 0 : Number(bare) - new Date(first * DAY_MS).getUTCDate()
  return {
    ...time,
    index: before?.index ?? index,
    length: length + (before?.[0].length ?? 0) + (behind?.[0].length ?? 0),
    isRange: before !== null || behind !== null,
    first: first + shiftTo(before?.[1]),
    last: last + shiftTo(behind?.[1])
  }
}

/** Only where it begins or where it ends is told. */
function isOpen(text: string, { index, length, words, isRelative, isRange }: Time): boolean {
  if (isRange) return false
  if (OPEN.test(text.slice(Math.max(0, index - 24), index))) return true
  return (!isRelative && OPENS.test(words)) || OPEN_BEHIND.test(text.slice(index + length))
}
