// The forms of values, whatever the language: a telephone number is one in any.
import { datesIn } from '../dates.ts'
import { fold } from '../fold.ts'

export type Shape = 'phone' | 'email' | 'money' | 'number' | 'date' | 'name' | 'code' | 'any'

/** Bounded, as every pattern is that reads foreign text. */
const PHONE = /(?<![\p{L}\p{N}€$£¥.,/-])\+?\(?[0-9][0-9 ()./-]{5,18}[0-9](?![\p{N}%])/gu
const DATE_OR_YEARS =
  /^(?:[0-9]{4}[-./][0-9]{1,2}[-./][0-9]{1,2}|[0-9]{1,2}[-./ ][0-9]{1,2}[-./ ](?:19|20)[0-9]{2}|(?:19|20)[0-9]{2} ?[-–/] ?(?:19|20)[0-9]{2})/
const CURRENCY =
  '€|\\$|£|¥|₽|(?:euros?|eur|dollars?|usd|pounds?|gbp|libras?|dólares|francs?|franken|chf|pesos?|reais|rubles?|yen|kr)(?!\\p{L})|円|元|руб|евро|доллар|يورو|دولار|ريال|درهم|جنيه|دينار'
const MONEY = new RegExp(
  `(?:${CURRENCY}) ?[0-9]|[0-9](?:[ .,]?[0-9]){0,12} ?(?:k |mil |тыс\\.? ?)?(?:${CURRENCY})`,
  'iu'
)
const GROUPED = /^[0-9]{1,3}(?:[ .][0-9]{3})+$/

/** The first telephone number of a text, as it stands there. */
export function phoneIn(text: string): string | undefined {
  for (const { 0: found, index } of text.matchAll(PHONE)) {
    const digits = found.replace(/[^0-9]/g, '').length
    const isMoney = new RegExp(`^ ?(?:${CURRENCY})`, 'iu').test(text.slice(index + found.length))
    if (digits < 7 || digits > 15 || DATE_OR_YEARS.test(found) || GROUPED.test(found) || isMoney) continue
    return found
  }
  return undefined
}

const EMAIL = /[\w.+-]{1,64}@[a-zA-Z\d-]{1,63}(?:\.[a-zA-Z\d-]{1,63}){1,4}/

const CODE =
  /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}/-]{0,20}[0-9])(?:\p{Lu}{1,4}[ -])?[\p{L}\p{N}]{1,12}(?:[-/ ][0-9]{2,8}|[-/][\p{L}\p{N}]{1,8}){0,3}(?![\p{L}\p{N}])/u

/** Weekdays, and the days around today, as the platform names them. */
function calendarWords(language: string): string[] {
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const weekdays = [1, 2, 3, 4, 5, 6, 7].map((day) => weekday.format(new Date(Date.UTC(2024, 0, day))))
  return [...weekdays, ...[-1, 0, 1, 2].map((days) => relative.format(days, 'day'))].filter(
    (word) => !/[0-9]/.test(word)
  )
}

const SPACED = ['en', 'es', 'de', 'fr', 'pt', 'it', 'nl', 'ru', 'ar'].flatMap(calendarWords)
const UNSPACED = ['ja', 'zh'].flatMap(calendarWords).join('|')
const TIME = new RegExp(
  `(?<!\\p{L})(?:${SPACED.join('|')})s?(?!\\p{L})|${UNSPACED}|[0-9][:h.][0-9]{2}(?![0-9])|[0-9] ?(?:[ap]\\.?m|uhr|h|ч)(?!\\p{L})|[0-9] ?[時点时日]`,
  'iu'
)

const timeWords = new Set(SPACED.map(fold))

/** A weekday, or a month's name that is nobody's. */
export const isTimeWord = (word: string): boolean =>
  timeWords.has(fold(word)) || (datesIn(`1 ${word}`).words.has(fold(word)) && !GIVEN_NAME.test(word))

const GIVEN_NAME = /^(?:april|may|june|august|jan|mar)$/i

const NUMBER =
  /[0-9]|(?<!\p{L})(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|deux|trois|quatre|cinq|sept|huit|neuf|dix|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|dois|duas|três|quatro|sete|oito|nove|dez|due|tre|quattro|cinque|sette|otto|dieci|twee|drie|vijf|zes|zeven|negen|tien)(?!\p{L})|[一二三四五六七八九十][名人位]/iu

const NAME = /\p{Lu}\p{Ll}|[\p{Script=Han}\p{Script=Katakana}\p{Script=Arabic}]{2}/u

const TESTS: Readonly<Record<Shape, (text: string) => boolean>> = {
  phone: (text) => phoneIn(text) !== undefined,
  email: (text) => EMAIL.test(text),
  money: (text) => MONEY.test(text),
  number: (text) => NUMBER.test(text),
  date: (text) => TIME.test(text) || datesIn(text).dates.length > 0,
  name: (text) => NAME.test(text),
  code: (text) => CODE.test(text),
  any: () => true
}

export const hasForm = (shape: Shape, text: string): boolean => TESTS[shape](text)

/** Whether a value of that form stands there that can be nothing else. */
export const isUnmistakable = (shape: Shape, text: string): boolean =>
  shape === 'email' ? EMAIL.test(text) : shape === 'phone' && /[0-9][ ()./-]|\+/.test(phoneIn(text) ?? '')
