// What people read, in their language. The English text is the key; `locales/` has the others. A text that one of them
// lacks is no `Text`, so it can't be said: the type check fails.
import { AsyncLocalStorage } from 'node:async_hooks'
import { readFileSync } from 'node:fs'
import { IntlMessageFormat } from 'intl-messageformat'
import type ar from '../../locales/ar.json'
import type de from '../../locales/de.json'
import type es from '../../locales/es.json'
import type fr from '../../locales/fr.json'
import type ja from '../../locales/ja.json'
import type pt from '../../locales/pt.json'
import type { Language } from '../../schemas/language.ts'
import { builtFile } from '../built-file.ts'
import { onceForValue } from '../once.ts'

/** A text that every language has. */
export type Text = keyof typeof ar &
  keyof typeof de &
  keyof typeof es &
  keyof typeof fr &
  keyof typeof ja &
  keyof typeof pt

const spoken = new AsyncLocalStorage<Language>()

/** Does the work, and all that it awaits, in that language. */
export const inLanguage = <Done>(language: Language, work: () => Done): Done => spoken.run(language, work)

/** The one that is spoken here; English where nobody said. */
export const language = (): Language => spoken.getStore() ?? 'en'

export const directionOf = (of: Language): 'ltr' | 'rtl' => (of === 'ar' ? 'rtl' : 'ltr')

/** How `Intl` names it. Digits are those of prices, ids and forms in every language. */
export const localeOf = (of: Language): string => `${of}-u-nu-latn`

type Given<Of extends string> = Of extends `${string}{${string}`
  ? [values: Readonly<Record<string, string | number>>]
  : []

/**
 * The text in the language that is spoken here.
 *
 * @param values what stands in its braces, in ICU's way: `{name}`, `{count, plural, one {# memory} other {# memories}}`
 * @example say('Remove {name}?', { name })
 */
export function say<Of extends Text>(text: Of, ...[values]: Given<Of>): string {
  const own = sayIfKnown(text)
  return values ? String(formatOf(own).format(apart(text, values))) : own
}

/**
 * The same with something else than texts in it, as the pieces that follow each other.
 *
 * @param values also what is made of the words between tags: `<a>all of them</a>`
 */
export function pieces<Piece>(
  text: Text,
  values: Readonly<Record<string, string | number | Piece | ((words: (string | Piece)[]) => Piece)>>
): (string | Piece)[] {
  const made = formatOf(sayIfKnown(text)).format<Piece>(apart(text, values))
  return Array.isArray(made) ? made : [made]
}

/** The one of the texts that it is; another one as it is. */
export function sayOneOf(texts: readonly Text[], text: string): string {
  const known = texts.find((one) => one === text)
  return known === undefined ? text : say(known)
}

/** A text that comes from elsewhere, such as an operation's: as it is where it isn't known. */
export const sayIfKnown = (text: string): string => catalogueOf(language())[text] ?? text

/** Between letters from the right a name from the left would take the signs around it along: each stands by itself there. */
function apart<Value>(text: string, values: Readonly<Record<string, Value>>): Record<string, Value | string> {
  if (directionOf(language()) === 'ltr') return values
  const isShown = (name: string, value: Value): value is Value & string =>
    typeof value === 'string' && !text.includes(`{${name}, select`)
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isShown(name, value) ? `\u2068${value}\u2069` : value
    ])
  )
}

/** The texts of a language by the English ones, without `{name}` filled in. */
export const catalogueOf = onceForValue((of: Language): Readonly<Record<string, string>> => {
  if (of === 'en') return {}
  const file = builtFile(new URL(`../../locales/${of}.json`, import.meta.url))
  return { __proto__: null, ...JSON.parse(readFileSync(file, 'utf8')) }
})

const formatOf = (text: string): IntlMessageFormat => FORMATS(language())(text)

const FORMATS = onceForValue((of: Language) => {
  const locale = localeOf(of)
  // By itself it rounds to the thousandth, and makes each format anew.
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 })
  const rules = new Intl.PluralRules(locale)
  const formatters = {
    getNumberFormat: () => numbers,
    getPluralRules: () => rules,
    getDateTimeFormat: (...given: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
      new Intl.DateTimeFormat(...given)
  }
  return onceForValue((text: string) => new IntlMessageFormat(text, locale, undefined, { formatters }))
})

/** Dates in the language that is spoken where it is called. */
export function dateFormat(options: Intl.DateTimeFormatOptions): (at: string | Date) => string {
  const formats = onceForValue((locale) => new Intl.DateTimeFormat(locale, options))
  return (at) => formats(language() === 'en' ? 'en-GB' : localeOf(language())).format(new Date(at))
}
