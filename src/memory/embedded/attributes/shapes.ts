// The forms of values, whatever the language: a telephone number is one in any.
import { datesIn } from '../dates.ts'
import { fold } from '../fold.ts'

export type Shape = 'phone' | 'email' | 'money' | 'number' | 'date' | 'name' | 'code' | 'any'

/** Bounded, as every pattern is that reads foreign text. */
const PHONE = /(?<![0-9A-Za-z€$£¥.,/-])\+?\(?[0-9][0-9 ()./-]{5,18}[0-9](?![0-9%])/g
const DATE_OR_YEARS =
  /^(?:[0-9]{4}[-./][0-9]{1,2}[-./][0-9]{1,2}|[0-9]{1,2}[-./ ][0-9]{1,2}[-./ ](?:19|20)[0-9]{2}|(?:19|20)[0-9]{2} ?[-–/] ?(?:19|20)[0-9]{2})/
const CURRENCY =
  '€|\\$|£|¥|₽|(?:euros?|eur|dollars?|usd|pounds?|gbp|libras?|dólares|francs?|franken|chf|pesos?|reais|rubles?|yen|kr)(?!\\p{L})|円|元|руб|евро|доллар|يورو|دولار|ريال|درهم|جنيه|دينار'
const MONEY = new RegExp(
  `(?:${CURRENCY}) ?[0-9](?:[ .,]?[0-9]){0,12}|[0-9](?:[ .,]?[0-9]){0,12} ?(?:k |mil |тыс\\.? ?)?(?:${CURRENCY})`,
  'iu'
)
const GROUPED = /^[0-9]{1,3}(?:[ .][0-9]{3})+$/

/** The first telephone number of a text, as it stands there. */
export function phoneIn(text: string): string | undefined {
  for (const { 0: found, index } of text.matchAll(PHONE)) {
    const digits = found.replace(/[^0-9]/g, '').length
    const isMoney = IS_MONEY.test(text.slice(index + found.length))
    if (digits < 7 || digits > 15 || DATE_OR_YEARS.test(found) || GROUPED.test(found) || isMoney) continue
    return found
  }
  return undefined
}

const EMAIL = /[\w.+-]{1,64}@[a-zA-Z\d-]{1,63}(?:\.[a-zA-Z\d-]{1,63}){1,4}/

export const emailIn = (text: string): string | undefined => EMAIL.exec(text)?.[0]

const CODE =
  /(?<![0-9A-Za-z.,:€$£])(?:\p{Lu}{1,4}[ -]){0,2}(?=[0-9A-Za-z]{0,11}[0-9])[0-9A-Za-z]{2,12}(?:[-/ ][0-9]{2,8}|[-/][0-9A-Za-z]{1,8}){0,3}(?![0-9A-Za-z]|[:.,][0-9])/u

/** A number by which somebody or something is known: no amount, no time. */
export function codeIn(text: string): string | undefined {
  const found = CODE.exec(text)
  if (!found || /^[0-9]{1,2}$/.test(found[0]) || IS_MONEY.test(text.slice(found.index + found[0].length)))
    return undefined
  return found[0]
}

const IS_MONEY = new RegExp(`^ ?(?:${CURRENCY})`, 'iu')

/** Amounts of money, as they stand there. */
export const amountsIn = (text: string): string[] => text.match(new RegExp(MONEY, 'giu')) ?? []

const STREETS = [
  /(?<![\p{L}0-9])[0-9]{1,4}[a-z]? (?:\p{Lu}[\p{L}'’.-]{1,20} ){1,3}?(?:Street|St|Road|Rd|Lane|Avenue|Ave|Close|Drive|Hill|Square|Court|Way|Place|Park|Row|Parade|Walk|Terrace|Crescent|Gardens|Grove|Mews|Wharf|Boulevard|Quay|Yard)(?!\p{L})/u,
  /(?<!\p{L})\p{Lu}[\p{L}.-]{1,30}(?:straße|strasse|str\.|weg|allee|platz|gasse|ring|ufer|damm|hof|steig|pfad|straat|laan|plein|gracht|kade|dijk) [0-9]{1,4} ?[a-z]?(?![\p{L}0-9])/u,
  /(?<!\p{L})(?:calle|c\/|avenida|avda?\.|av\.|plaza|paseo|camino|ronda|rua|travessa|largo|praça|estrada|via|viale|piazza|corso|rue|avenue|boulevard|venelle|impasse|chemin|allée|quai|ул\.|улица|проспект) (?:[\p{L}'’-]{1,20} ){0,4}?[\p{L}'’-]{2,20},? [0-9]{1,4}(?![\p{L}0-9])/iu,
  /(?<![\p{L}0-9])[0-9]{1,4}(?: bis| ter)?,? (?:rue|avenue|boulevard|place|venelle|impasse|chemin|allée|quai|route|cours) (?:(?:de|du|des|la|les|l['’]|d['’]) ?){0,2}\p{Lu}[\p{L}'’-]{1,20}/u
]

/** A street with the number of a house, as languages write it. */
export const streetIn = (text: string): string | undefined =>
  STREETS.map((street) => street.exec(text)?.[0]).find(Boolean)

/** Weekdays, and the days around today, as the platform names them. */
function calendarWords(language: string): string[] {
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const days = [-1, 0, 1, 2].map((day) => relative.format(day, 'day'))
  return [...namesOf(language, 'weekday', 7), ...days.filter((word) => !/[0-9]/.test(word))]
}

/** Of the seven days from 1 January 2024, a Monday, or the twelve months. */
function namesOf(language: string, field: 'weekday' | 'month', count: number): string[] {
  const format = new Intl.DateTimeFormat(language, { [field]: 'long', timeZone: 'UTC' })
  return Array.from({ length: count }, (_, at) =>
    format.format(field === 'month' ? Date.UTC(2024, at) : Date.UTC(2024, 0, at + 1))
  )
}

const LANGUAGES = ['en', 'es', 'de', 'fr', 'pt', 'it', 'nl', 'ru', 'ar']
const SPACED = LANGUAGES.flatMap(calendarWords)
const UNSPACED = ['ja', 'zh'].flatMap(calendarWords).join('|')
const TIME = new RegExp(
  `(?<!\\p{L})(?:${SPACED.join('|')})s?(?!\\p{L})|${UNSPACED}|[0-9][:h.][0-9]{2}(?![0-9])|[0-9] ?(?:[ap]\\.?m|uhr|h|ч)(?!\\p{L})|[0-9] ?[時点时日]`,
  'iu'
)

const timeWords = new Set(
  [...SPACED, ...LANGUAGES.flatMap((language) => namesOf(language, 'month', 12))].map(fold)
)

/** A weekday, or a month's name that is nobody's. */
export const isTimeWord = (word: string): boolean => timeWords.has(fold(word)) && !GIVEN_NAME.test(word)

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
  code: (text) => codeIn(text) !== undefined,
  any: () => true
}

export const hasForm = (shape: Shape, text: string): boolean => TESTS[shape](text)

/** Whether a value of that form stands there that can be nothing else. */
export const isUnmistakable = (shape: Shape, text: string): boolean =>
  shape === 'email' ? EMAIL.test(text) : shape === 'phone' && /[0-9][ ()./-]|\+/.test(phoneIn(text) ?? '')
